package client

import (
	"context"
	"net"
	"sync"
	"time"

	"ticketing/client/demux"
)

// link is one generation's connection: a writer, which dials first and ends last, and a reader. They post events to the
// loop and know nothing of what they carry.
//
// The loop reads and writes the first fields only. The writer posts at most one linkOpened, one linkWrote for
// each slice that it took, and one linkEnded, the very last. A slice that it did not take stays in writes.
type link struct {
	gen     demux.Generation
	addr    int
	conn    net.Conn // once opened
	writing bool     // a write was handed over and is not answered
	closed  bool     // the machine closed it

	events   chan<- event
	writes   chan []byte   // holds one
	consumed chan struct{} // holds one: the loop is done with the slice that the reader posted
	stall    time.Duration
	ctx      context.Context // done: dial no more, write no more
	cancel   context.CancelFunc
}

// readBuffer is how much a reader takes at once: some hundred replies.
const readBuffer = 16 << 10

// buffers are the readers' buffers, kept from one connection to the next.
var buffers = sync.Pool{New: func() any { return new([readBuffer]byte) }}

func newLink(s *shell, gen demux.Generation, addr int) *link {
	l := &link{
		gen: gen, addr: addr, events: s.events, stall: s.o.WriteStall,
		writes: make(chan []byte, 1), consumed: make(chan struct{}, 1),
	}
	l.ctx, l.cancel = context.WithCancel(context.Background())
	return l
}

// stop makes the link end soon: it interrupts the dial, or closes the connection, which unblocks reader and writer.
func (l *link) stop(conn net.Conn) {
	l.cancel()
	if conn != nil {
		conn.Close()
	}
}

// serve is the writer: the life of a link.
func (l *link) serve(dial func(ctx context.Context, addr string) (net.Conn, error), addr string) {
	conn, err := dial(l.ctx, addr)
	if err == nil {
		err = l.carry(conn)
	}
	l.cancel()
	l.events <- event{kind: linkEnded, link: l, err: err}
}

// carry writes what the loop hands over until the link is to end, and returns why the reader ended.
func (l *link) carry(conn net.Conn) error {
	l.events <- event{kind: linkOpened, link: l, conn: conn}
	ended := make(chan error, 1)
	go func() {
		err := l.read(conn)
		l.stop(conn)
		ended <- err
	}()
	for {
		select {
		case data := <-l.writes:
			// The machine closes a write that stalls. The deadline here holds even if the loop is late.
			err := conn.SetWriteDeadline(time.Now().Add(l.stall))
			n := 0
			if err == nil {
				n, err = conn.Write(data)
			}
			l.events <- event{kind: linkWrote, link: l, n: n, failed: err != nil}
		case <-l.ctx.Done():
			conn.Close()
			return <-ended
		}
	}
}

// read posts what arrives, one slice at a time: the loop is done with one before the next is read, so that a peer that
// floods is slowed down by its own flow control.
func (l *link) read(conn net.Conn) error {
	buf := buffers.Get().(*[readBuffer]byte)
	defer buffers.Put(buf)
	for {
		n, err := conn.Read(buf[:])
		if n > 0 {
			l.events <- event{kind: linkRead, link: l, data: buf[:n]}
			<-l.consumed
		}
		if err != nil {
			return err
		}
	}
}
