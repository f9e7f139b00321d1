package sim

import (
	"encoding/binary"
	"math/bits"

	"ticketing/sim/clock"
)

// log is what is kept of the facts of a run: their hash, and, where asked for, their text and a history.
type log struct {
	events int64
	idle   int64 // of those
	told   int64 // facts
	hash   uint64
	trace  func(*Fact)
	record *Recorder
}

func (l *log) reset() {
	l.events, l.idle, l.told, l.hash = 0, 0, 0, 0x9e3779b97f4a7c15
	if l.record != nil {
		l.record.Reset()
	}
}

// SetTrace makes every fact go to trace as it happens; nil ends that. The fact is only valid during the call.
func (w *World) SetTrace(trace func(*Fact)) { w.log.trace = trace }

// SetRecorder makes r record the history from the next Reset on; nil ends that.
func (w *World) SetRecorder(r *Recorder) { w.log.record = r }

// TakeLog makes w go on with the log of from, of which it is a clone: its hash, its counts, and who listens. from has none
// any more.
func (w *World) TakeLog(from *World) {
	w.log, w.counts = from.log, from.counts
	from.log = log{}
}

// Hash is the hash of all facts since Reset: equal for equal runs, on every platform.
func (w *World) Hash() uint64 { return w.log.hash }

// begin is the place of the next fact, of which the kind is set; tell tells it. There is one place for all, so that nothing
// escapes, and its fields are set where it stands: a copy would have to wait for each of the small writes just made.
func (w *World) begin(kind FactKind) *Fact {
	w.fact = Fact{}
	w.fact.Kind = kind
	return &w.fact
}

// emit tells a fact that is rare enough to be copied.
func (w *World) emit(fact Fact) {
	w.fact = fact
	w.tell()
}

// tell tells the fact that was begun.
func (w *World) tell() {
	f := &w.fact
	f.At, f.Event = w.q.Now(), w.log.events
	if f.Kind <= FactStepped {
		f.Local = clock.Time(w.local(int(f.Client)))
	}
	w.log.mix(f)
	for _, a := range w.watchers[f.Kind] {
		a.Observe(f)
	}
	if w.log.record != nil {
		w.log.record.observe(f)
	}
	if w.log.trace != nil {
		w.log.trace(f)
	}
}

// mix adds a fact to the hash: every field, in a fixed order. Fields go in pairs, each pair with numbers of its own: their
// products do not wait for each other, as a chain over the fields would.
func (l *log) mix(f *Fact) {
	l.told++
	flag := uint64(0)
	if f.Flag {
		flag = 1
	}
	what := uint64(f.Event)<<24 ^ uint64(f.Kind)<<16 ^ uint64(f.Verb)<<8 ^ flag
	ended := uint64(f.Outcome)<<56 ^ uint64(f.Cause)<<48 ^ uint64(f.Reason)<<40 ^ uint64(f.N)
	where := uint64(uint16(f.Client))<<48 ^ uint64(uint16(f.Node))<<32 ^ uint64(uint16(f.Conn))<<16 ^ uint64(uint16(f.Key))
	asked := uint64(f.Wait)<<32 ^ uint64(f.Lease)
	whose := uint64(f.Op) ^ uint64(f.Gen)<<32
	owner := f.Owner.N ^ uint64(uint16(f.Owner.Client))<<48
	sum := fold(uint64(f.At)^0x9e3779b97f4a7c15, what^0xd6e8feb86659fd93)
	sum ^= fold(ended^0xa0761d6478bd642f, where^0xe7037ed1a0b428db)
	sum ^= fold(asked^0x8ebc6af09c88c6e3, whose^0x589965cc75374cc3)
	sum ^= fold(f.Token^0x1d8e4e27c47d124f, owner^0xeb44accab455d165)
	data := f.Data
	for len(data) >= 8 {
		sum = fold(sum^binary.LittleEndian.Uint64(data), 0xd6e8feb86659fd93)
		data = data[8:]
	}
	last := uint64(len(f.Data))
	for _, b := range data {
		last = last<<8 | uint64(b)
	}
	l.hash = fold(l.hash^sum, 0x9e3779b97f4a7c15^last)
}

// fold is one round of a multiply-and-fold hash on 64-bit words: it keeps both halves of the product.
func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}
