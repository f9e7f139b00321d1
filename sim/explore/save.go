package explore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc64"
	"math"

	"ticketing/sim"
	"ticketing/sim/choice"
)

// Magic is how a saved search begins, its version included. What follows: what it is of; the report so far; the answers of
// the root and of each state of the path; the table; and a checksum of all that. Worlds are not in it, for the answers
// lead to them. Numbers are varints, but for keys and the checksum.
const Magic = "ticketing search 1\n"

// namesMax bounds a name in a saved search, in bytes.
const namesMax = 1 << 8

var checksums = crc64.MakeTable(crc64.ECMA)

// The errors of Resume, as far as a caller tells them apart.
var (
	ErrDamaged = errors.New("explore: a saved search that is damaged or cut off")
	ErrOther   = errors.New("explore: a saved search of something else")
)

// Save returns all that Resume needs to go on where a bound ended the search. A search that is over has nothing to save:
// nil.
func (s *Search) Save() []byte {
	if s.report.Violation != nil || s.report.Limit != LimitStates && s.report.Limit != LimitStop {
		return nil
	}
	e := &writer{dst: append(make([]byte, 0, 1<<12+9*s.table.used+2*len(s.table.depth)), Magic...)}
	s.identity(e)
	r := &s.report
	for _, v := range []uint64{r.Steps, r.Ends, r.Pruned, r.Asleep, uint64(r.Depth), r.Met, r.Encoding, flag(s.cut)} {
		e.uint(v)
	}
	e.ways(&s.root.ways)
	e.uint(uint64(s.depth + 1))
	for i := range s.depth + 1 {
		e.frame(&s.path[i])
	}
	e.table(&s.table)
	return binary.LittleEndian.AppendUint64(e.dst, crc64.Checksum(e.dst, checksums))
}

// identity is what a saved search must have in common with the one that goes on.
func (s *Search) identity(e *writer) {
	e.string(s.p.Scenario)
	e.uint(s.o.Build)
	e.uint(uint64(s.o.DepthMax))
	e.uint(s.reductions())
}

func (s *Search) reductions() uint64 { return flag(s.o.Unreduced) | flag(s.o.Sleepless)<<1 }

// Resume makes a search that goes on where saved was. newWorld, p and o are what they were then, but for the bound of states,
// which may be another: else the error wraps ErrOther. One of a file that was not written to its end, or was changed
// since, wraps ErrDamaged.
func Resume(saved []byte, newWorld func() *sim.World, p *sim.Params, o Options) (*Search, error) {
	size := len(saved) - 8
	switch {
	case size < len(Magic) || string(saved[:len(Magic)]) != Magic:
		return nil, fmt.Errorf("%w: it does not begin as one of this version", ErrDamaged)
	case crc64.Checksum(saved[:size], checksums) != binary.LittleEndian.Uint64(saved[size:]):
		return nil, fmt.Errorf("%w: its checksum is another", ErrDamaged)
	}
	s := New(newWorld, p, o)
	d := &reader{src: saved[len(Magic):size]}
	if err := s.identify(d); err != nil {
		return nil, err
	}
	r := &s.report
	for _, v := range []*uint64{&r.Steps, &r.Ends, &r.Pruned, &r.Asleep} {
		*v = d.uint(math.MaxUint64)
	}
	r.Depth = int(d.uint(MaxDepth))
	r.Met, r.Encoding, s.cut = d.uint(math.MaxUint64), d.uint(math.MaxUint64), d.uint(1) != 0
	d.ways(&s.root.ways)
	frames := int(d.uint(MaxDepth))
	for i := range frames {
		s.grow(i)
		d.frame(&s.path[i])
	}
	d.table(&s.table)
	if d.failed || len(d.src) > 0 {
		return nil, ErrDamaged
	}
	return s, s.rebuild(frames)
}

// identify compares what saved is of with what goes on.
func (s *Search) identify(d *reader) error {
	scope, build, depth, reductions := d.string(), d.uint(math.MaxUint64), d.uint(MaxDepth), d.uint(3)
	switch {
	case d.failed:
		return ErrDamaged
	case scope != s.p.Scenario:
		return fmt.Errorf("%w: of scope %q, not of %q", ErrOther, scope, s.p.Scenario)
	case depth != uint64(s.o.DepthMax) || reductions != s.reductions():
		return fmt.Errorf("%w: of another depth or reduction", ErrOther)
	case build != s.o.Build:
		return fmt.Errorf("%w: of a build that behaves differently, %016x and not %016x", ErrOther, build, s.o.Build)
	}
	return nil
}

// rebuild makes the worlds of the path again, by their answers.
func (s *Search) rebuild(frames int) error {
	var replay choice.Replay
	for i := range frames {
		f := &s.path[i]
		if i == 0 {
			s.root.ways.asked = 0
			s.root.begin()
			f.world.Reset(s.p, &s.root)
		} else {
			from := &s.path[i-1]
			replay.Reset(from.ways.taken())
			f.world.CopyFrom(from.world)
			f.world.SetSource(&replay)
			if !f.world.Step() || f.world.Failure() != nil || replay.Divergence() != nil || replay.Left() != 0 {
				return fmt.Errorf("%w: its path does not exist here", ErrOther)
			}
		}
		f.key = s.keyOf(f.world)
		if at := s.table.find(f.key); s.table.slots[at] != f.key|onPath {
			return fmt.Errorf("%w: its path leads to other states here", ErrOther)
		}
		f.rest.world, f.rest.slots = f.world, f.world.Enabled(f.rest.slots[:0])
	}
	s.depth = frames - 1
	return nil
}

// writer appends the parts of a saved search.
type writer struct{ dst []byte }

func (e *writer) uint(v uint64) { e.dst = binary.AppendUvarint(e.dst, v) }

func (e *writer) string(v string) {
	e.uint(uint64(len(v)))
	e.dst = append(e.dst, v...)
}

func (e *writer) ways(y *ways) {
	e.uint(flag(y.begun))
	e.uint(uint64(y.asked))
	e.uint(uint64(len(y.picks)))
	for _, p := range y.picks {
		e.string(p.Name)
		e.uint(uint64(p.N))
		e.uint(uint64(p.Answer))
	}
}

func (e *writer) frame(f *frame) {
	e.ways(&f.ways)
	r := &f.rest
	e.uint(uint64(r.slot + 1))
	e.uint(flag(r.pruned))
	e.uint(r.asleep)
	e.uint(r.done)
	for _, p := range r.parts {
		e.uint(uint64(p))
	}
}

func (e *writer) table(t *table) {
	e.uint(uint64(len(t.slots)))
	e.uint(uint64(t.used))
	e.uint(flag(len(t.depth) > 0))
	for i, k := range t.slots {
		if k == 0 {
			continue
		}
		e.dst = binary.LittleEndian.AppendUint64(e.dst, k)
		if len(t.depth) > 0 {
			e.dst = binary.LittleEndian.AppendUint16(e.dst, t.depth[i])
		}
	}
}

// reader takes them apart. What it returns once it has failed means nothing.
type reader struct {
	src    []byte
	failed bool
}

// uint is a number of at most that.
func (d *reader) uint(most uint64) uint64 {
	v, n := binary.Uvarint(d.src)
	if n <= 0 || v > most {
		d.src, d.failed = nil, true
		return 0
	}
	d.src = d.src[n:]
	return v
}

func (d *reader) bytes(n int) []byte {
	if n > len(d.src) {
		d.src, d.failed = nil, true
		return nil
	}
	b := d.src[:n]
	d.src = d.src[n:]
	return b
}

func (d *reader) string() string { return string(d.bytes(int(d.uint(namesMax)))) }

func (d *reader) ways(y *ways) {
	y.begun = d.uint(1) != 0
	y.asked = int(d.uint(questionsMax))
	n := int(d.uint(questionsMax))
	y.picks = y.picks[:0]
	for range n {
		name := d.string()
		p := choice.Pick{Name: name, N: int(d.uint(math.MaxInt32))}
		p.Answer = int(d.uint(uint64(max(1, p.N)) - 1))
		y.picks = append(y.picks, p)
	}
	if y.asked > n {
		y.asked, d.failed = 0, true
	}
}

func (d *reader) frame(f *frame) {
	d.ways(&f.ways)
	r := &f.rest
	r.slot = int(d.uint(slotsMax)) - 1
	r.pruned = d.uint(1) != 0
	r.asleep, r.done = d.uint(math.MaxUint64), d.uint(math.MaxUint64)
	for i := range r.parts {
		r.parts[i] = sim.Parts(d.uint(math.MaxUint64))
	}
}

func (d *reader) table(t *table) {
	slots, used := int(d.uint(1<<40)), int(d.uint(1<<40))
	withDepth := d.uint(1) != 0
	size := 8
	if withDepth {
		size += 2
	}
	// Tables are as large as visit makes them: what is not so is not one, and would take any amount of memory.
	if slots&(slots-1) != 0 || slots < slotsMin || used > slots/4*3 || slots > slotsMin && used < slots/8*3 || used*size != len(d.src) {
		d.src, d.failed = nil, true
		return
	}
	t.resize(slots)
	t.depth, t.used = nil, used
	if withDepth {
		t.depth = make([]uint16, slots)
	}
	for range used {
		k := binary.LittleEndian.Uint64(d.bytes(8))
		at := t.find(k &^ onPath)
		t.slots[at] = k
		if withDepth {
			t.depth[at] = binary.LittleEndian.Uint16(d.bytes(2))
		}
	}
}

func flag(on bool) uint64 {
	if on {
		return 1
	}
	return 0
}
