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

// emit tells a fact.
func (w *World) emit(fact Fact) {
	w.fact = fact // one place for all: nothing escapes
	f := &w.fact
	f.At, f.Event = w.q.Now(), w.log.events
	if f.Kind <= FactStepped {
		f.Local = clock.Time(w.local(int(f.Client)))
	}
	w.log.mix(f)
	for _, a := range w.audits {
		a.Observe(f)
	}
	if w.log.record != nil {
		w.log.record.observe(f)
	}
	if w.log.trace != nil {
		w.log.trace(f)
	}
}

// mix adds a fact to the hash: every field, in a fixed order.
func (l *log) mix(f *Fact) {
	l.told++
	h := l.hash
	flag := uint64(0)
	if f.Flag {
		flag = 1
	}
	h = stir(h, uint64(f.At))
	h = stir(h, uint64(f.Event)<<24^uint64(f.Kind)<<16^uint64(f.Verb)<<8^flag)
	h = stir(h, uint64(f.Outcome)<<56^uint64(f.Cause)<<48^uint64(f.Reason)<<40^uint64(f.N))
	h = stir(h, uint64(uint16(f.Client))<<48^uint64(uint16(f.Node))<<32^uint64(uint16(f.Conn))<<16^uint64(uint16(f.Key)))
	h = stir(h, uint64(f.Wait)<<32^uint64(f.Lease))
	h = stir(h, uint64(f.Op)^uint64(f.Gen)<<32)
	h = stir(h, f.Token)
	h = stir(h, f.Owner.N^uint64(uint16(f.Owner.Client))<<48)
	data := f.Data
	for len(data) >= 8 {
		h = stir(h, binary.LittleEndian.Uint64(data))
		data = data[8:]
	}
	last := uint64(len(f.Data))
	for _, b := range data {
		last = last<<8 | uint64(b)
	}
	l.hash = stir(h, last)
}

// stir is one round of a multiply-and-fold hash on 64-bit words.
func stir(h, v uint64) uint64 {
	hi, lo := bits.Mul64(h^v, 0xd6e8feb86659fd93)
	return hi ^ bits.RotateLeft64(lo, 29) ^ h
}
