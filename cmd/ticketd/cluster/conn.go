package cluster

import (
	"net"
	"time"

	"ticketing/client/wire"
)

// conn is a node's end of a connection: a reader, which executes what it reads, and a writer. Its fields but net are
// guarded by the Cluster's mutex.
type conn struct {
	net     net.Conn
	place   int32
	over    bool // nothing is read or answered any more
	leaving bool // what is in out is the last
	touched bool // in Cluster.touched
	out     []byte
	wake    chan struct{} // holds one: out or leaving has changed
}

// Bounds of a connection.
const (
	readBuffer = 8 << 10
	refusedMax = 64              // connections that are told that there are too many; more are closed without a word
	outMax     = 4 << 20         // answers that the client does not take; beyond it is hung up
	writeStall = 5 * time.Second // for one write
)

func (c *Cluster) accept(node int16, l net.Listener) {
	for {
		n, err := l.Accept()
		if err == nil {
			c.open(node, n)
			continue
		}
		c.mu.Lock()
		over := c.closed
		c.mu.Unlock()
		if over {
			return
		}
		time.Sleep(10 * time.Millisecond) // no descriptor is free, as a rule
	}
}

func (c *Cluster) open(node int16, n net.Conn) {
	c.lock()
	defer c.flush()
	last := len(c.places) - 1
	if c.closed || last < 0 {
		n.Close()
		return
	}
	k := &conn{net: n, place: c.places[last], wake: make(chan struct{}, 1)}
	c.places = c.places[:last]
	c.conns[k.place] = k
	c.s.Begin(k.place, node)
	c.s.Open(k.place)
	if last < refusedMax {
		c.s.Fail(c.host(), k.place, wire.CodeNotActive)
	}
	c.wg.Go(func() { c.read(k) })
	c.wg.Go(func() { c.write(k) })
}

// read executes what arrives, all frames of a read under one hold of the mutex.
func (c *Cluster) read(k *conn) {
	buf := make([]byte, readBuffer)
	for {
		n, err := k.net.Read(buf)
		if !c.execute(k, buf[:n], err != nil) {
			return
		}
	}
}

// execute takes what was read, the last of it if ended. It says whether to read on.
func (c *Cluster) execute(k *conn, data []byte, ended bool) bool {
	c.lock()
	defer c.flush()
	if k.over {
		return false // its place may be another's
	}
	c.s.Receive(c.host(), k.place, data)
	if ended && !k.over {
		c.s.Over(c.host(), k.place)
	}
	return !k.over
}

func (c *Cluster) touch(k *conn) {
	if !k.touched {
		k.touched = true
		c.touched = append(c.touched, k)
	}
}

// write writes what is in out, until the connection is over and all is written, or cannot be.
func (c *Cluster) write(k *conn) {
	var mine []byte
	for last := false; !last; {
		<-k.wake
		c.mu.Lock()
		mine, k.out, last = k.out, mine[:0], k.leaving
		c.mu.Unlock()
		if len(mine) == 0 {
			continue
		}
		if k.net.SetWriteDeadline(time.Now().Add(writeStall)) != nil {
			break
		}
		if _, err := k.net.Write(mine); err != nil {
			break
		}
	}
	k.net.Close() // the reader ends too
	c.lock()
	defer c.flush()
	if !k.over {
		c.s.Over(c.host(), k.place)
	}
	c.conns[k.place] = nil
	c.places = append(c.places, k.place)
}
