package peer

import (
	"io"
	"net"
	"sync"
	"time"
)

// stream is one direction of a connection: what was written and has not been read. One goroutine reads it.
type stream struct {
	mu     sync.Mutex
	chunks []chunk
	wrote  chan struct{} // holds one: there may be a chunk more
}

// chunk is what one write wrote; without data, the end of the stream.
type chunk struct {
	at   time.Time // when it arrives
	data []byte
}

func newStream() *stream { return &stream{wrote: make(chan struct{}, 1)} }

// write copies b, which arrives after so long, and not before what was written earlier.
func (s *stream) write(b []byte, in time.Duration) {
	c := chunk{at: time.Now().Add(in)}
	if b != nil {
		c.data = append(make([]byte, 0, len(b)), b...)
	}
	s.mu.Lock()
	if n := len(s.chunks); n > 0 && s.chunks[n-1].at.After(c.at) {
		c.at = s.chunks[n-1].at
	}
	s.chunks = append(s.chunks, c)
	s.mu.Unlock()
	select {
	case s.wrote <- struct{}{}:
	default:
	}
}

// read waits for the first chunk and takes what fits of it, until done is closed.
func (s *stream) read(b []byte, done <-chan struct{}) (int, error) {
	for {
		n, in, ok, err := s.take(b)
		if n > 0 || err != nil {
			return n, err
		}
		if !ok {
			select {
			case <-s.wrote:
			case <-done:
				return 0, net.ErrClosed
			}
			continue
		}
		timer := time.NewTimer(in)
		select {
		case <-timer.C:
		case <-done:
			timer.Stop()
			return 0, net.ErrClosed
		}
	}
}

// take takes what has arrived. Otherwise it says whether something is on its way, and how long that takes yet.
func (s *stream) take(b []byte) (n int, in time.Duration, ok bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.chunks) == 0 {
		return 0, 0, false, nil
	}
	c := &s.chunks[0]
	if in := time.Until(c.at); in > 0 {
		return 0, in, true, nil
	}
	if c.data == nil {
		return 0, 0, true, io.EOF
	}
	n = copy(b, c.data)
	if c.data = c.data[n:]; len(c.data) == 0 {
		s.chunks = s.chunks[:copy(s.chunks, s.chunks[1:])]
	}
	return n, 0, true, nil
}
