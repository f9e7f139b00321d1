package blackbox

import "ticketing/model"

// Options bound a judge.
type Options struct {
	// StepsMax is how many steps Porcupine may take in one segment before it gives up. The default is
	// 1,000,000: a legal segment takes some hundreds, and a million take about a second.
	StepsMax int64
	// SegmentGrants is how many grants a segment has at most. The default is 32: sets of the operations
	// of so many grants fit two or three words, and a shorter segment costs more to start than to search.
	SegmentGrants int
}

// The defaults of Options.
const (
	DefaultStepsMax      = 1_000_000
	DefaultSegmentGrants = 32
)

// Judge judges histories one after another and keeps its memory between them. It is not safe for use by
// several goroutines at once.
type Judge struct {
	check  model.Validator
	normal normal
	search *search
}

// NewJudge returns a judge with the default options.
func NewJudge() *Judge { return NewJudgeOptions(Options{}) }

// NewJudgeOptions returns a judge; an option that is zero has its default. Negative ones panic.
func NewJudgeOptions(o Options) *Judge {
	if o.StepsMax < 0 || o.SegmentGrants < 0 {
		panic("blackbox: negative option")
	}
	if o.StepsMax == 0 {
		o.StepsMax = DefaultStepsMax
	}
	if o.SegmentGrants == 0 {
		o.SegmentGrants = DefaultSegmentGrants
	}
	j := &Judge{}
	j.search = newSearch(&j.normal, o)
	return j
}

// Check asks both judges and compares them. The verdict is Illegal if one found a contradiction and the
// other did not deny it, Disagree if it did. h is read only, and not held on to in the verdict.
func (j *Judge) Check(h *model.History) Verdict {
	v, ok := j.load(h)
	if !ok {
		return v
	}
	f := j.normal.settle()
	v.Greedy = resultOf(f)
	at := j.porcupine(&v)
	switch {
	case v.Greedy == Legal && v.Porcupine == Legal:
		return j.service(v)
	case v.Greedy == Illegal && v.Porcupine == Legal, v.Greedy == Legal && v.Porcupine == Illegal:
		j.disagree(&v, f, at)
	case v.Greedy == Illegal:
		j.illegal(&v, f)
	default:
		j.spent(&v, at)
		return j.service(v)
	}
	return v
}

// Greedy asks the greedy judge alone. It allocates nothing once warm, unless it finds something.
func (j *Judge) Greedy(h *model.History) Verdict {
	v, ok := j.load(h)
	if !ok {
		return v
	}
	f := j.normal.settle()
	v.Greedy = resultOf(f)
	if f.found() {
		j.illegal(&v, f)
		return v
	}
	v.Result = Legal
	return j.service(v)
}

// Porcupine asks Porcupine alone. It does not see the order of tokens across keys.
func (j *Judge) Porcupine(h *model.History) Verdict {
	v, ok := j.load(h)
	if !ok {
		return v
	}
	j.normal.settle() // for the states that later segments start from
	at := j.porcupine(&v)
	switch v.Result = v.Porcupine; v.Result {
	case Illegal:
		j.unordered(&v, at)
	case Inconclusive:
		j.spent(&v, at)
	}
	return v
}

// load validates and normalises h. It returns false, and the verdict, if h is no history.
func (j *Judge) load(h *model.History) (Verdict, bool) {
	v := Verdict{Ops: len(h.Ops)}
	if err := j.check.Validate(h); err != nil {
		v.Result, v.Facts = Invalid, []string{err.Error()}
		return v, false
	}
	j.normal.load(h)
	v.Judged, v.Grants, v.ShortGrants = j.normal.judged, len(j.normal.tenures), j.normal.short
	return v, true
}

func (j *Judge) porcupine(v *Verdict) (at int32) {
	v.Porcupine, at = j.search.run()
	v.Segments, v.Steps = j.search.pieces, j.search.steps
	return at
}

// service adds what only the whole service shows to a verdict that is not Illegal by any key.
func (j *Judge) service(v Verdict) Verdict {
	if v.Result == 0 {
		v.Result = Legal
	}
	if len(j.normal.chains) < 2 {
		return v
	}
	if f := j.normal.growth(); f.found() {
		v.Greedy = Illegal
		j.illegal(&v, f)
	}
	return v
}

func resultOf(f finding) Result {
	if f.found() {
		return Illegal
	}
	return Legal
}
