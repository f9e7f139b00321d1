package model

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Bounds of what a history may hold, so that no sum of a time and a lease can overflow.
const (
	DriftPPMMax         = 1_000_000 // a lease cannot shrink below nothing
	UncertaintyNanosMax = 1 << 60   // 36 years
	AtMax               = 1 << 62   // nanoseconds either side of zero; as Unix time, the year 2116
	SeqMax              = 1<<62 - 1 // and no Seq is negative
	KeyBytesMax         = 200       // protocol §2
	OpsMax              = 1 << 26   // an Op takes 64 bytes: 4 GiB
	KeysMax             = 1 << 20   // distinct keys
	keyByteMin          = byte('!') // protocol §2
	keyByteMax          = byte('~') // protocol §2
	millisMax           = 1<<31 - 1 // protocol §2, of a wait and of a lease
)

// Validate reports the first reason why h is no history that a judge can read. Such a reason lies in the
// recording; what a wrong service or client can do is not an error here but a judge's finding: two grants
// of one token, for instance.
//
// The rules: names and indices exist; every outcome is one of its kind and carries just the fields it has;
// no two stamps share a Seq, At never falls as Seq grows, and a call comes before its return; a caller's
// release is called strictly after a grant of its key that showed its token returned. A lane's release may
// name a token that no grant of the history shows, and is judged by nobody then.
func (h *History) Validate() error {
	var v Validator
	return v.Validate(h)
}

// Validator is Validate with its memory kept, for many histories in a row. The zero value is ready.
type Validator struct {
	times  []int64 // by position, vacant where nobody has it
	stamps []Stamp
	shown  []shown
	names  []string
}

// shown is a grant as a release must find it.
type shown struct {
	token uint64
	key   int32
	seq   int64 // of the grant's return
}

// Validate is History.Validate. It allocates nothing once warm, unless it finds something.
func (v *Validator) Validate(h *History) error {
	if err := h.Header.validate(); err != nil {
		return err
	}
	if err := v.keys(h.Keys); err != nil {
		return err
	}
	if len(h.Ops) > OpsMax {
		return fmt.Errorf("model: %d operations are more than %d", len(h.Ops), OpsMax)
	}
	for i := range h.Ops {
		op := &h.Ops[i]
		err := op.validate()
		if err == nil && (op.Key < 0 || int(op.Key) >= len(h.Keys)) {
			err = fmt.Errorf("key index %d of %d keys", op.Key, len(h.Keys))
		}
		if err != nil {
			return opError(i, op, err)
		}
	}
	for i, t := range h.Taints {
		if t.Token == 0 || t.Key < 0 || int(t.Key) >= len(h.Keys) {
			return fmt.Errorf("model: taint %d: token %d of key index %d of %d keys", i, t.Token, t.Key, len(h.Keys))
		}
	}
	if err := v.order(h); err != nil {
		return err
	}
	return v.releases(h)
}

func (h *Header) validate() error {
	if h.DriftPPM > DriftPPMMax {
		return fmt.Errorf("model: drift of %d ppm is above %d", h.DriftPPM, DriftPPMMax)
	}
	if h.UncertaintyNanos < 0 || h.UncertaintyNanos > UncertaintyNanosMax {
		return fmt.Errorf("model: uncertainty of %d ns is not in 0..%d", h.UncertaintyNanos, int64(UncertaintyNanosMax))
	}
	return nil
}

// keys checks that each name can stand on the wire and stands for one key.
func (v *Validator) keys(keys []string) error {
	if len(keys) > KeysMax {
		return fmt.Errorf("model: %d keys are more than %d", len(keys), KeysMax)
	}
	for i, k := range keys {
		if err := validKey(k); err != nil {
			return fmt.Errorf("model: key %d: %w", i, err)
		}
	}
	v.names = append(v.names[:0], keys...)
	slices.Sort(v.names)
	for i := 1; i < len(v.names); i++ {
		if v.names[i] == v.names[i-1] {
			return fmt.Errorf("model: key %q is listed twice", v.names[i])
		}
	}
	return nil
}

func validKey[T string | []byte](k T) error {
	if len(k) == 0 || len(k) > KeyBytesMax {
		return fmt.Errorf("a key of %d bytes, want 1 to %d", len(k), KeyBytesMax)
	}
	for i := range len(k) {
		if k[i] < keyByteMin || k[i] > keyByteMax {
			return fmt.Errorf("a key with the byte %#02x, want printable ASCII without spaces", k[i])
		}
	}
	return nil
}

// validate checks what op says about itself; a reader calls it a line.
func (op *Op) validate() error {
	if !op.Outcome.Of(op.Kind) {
		return fmt.Errorf("%v cannot be the outcome of %v", op.Outcome, op.Kind)
	}
	if op.Call.Seq < 0 || op.Return.Seq > SeqMax || op.Call.Seq >= op.Return.Seq {
		return fmt.Errorf("called at position %d and returned at %d, want the call first, in 0..%d",
			op.Call.Seq, op.Return.Seq, int64(SeqMax))
	}
	if op.Call.At < -AtMax || op.Return.At > AtMax || op.Call.At > op.Return.At {
		return fmt.Errorf("called at %d ns and returned at %d ns, want the call first, in ±%d",
			op.Call.At, op.Return.At, int64(AtMax))
	}
	if op.Kind == Acquire {
		return op.validateAcquire()
	}
	return op.validateRelease()
}

func (op *Op) validateAcquire() error {
	switch shows := op.Outcome == Granted || op.Outcome == Indeterminate && op.Token != 0; {
	case op.Tries != 0 || op.Lane:
		return errors.New("tries and lane belong to a release")
	case op.Wait > millisMax || op.Lease > millisMax:
		return fmt.Errorf("a wait of %d ms and a lease of %d ms, want at most %d", op.Wait, op.Lease, millisMax)
	case shows && op.Token == 0:
		return errors.New("granted without a token")
	case shows && op.Lease == 0:
		return fmt.Errorf("token %d granted without a lease", op.Token)
	case !shows && (op.Token != 0 || op.Lease != 0):
		return fmt.Errorf("%v shows no token and no lease", op.Outcome)
	}
	return nil
}

func (op *Op) validateRelease() error {
	switch {
	case op.Token == 0:
		return errors.New("a release names a token")
	case op.Wait != 0 || op.Lease != 0:
		return errors.New("wait and lease belong to an acquire")
	case (op.Outcome == NotSent) != (op.Tries == 0):
		return fmt.Errorf("%v after %d tries, want none for not-sent and at least one otherwise", op.Outcome, op.Tries)
	}
	return nil
}

// order checks that Seq is an order of all stamps and that the recorder's clock goes along with it.
func (v *Validator) order(h *History) error {
	if v.ordered(h) {
		return nil
	}
	v.stamps = slices.Grow(v.stamps[:0], 2*len(h.Ops))
	for i := range h.Ops {
		v.stamps = append(v.stamps, h.Ops[i].Call, h.Ops[i].Return)
	}
	slices.SortFunc(v.stamps, func(a, b Stamp) int { return cmp.Compare(a.Seq, b.Seq) })
	for i := 1; i < len(v.stamps); i++ {
		a, b := v.stamps[i-1], v.stamps[i]
		if a.Seq == b.Seq {
			i, op := stampOwner(h, b)
			return opError(i, op, fmt.Errorf("position %d is taken twice", b.Seq))
		}
		if a.At > b.At {
			i, op := stampOwner(h, b)
			return opError(i, op, fmt.Errorf("the clock fell from %d ns to %d ns between positions %d and %d", a.At, b.At, a.Seq, b.Seq))
		}
	}
	return nil
}

const (
	vacant  = math.MinInt64 // below -AtMax
	gapsMax = 4             // positions for each stamp
)

// ordered says that order finds nothing, without sorting, where few positions are left out. Recorders leave out none.
func (v *Validator) ordered(h *History) bool {
	first, last := int64(SeqMax), int64(0)
	for i := range h.Ops {
		first, last = min(first, h.Ops[i].Call.Seq), max(last, h.Ops[i].Return.Seq)
	}
	if last-first >= int64(gapsMax*2*len(h.Ops)) {
		return false
	}
	v.times = slices.Grow(v.times[:0], int(max(0, last-first+1)))[:max(0, last-first+1)]
	for i := range v.times {
		v.times[i] = vacant
	}
	for i := range h.Ops {
		for _, s := range [...]Stamp{h.Ops[i].Call, h.Ops[i].Return} {
			if v.times[s.Seq-first] != vacant {
				return false
			}
			v.times[s.Seq-first] = s.At
		}
	}
	at := int64(vacant)
	for _, t := range v.times {
		if t != vacant && t < at {
			return false
		}
		at = max(at, t)
	}
	return true
}

// stampOwner finds the last operation with the stamp s.
func stampOwner(h *History, s Stamp) (int, *Op) {
	for i := len(h.Ops) - 1; i >= 0; i-- {
		if op := &h.Ops[i]; op.Call == s || op.Return == s {
			return i, op
		}
	}
	panic("model: a stamp without an operation")
}

// releases checks that callers release what they were shown, and only afterwards.
func (v *Validator) releases(h *History) error {
	v.shown = v.shown[:0]
	for i := range h.Ops {
		if op := &h.Ops[i]; op.Kind == Acquire && op.Token != 0 {
			v.shown = append(v.shown, shown{op.Token, op.Key, op.Return.Seq})
		}
	}
	slices.SortFunc(v.shown, compareShown)
	for i := range h.Ops {
		op := &h.Ops[i]
		if op.Kind != Release {
			continue
		}
		at, _ := slices.BinarySearchFunc(v.shown, shown{op.Token, op.Key, 0}, compareShown)
		if at == len(v.shown) || v.shown[at].token != op.Token || v.shown[at].key != op.Key {
			if op.Lane || h.tainted(op) {
				continue // the grant was never recorded, or never made
			}
			return opError(i, op, fmt.Errorf("no grant of the key shows token %d", op.Token))
		}
		// A forged grant may have shown the token first.
		if op.Call.Seq <= v.shown[at].seq && !h.tainted(op) {
			return opError(i, op, fmt.Errorf("called at position %d, before the grant of token %d returned at %d",
				op.Call.Seq, op.Token, v.shown[at].seq))
		}
	}
	return nil
}

func (h *History) tainted(op *Op) bool {
	return slices.Contains(h.Taints, Taint{Token: op.Token, Key: op.Key})
}

func compareShown(a, b shown) int {
	if c := cmp.Compare(a.token, b.token); c != 0 {
		return c
	}
	if c := cmp.Compare(a.key, b.key); c != 0 {
		return c
	}
	return cmp.Compare(a.seq, b.seq)
}

func opError(i int, op *Op, err error) error {
	return fmt.Errorf("model: op %d (%v at position %d): %w", i, op.Kind, op.Call.Seq, err)
}
