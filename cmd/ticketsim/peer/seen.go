package peer

import (
	"sync"
	"time"

	"ticketing/client"
	"ticketing/cmd/ticketsim/told"
	"ticketing/model"
)

// Seen is the history that the callers of a world see. It is used once. A nil Seen writes nothing down.
type Seen struct {
	mu     sync.Mutex
	origin time.Time
	seq    int64
	ops    []model.Op
}

// History is what was written down, of the keys of the world. Releases that a client sends for orphans do not show to callers.
func (s *Seen) History(keys []string) *model.History { return &model.History{Keys: keys, Ops: s.ops} }

// stamp is the next place in the history. The lock makes the clock go along with the order.
func (s *Seen) stamp() model.Stamp {
	if s == nil {
		return model.Stamp{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.origin.IsZero() {
		s.origin = time.Now()
	}
	s.seq++
	return model.Stamp{Seq: s.seq, At: int64(time.Since(s.origin))}
}

func (s *Seen) keep(op *model.Op) {
	op.Return = s.stamp()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ops = append(s.ops, *op)
}

func (s *Seen) acquired(called model.Stamp, process, key int, o client.AcquireOptions, g *client.Grant, err error) {
	if s == nil {
		return
	}
	op := model.Op{Kind: model.Acquire, Call: called, Client: int32(process), Key: int32(key), Wait: uint32(o.Wait / time.Millisecond)}
	told.Acquire(&op, g, err)
	s.keep(&op)
}

// released writes down how a grant ended.
func (s *Seen) released(called model.Stamp, process, key int, token uint64, ending client.Ending, err error) {
	if s == nil {
		return
	}
	op := model.Op{Kind: model.Release, Call: called, Client: int32(process), Key: int32(key), Token: token}
	told.Release(&op, ending, err)
	s.keep(&op)
}
