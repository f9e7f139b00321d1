package sim

import (
	"bytes"

	"ticketing/client/demux"
	"ticketing/client/wire"
	"ticketing/network"
	"ticketing/sim/choice"
	"ticketing/sim/clock"
)

// client is one client process: a core, its clock, and the driver between the core and the network. The driver does what
// the shell of the shipping client does, and tells the facts.
type client struct {
	core    demux.Core
	clock   clock.Local
	links   []link
	seen    demux.Time       // the latest reading that the core was fed: it goes on from there after a jump back
	refused demux.Generation // a dial for which the network had no room; closed alone
	life    uint8            // how often the process was started anew: each time it has a prefix of its own
	shut    bool             // Close was called
	over    bool             // Close has settled
	calm    int              // callers that are done
}

// link is a place for a connection as its driver sees it. A core has few at a time, most of them closing.
type link struct {
	gen     demux.Generation // 0: the place is free
	conn    network.Conn
	opened  bool
	closed  bool    // the core closed it: what arrives is fed in, and no reply any more
	deaf    bool    // a closing frame was read: what follows is no reply
	writing bool    // a write is unanswered
	frames  []frame // of the unanswered write
	carry   []byte  // a frame that is not complete yet
}

// frame is one request in a write, up to its end.
type frame struct {
	verb  wire.Op
	key   int16
	end   int32
	wait  uint32
	lease uint32
	owner Owner
	token uint64
}

// newInput is the place of the next input, of which the kind is set; feed feeds it. See begin.
func (w *World) newInput(kind demux.InputKind) *demux.Input {
	w.input = demux.Input{}
	w.input.Kind = kind
	return &w.input
}

// feed gives the core of client c the input that was made last and performs the effects.
func (w *World) feed(c int) {
	cl := &w.clients[c]
	now := w.local(c)
	cl.seen = max(cl.seen, now)
	effects := cl.core.Step(now, &w.input)
	for i := range effects {
		w.perform(c, &effects[i])
	}
	f := w.begin(FactStepped)
	f.Client, f.N = int16(c), int(max(1, cl.core.Deadline()))
	w.tell()
	w.armClient(c)
}

func (w *World) local(c int) demux.Time {
	return demux.Time(w.clients[c].clock.Local(w.q.Now()))
}

func (w *World) armClient(c int) {
	cl := &w.clients[c]
	deadline := cl.core.Deadline()
	if deadline == demux.Never {
		w.q.Clear(w.slot.client + c)
		return
	}
	at := max(cl.clock.World(clock.Time(deadline)), w.q.Now())
	w.q.Set(w.slot.client+c, at, at+w.p.TimerLag)
}

func (w *World) perform(c int, e *demux.Effect) {
	switch e.Kind {
	case demux.EffectDial:
		w.dial(c, e)
	case demux.EffectWrite:
		w.clientWrite(c, e)
	case demux.EffectClose:
		w.clientClose(c, e)
	case demux.EffectComplete:
		w.completed(c, e)
	default:
		panic(Misuse("a core asks for an effect that is not one"))
	}
}

func (w *World) dial(c int, e *demux.Effect) {
	cl := &w.clients[c]
	w.emit(Fact{Kind: FactDial, Client: int16(c), Gen: e.Gen, N: e.Addr})
	if e.Addr < 0 || e.Addr >= len(w.service.Nodes) {
		panic(Misuse("a core dials an address that is not configured"))
	}
	conn, ok := w.net.Dial(&w.q, w.src, w.hostOf(c), network.Host(e.Addr))
	if !ok {
		w.count(CountNoRoom)
		cl.refused = e.Gen
		w.q.Set(w.slot.refused+c, w.q.Now(), w.q.Now()+clock.Millisecond)
		return
	}
	w.service.Begin(int32(conn), int16(e.Addr))
	w.dialers[conn] = int16(c)
	l := w.linkOf(c, 0)
	if l == nil {
		panic(Misuse("a core has more connections than MaxClosing"))
	}
	// A place keeps its buffers from one connection to the next.
	*l = link{gen: e.Gen, conn: conn, frames: l.frames[:0], carry: l.carry[:0]}
}

func (w *World) clientWrite(c int, e *demux.Effect) {
	l := w.linkOf(c, e.Gen)
	if l == nil || l.closed || l.writing {
		panic(Misuse("a core writes on a connection that is not open, or before its last write is answered"))
	}
	l.writing, l.frames = true, l.frames[:0]
	for at := 0; at < len(e.Data); {
		at += w.asked(e.Data[at:])
		l.frames = append(l.frames, w.frameOf(&w.read, at))
		f := &l.frames[len(l.frames)-1]
		w.emitFrame(FactHanded, c, l.gen, f)
		if f.verb == wire.OpAcquire {
			w.movedOn(f.owner, f.lease, phaseWriting)
		}
	}
	f := w.begin(FactWrite)
	f.Client, f.Gen, f.Data = int16(c), e.Gen, e.Data
	w.tell()
	w.net.Write(&w.q, w.src, l.conn, network.Dialer, e.Data)
}

// asked reads the frame at the head of a write, and returns its length. Where there is none, all of it is one frame that
// nobody knows, and so is an H with another credential.
func (w *World) asked(data []byte) int {
	r := &w.read
	ok := r.read(data, &asks)
	if !ok || r.length == 0 || r.op == wire.OpHello && string(r.word) != w.p.Core.Credential {
		*r = reading{length: len(data)}
	}
	return r.length
}

func (w *World) frameOf(r *reading, end int) frame {
	f := frame{verb: r.op, key: -1, end: int32(end), wait: r.wait, lease: r.lease, token: r.token, owner: Owner{Client: NoClient}}
	if r.op == wire.OpAcquire || r.op == wire.OpRelease {
		f.key = w.keyOf(r.key)
	}
	if r.op == wire.OpAcquire {
		f.owner = w.ownerOf(r.owner)
	}
	return f
}

func (w *World) emitFrame(kind FactKind, c int, gen demux.Generation, f *frame) {
	told := w.begin(kind)
	told.Client, told.Gen, told.Verb, told.Key, told.Token = int16(c), gen, f.verb, f.key, f.token
	told.Owner, told.Wait, told.Lease = f.owner, f.wait, f.lease
	w.tell()
}

func (w *World) clientClose(c int, e *demux.Effect) {
	w.emit(Fact{Kind: FactClose, Client: int16(c), Gen: e.Gen, Reason: e.Reason})
	l := w.linkOf(c, e.Gen)
	switch {
	case l != nil && !l.closed:
		l.closed = true
		w.net.Close(&w.q, w.src, l.conn, network.Dialer)
	case l == nil && w.clients[c].refused == e.Gen:
		// Its end is on the way.
	default:
		panic(Misuse("a core closes a connection that is not dialling or open"))
	}
}

// wrote tells the core how its write ended, and the facts how each frame did.
func (w *World) wrote(c int, l *link, n int, failed bool) {
	l.writing = false
	start := 0
	for i := range l.frames {
		kind, phase := FactAccepted, phaseSent
		if n <= start {
			kind, phase = FactRefused, phaseBefore
		}
		if f := &l.frames[i]; f.verb == wire.OpAcquire {
			w.wroteOn(f, phase)
		}
		w.emitFrame(kind, c, l.gen, &l.frames[i])
		start = int(l.frames[i].end)
	}
	f := w.begin(FactWrote)
	f.Client, f.Gen, f.N, f.Flag = int16(c), l.gen, n, failed
	w.tell()
	l.frames = l.frames[:0]
	in := w.newInput(demux.InputWrote)
	in.Gen, in.N, in.Failed = l.gen, n, failed
	w.feed(c)
}

// received tells the core what arrived, and the facts which replies are in it.
func (w *World) received(c int, l *link, data []byte) {
	f := w.begin(FactReceived)
	f.Client, f.Gen, f.Data = int16(c), l.gen, data
	w.tell()
	if !l.closed && !l.deaf {
		w.readReplies(c, l, data)
	}
	in := w.newInput(demux.InputReceived)
	in.Gen, in.Data = l.gen, data
	w.feed(c)
}

func (w *World) readReplies(c int, l *link, data []byte) {
	l.carry = append(l.carry, data...)
	at := 0
	r := &w.read
	for !l.deaf {
		if !r.read(l.carry[at:], &answers) {
			l.deaf = true
			w.emit(Fact{Kind: FactReply, Client: int16(c), Gen: l.gen, Key: -1})
			break
		}
		if r.length == 0 {
			break
		}
		at += r.length
		f := w.begin(FactReply)
		f.Client, f.Gen, f.Verb, f.Key, f.Token, f.Lease = int16(c), l.gen, r.op, w.keyOf(r.key), r.token, r.lease
		f.Owner.Client, f.Data = NoClient, r.word
		switch r.op {
		case wire.OpGranted, wire.OpTimedOut, wire.OpBusy:
			f.Owner = w.ownerOf(r.owner)
			f.Flag = bytes.HasPrefix(r.owner, []byte(w.prefixOf(c)))
		case wire.OpMoved, wire.OpError:
			l.deaf = true
		}
		w.tell()
	}
	l.carry = l.carry[:copy(l.carry, l.carry[at:])]
}

// opened tells the core that its dial succeeded.
func (w *World) opened(c int, l *link) {
	l.opened = true
	w.emit(Fact{Kind: FactOpened, Client: int16(c), Gen: l.gen})
	w.newInput(demux.InputOpened).Gen = l.gen
	w.feed(c)
}

// ended tells the core that a connection is gone. A dial that was given up may have succeeded meanwhile.
func (w *World) ended(c int, gen demux.Generation) {
	if l := w.linkOf(c, gen); l != nil {
		if l.closed && !l.opened && w.chance(labelLateOpen, w.p.LateOpenOdds) {
			w.count(CountLateOpen)
			w.opened(c, l)
		}
		*l = link{frames: l.frames[:0], carry: l.carry[:0]}
	} else {
		w.clients[c].refused = 0
	}
	w.emit(Fact{Kind: FactClosed, Client: int16(c), Gen: gen})
	w.newInput(demux.InputClosed).Gen = gen
	w.feed(c)
}

// linkOf is the place of a generation, or, for generation 0, one that is free.
func (w *World) linkOf(c int, gen demux.Generation) *link {
	for i := range w.clients[c].links {
		if l := &w.clients[c].links[i]; l.gen == gen {
			return l
		}
	}
	return nil
}

func (w *World) linkOn(c int, conn network.Conn) *link {
	for i := range w.clients[c].links {
		if l := &w.clients[c].links[i]; l.gen != 0 && l.conn == conn {
			return l
		}
	}
	return nil
}

var labelLateOpen = choice.Label{Stream: choice.Network, Name: "client.late-open"}
