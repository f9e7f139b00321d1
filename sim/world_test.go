package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/checker/audit"
	"ticketing/checker/blackbox"
	"ticketing/client/demux"
	"ticketing/sim"
	"ticketing/sim/choice"
	"ticketing/sim/reference"
)

func newReference(o demux.Options) (demux.Core, error) { return reference.New(o) }

var cores = map[string]sim.NewCore{
	"machine":   func(o demux.Options) (demux.Core, error) { return demux.New(o) },
	"reference": newReference,
}

func TestSmoke(t *testing.T) {
	w := sim.New(cores["machine"], audit.All()...)
	var rec sim.Recorder
	w.SetRecorder(&rec)
	j := blackbox.NewJudge()
	n := 0
	for _, s := range sim.Scenarios {
		if s.Breaks != "" {
			continue // what follows from a broken assumption is no fault of the client
		}
		for seed := uint64(0); seed < 3000; seed++ {
			var src choice.Seeded
			src.Reset(seed)
			p := s.Draw(&src)
			w.Reset(&p, &src)
			for w.Failure() == nil && w.Step() {
				if w.Events() > 100000 {
					break
				}
			}
			v := j.Check(rec.History(w.Params()))
			n += v.Ops
			if v.Result != blackbox.Legal {
				t.Errorf("%s %d: %+v %v", s.Name, seed, v.String(), v.Facts)
				break
			}
			if f := w.Failure(); f != nil {
				t.Errorf("%s %d: %+v", s.Name, seed, f)
				break
			}
			require.Less(t, w.Events(), int64(100000), "%s %d", s.Name, seed)
		}
	}
	t.Log(n)
}
