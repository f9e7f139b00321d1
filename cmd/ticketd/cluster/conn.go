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
	node    int
	greeted bool
	over    bool // nothing is read or answered any more
	leaving bool // what is in out is the last
	touched bool // in Cluster.touched
	out     []byte
	wake    chan struct{} // holds one: out or leaving has changed
}

// Bounds of a connection.
const (
	readBuffer = 16 << 10
	outMax     = 4 << 20         // answers that the client does not take; beyond it is hung up
	writeStall = 5 * time.Second // for one write
)

func (c *Cluster) accept(node int, l net.Listener) {
	defer c.wg.Done()
	for {
		n, err := l.Accept()
		if err != nil {
			c.mu.Lock()
			over := c.closed
			c.mu.Unlock()
			if over {
				return
			}
			time.Sleep(10 * time.Millisecond) // no descriptor is free, as a rule
			continue
		}
		c.open(node, n)
	}
}

func (c *Cluster) open(node int, n net.Conn) {
	c.mu.Lock()
	defer c.flush()
	if c.closed {
		n.Close()
		return
	}
	k := &conn{net: n, node: node, wake: make(chan struct{}, 1)}
	full := len(c.conns) >= c.o.ConnsMax
	c.conns[k] = struct{}{}
	c.wg.Add(2)
	go c.read(k)
	go c.write(k)
	if full {
		c.refuse(k, "not_active")
	}
}

// read executes what arrives, all frames of a read under one hold of the mutex.
func (c *Cluster) read(k *conn) {
	defer c.wg.Done()
	buf := make([]byte, readBuffer)
	held := 0
	for {
		n, err := k.net.Read(buf[held:])
		held += n
		used, ok := c.execute(k, buf[:held])
		if err != nil || !ok {
			break
		}
		held = copy(buf, buf[used:held])
	}
	c.mu.Lock()
	k.over, k.leaving = true, true
	c.touch(k)
	c.flush()
}

// execute takes the whole frames at the head of buf. It says how long they are, and whether to read on.
func (c *Cluster) execute(k *conn, buf []byte) (used int, ok bool) {
	c.mu.Lock()
	defer c.flush()
	for !k.over {
		var r wire.Request
		n, err := wire.ParseRequest(buf[used:], &r)
		switch {
		case err != nil:
			c.refuse(k, "protocol")
		case n == 0:
			return used, true
		default:
			used += n
			c.request(k, &r)
		}
	}
	return used, false
}

func (c *Cluster) request(k *conn, r *wire.Request) {
	switch {
	case (r.Op == wire.OpHello) == k.greeted:
		c.refuse(k, "protocol")
	case r.Op == wire.OpHello:
		k.greeted = true
		if string(r.Credential) != c.o.Credential {
			c.refuse(k, wire.CodeAuthFailed)
		}
	case c.leader != k.node:
		c.sendAway(k)
	case r.Op == wire.OpAcquire:
		c.acquire(k, r)
	default:
		c.release(k, r)
	}
}

// refuse answers E and hangs up.
func (c *Cluster) refuse(k *conn, code string) {
	c.reply(k, wire.AppendError(k.out, code, ""))
	k.over, k.leaving = true, true
}

// sendAway names the leader and hangs up.
func (c *Cluster) sendAway(k *conn) {
	if k.over {
		return
	}
	if c.leader < 0 {
		c.refuse(k, wire.CodeNoLeader)
		return
	}
	c.reply(k, wire.AppendMoved(k.out, c.o.Addrs[c.leader]))
	k.over, k.leaving = true, true
}

// reply takes out, which is k's with a frame appended.
func (c *Cluster) reply(k *conn, out []byte) {
	if k.over {
		return
	}
	k.out = out
	if len(out) > outMax {
		k.over, k.leaving = true, true
	}
	c.touch(k)
}

func (c *Cluster) touch(k *conn) {
	if !k.touched {
		k.touched = true
		c.touched = append(c.touched, k)
	}
}

// flush wakes the writers that have something to do, and lets go of the mutex.
func (c *Cluster) flush() {
	for i, k := range c.touched {
		k.touched = false
		select {
		case k.wake <- struct{}{}:
		default:
		}
		c.touched[i] = nil
	}
	c.touched = c.touched[:0]
	c.mu.Unlock()
}

// write writes what is in out, until the connection is over and all is written, or cannot be.
func (c *Cluster) write(k *conn) {
	defer c.wg.Done()
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
	c.mu.Lock()
	k.over = true
	delete(c.conns, k)
	c.mu.Unlock()
}
