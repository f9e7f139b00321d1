package sim

import (
	"bytes"
	"strconv"

	"ticketing/client/wire"
	"ticketing/network"
	"ticketing/sim/choice"
	"ticketing/sim/service"
)

// lies are the ways in which a hostile answer differs from the one that an honest service sends.
var lies = [...]func(*World, network.Conn, *wire.Reply, []byte){
	lieDrop, lieTwice, lieOwner, lieKey, lieToken, lieSide, lieUnknown, lieMalformed, lieOversized, lieCutOff, lieCode,
	lieBefore, lieOffList, lieOdd, lieShared, lieAgain,
}

// hostile sends something other than frame, which is what an honest service would have sent.
func (w *World) hostile(c network.Conn, frame []byte) {
	w.liar = append(w.liar[:0], frame...)
	in, r := &w.read, &w.reply
	if !in.read(w.liar, &answers) || in.length != len(w.liar) {
		panic("sim: the service made a frame that is none")
	}
	*r = wire.Reply{Op: in.op, Key: in.key, Owner: in.owner, Token: in.token, Lease: in.lease}
	w.blow(BlowLie, int(w.dialers[c]))
	lies[w.choose(labelLie, len(lies))](w, c, r, w.liar)
}

// forged says that what r names is not to be judged.
func (w *World) forged(c network.Conn, r *wire.Reply) {
	f := Fact{Kind: FactForged, Node: w.service.Sessions[c].Node, Conn: int16(c), Verb: r.Op, Key: w.keyOf(r.Key), Token: r.Token,
		Owner: Owner{Client: NoClient}}
	if len(r.Owner) > 0 {
		f.Owner = w.ownerOf(r.Owner)
	}
	w.emit(f)
}

func lieDrop(w *World, _ network.Conn, _ *wire.Reply, _ []byte) { w.count(CountHostileDrop) }

// lieTwice sends the answer twice. The second is as true as the first, but for R: it may answer a release of the same token
// that is made meanwhile, which released nothing.
func lieTwice(w *World, c network.Conn, r *wire.Reply, frame []byte) {
	w.count(CountHostileTwice)
	if r.Op == wire.OpReleased {
		w.forged(c, r)
	}
	w.write(c, append(append(w.scratch[:0], frame...), frame...))
}

// lieOwner answers another attempt of the same client, or one that nobody made.
func lieOwner(w *World, c network.Conn, r *wire.Reply, frame []byte) {
	if len(r.Owner) == 0 {
		lieToken(w, c, r, frame)
		return
	}
	w.count(CountHostileOwner)
	w.lie = *r
	lie := &w.lie
	w.owner = w.otherOwner(w.owner[:0], w.ownerOf(r.Owner))
	lie.Owner = w.owner
	w.forged(c, r)
	w.forged(c, lie)
	w.write(c, appendReply(w.scratch[:0], lie))
}

// otherOwner renders an owner that is not o: another number, another client, or o in another spelling.
func (w *World) otherOwner(dst []byte, o Owner) []byte {
	same, prefix := o, w.prefixOf(max(0, int(o.Client)))
	switch w.choose(labelOther, 13) {
	case 0:
		o.N++
	case 1:
		o.N = max(1, o.N-1)
	case 2:
		o.N += 1000
	case 3:
		o = Owner{Client: NoClient}
	case 4:
		other := w.prefixes()[(o.Client+1)%MaxClients][0]
		return strconv.AppendUint(append(append(dst, other...), '-'), o.N&ownNumbers, 10)
	case 5:
		return w.appendOwner(append(dst, 'x'), o)
	case 6:
		return strconv.AppendUint(append(append(dst, prefix...), "-0"...), o.N&ownNumbers, 10)
	case 7:
		return strconv.AppendUint(append(append(dst, prefix...), '.'), o.N&ownNumbers, 10)
	case 8:
		return strconv.AppendUint(dst, o.N&ownNumbers, 10)
	case 9:
		return append(dst, prefix...)
	case 10:
		return append(append(dst, prefix...), '-')
	case 11: // the number that is the same in 64 bits
		return strconv.AppendUint(append(append(dst, prefix...), "-184467440737095"...), 51616+o.N&ownNumbers, 10)
	default:
		return strconv.AppendUint(append(append(dst, prefix...), "-000000000000000000000000"...), o.N&ownNumbers, 10)
	}
	if o == same {
		o.N += 2
	}
	return w.appendOwner(dst, o)
}

// lieKey answers for another key.
func lieKey(w *World, c network.Conn, r *wire.Reply, _ []byte) {
	w.count(CountHostileKey)
	w.lie = *r
	lie := &w.lie
	lie.Key = append(w.owner[:0], w.p.Keys[w.choose(labelKeyLie, len(w.p.Keys))]...)
	if bytes.Equal(lie.Key, r.Key) {
		lie.Key = append(lie.Key, 'x')
	}
	w.owner = lie.Key[:0]
	w.forged(c, r)
	w.forged(c, lie)
	w.write(c, appendReply(w.scratch[:0], lie))
}

// lieToken names another token; an answer without one is sent as it is, and once more with another op.
func lieToken(w *World, c network.Conn, r *wire.Reply, frame []byte) {
	if r.Token == 0 {
		lieSide(w, c, r, frame)
		return
	}
	w.count(CountHostileToken)
	w.lie = *r
	lie := &w.lie
	switch w.choose(labelTokenLie, 3) {
	case 0:
		lie.Token++
		w.service.Token = max(w.service.Token, lie.Token) // a token that is not to be granted any more (a-final)
	case 1:
		lie.Token = max(1, r.Token-1)
	default:
		lie.Token = farToken(r.Token)
	}
	w.forged(c, r)
	w.forged(c, lie)
	w.write(c, appendReply(w.scratch[:0], lie))
}

// farToken is far from token. It leaves room above for all that a world grants: tokens must not run over.
func farToken(token uint64) uint64 {
	if token < 1<<62 {
		return token + 1<<62
	}
	return token / 2
}

// lieSide answers the other side: T or B to a grant, R to an N, N to an R, and the release side to an acquire.
func lieSide(w *World, c network.Conn, r *wire.Reply, _ []byte) {
	w.count(CountHostileSide)
	w.lie = *r
	lie := &w.lie
	switch r.Op {
	case wire.OpGranted:
		lie.Op = [...]wire.Op{wire.OpTimedOut, wire.OpBusy, wire.OpReleased}[w.choose(labelSideLie, 3)]
	case wire.OpTimedOut:
		lie.Op = wire.OpBusy
	case wire.OpBusy:
		lie.Op = wire.OpTimedOut
	case wire.OpReleased:
		lie.Op = wire.OpNotFound
	case wire.OpNotFound:
		lie.Op = wire.OpReleased
	}
	w.forged(c, r)
	w.forged(c, lie)
	w.write(c, appendReply(w.scratch[:0], lie))
}

func lieUnknown(w *World, c network.Conn, _ *wire.Reply, frame []byte) {
	w.count(CountHostileUnknown)
	w.write(c, append(append(append(w.scratch[:0], 'Z'), frame[1:]...), frame...))
}

func lieMalformed(w *World, c network.Conn, _ *wire.Reply, frame []byte) {
	w.count(CountHostileMalformed)
	bad := append(w.scratch[:0], frame[:len(frame)-1]...)
	switch w.choose(labelBad, 4) {
	case 0:
		bad = append(bad, '\r')
	case 1:
		bad = append(bad, " 7"...)
	case 2:
		bad = append(bad, ' ')
	default:
		for i, b := range bad { // in place, for bad is the scratch
			if 'A' <= b && b <= 'Z' {
				bad[i] = b + 'a' - 'A'
			}
		}
	}
	w.write(c, append(append(bad, '\n'), frame...))
}

// lieOversized sends a line that is one shorter than the greatest length, as long, or one longer, or as much without an end:
// a byte less than would do, or all it takes. Text makes E as long as it likes.
func lieOversized(w *World, c network.Conn, _ *wire.Reply, frame []byte) {
	w.count(CountHostileOversized)
	way := w.choose(labelSize, 5)
	size := lineMax - 1 + way%3
	bad := append(w.scratch[:0], "E long "...)
	for len(bad) < size-1 {
		bad = append(bad, 'x')
	}
	if way > 2 {
		w.write(c, append(bad, 'x'))
		return
	}
	w.write(c, append(append(bad, '\n'), frame...))
}

func lieCutOff(w *World, c network.Conn, _ *wire.Reply, frame []byte) {
	w.count(CountHostileCutOff)
	w.write(c, append(w.scratch[:0], frame[:1+w.choose(labelCutOff, len(frame)-1)]...))
	w.hangUp(c)
}

func lieCode(w *World, c network.Conn, _ *wire.Reply, frame []byte) {
	w.count(CountHostileCode)
	code := [...]string{"internal", "no_leader", "not_active", "auth_failed", "NO_LEADER"}[w.choose(labelCode, 5)]
	w.write(c, append(wire.AppendError(w.scratch[:0], code, ""), frame...))
}

// lieBefore sends a frame that changes nothing, or one that nobody waits for, and then the answer.
func lieBefore(w *World, c network.Conn, r *wire.Reply, frame []byte) {
	w.count(CountHostileBefore)
	addr := w.p.Core.Addrs[w.choose(labelSays, len(w.service.Nodes))]
	w.write(c, append(wire.AppendNotice(w.scratch[:0], addr), frame...))
}

func lieOffList(w *World, c network.Conn, _ *wire.Reply, frame []byte) {
	w.count(CountHostileOffList)
	own := w.p.Core.Addrs[w.service.Sessions[c].Node] // on the list, and yet no hint here
	addr := [...]string{"evil:1", "N0:1", "n0:01", "n0:1.", "[n0]:1", own}[w.choose(labelOffList, 6)]
	if w.choose(labelSideLie, 2) == 0 {
		w.write(c, append(wire.AppendNotice(w.scratch[:0], addr), frame...))
		return
	}
	w.write(c, append(wire.AppendMoved(w.scratch[:0], addr), frame...))
}

// stray sends a grant that nobody asked for to one of the clients.
func (w *World) stray() {
	for i := range w.service.Sessions {
		if s := &w.service.Sessions[i]; s.Open && s.Hello && !w.nodeSleeps(s.Node) && w.choose(labelWhom, 2) == 0 {
			w.strayOn(network.Conn(i))
			return
		}
	}
}

// strayAnswer answers a release that is under way, or was, or will be: that of an orphan which waits for a write, perhaps.
func (w *World) strayAnswer(c network.Conn) {
	w.count(CountStrayAnswer)
	s := &w.service
	w.lie = wire.Reply{Op: [...]wire.Op{wire.OpNotFound, wire.OpReleased}[w.choose(labelSideLie, 2)]}
	lie := &w.lie
	w.liar = append(w.liar[:0], w.p.Keys[w.choose(labelKeyLie, len(w.p.Keys))]...)
	lie.Key, lie.Token = w.liar, s.Token-uint64(w.choose(labelOldToken, int(min(s.Token-w.p.Service.FirstToken, 8))))
	w.forged(c, lie)
	w.write(c, appendReply(w.scratch[:0], lie))
}

// strayOn sends a grant that nobody asked for, for an owner that opens like one of the client's.
func (w *World) strayOn(c network.Conn) {
	if w.service.Token > w.p.Service.FirstToken && w.chance(labelAnswers, w.p.Service.Hostile.AnswerOdds) {
		w.strayAnswer(c)
		return
	}
	w.count(CountStrayGrant)
	w.blow(BlowLie, int(w.dialers[c]))
	client := w.dialers[c]
	key := w.choose(labelKeyLie, len(w.p.Keys))
	w.liar = append(w.liar[:0], w.p.Keys[key]...)
	w.lie = wire.Reply{Op: wire.OpGranted, Key: w.liar, Lease: w.p.Caller.LeaseMin}
	lie := &w.lie
	if w.choose(labelLong, 4) != 0 {
		lie.Lease = 60_000 // its release stays on the lane
	}
	o := Owner{Client: client, N: uint64(w.clients[client].life)<<lifeShift + 1 + uint64(w.choose(labelWhose, 4))}
	s := &w.service
	l := s.Lock(int32(key))
	switch way := w.choose(labelTokenLie, 3); {
	case l.Held && way == 0:
		lie.Token = l.Token // a lock in use: to release it would free it under its holder
		o.N += 5000
	case way == 2 && s.Token > w.p.Service.FirstToken:
		// One that was given out before: it may be held, forgotten, on its way back, or be on the lane.
		lie.Token = s.Token - uint64(w.choose(labelOldToken, int(min(s.Token-w.p.Service.FirstToken, 8))))
		o.N += 7000
	default:
		s.Token++
		lie.Token = s.Token
		o.N += 6000
	}
	w.owner = w.appendOwner(w.owner[:0], o)
	lie.Owner = w.owner
	w.forged(c, lie)
	w.write(c, appendReply(w.scratch[:0], lie))
}

// lieShared gives a grant to another who waits on the same connection as well, under one token, be it for another key.
func lieShared(w *World, c network.Conn, r *wire.Reply, frame []byte) {
	key, owner, ok := w.another(c)
	if !ok || r.Op != wire.OpGranted {
		lieTwice(w, c, r, frame)
		return
	}
	w.count(CountHostileShared)
	w.lie = *r
	lie := &w.lie
	w.owner = w.appendOwner(append(w.owner[:0], key...), owner)
	lie.Key, lie.Owner = w.owner[:len(key)], w.owner[len(key):]
	w.forged(c, r)
	w.forged(c, lie)
	w.write(c, appendReply(append(w.scratch[:0], frame...), lie))
}

// another is an acquire that waits for an answer on c, queued or not taken up yet.
func (w *World) another(c network.Conn) (key string, owner Owner, ok bool) {
	s := &w.service
	here := service.Address{Conn: int32(c), Life: s.Sessions[c].Life}
	for v := range s.Waiters() {
		if v.Reply == here {
			return w.p.Keys[v.Key], v.Owner, true
		}
	}
	held := s.Nodes[s.Sessions[c].Node].Proposals
	for i := range held {
		if p := &held[i]; p.Reply == here && p.Verb == wire.OpAcquire {
			return w.p.Keys[p.Key], p.Owner, true
		}
	}
	return "", Owner{}, false
}

// lieAgain repeats the grant whose release is answered, for an owner that opens like the client's, and then the answer.
func lieAgain(w *World, c network.Conn, r *wire.Reply, frame []byte) {
	if r.Op != wire.OpReleased && r.Op != wire.OpNotFound {
		lieTwice(w, c, r, frame)
		return
	}
	w.count(CountHostileAgain)
	client := w.dialers[c]
	w.lie = wire.Reply{Op: wire.OpGranted, Key: r.Key, Token: r.Token, Lease: w.p.Caller.LeaseMax}
	lie := &w.lie
	w.owner = w.appendOwner(w.owner[:0], Owner{Client: client, N: uint64(w.clients[client].life)<<lifeShift + 8000})
	lie.Owner = w.owner
	w.forged(c, r)
	w.forged(c, lie)
	w.write(c, append(appendReply(w.scratch[:0], lie), frame...))
}

func appendReply(dst []byte, r *wire.Reply) []byte {
	switch r.Op {
	case wire.OpGranted:
		return wire.AppendGranted(dst, r.Key, r.Owner, r.Token, max(1, r.Lease))
	case wire.OpTimedOut:
		return wire.AppendTimedOut(dst, r.Key, r.Owner)
	case wire.OpBusy:
		return wire.AppendBusy(dst, r.Key, r.Owner)
	case wire.OpReleased:
		return wire.AppendReleased(dst, r.Key, r.Token)
	default:
		return wire.AppendNotFound(dst, r.Key, r.Token)
	}
}

var (
	labelLie      = choice.Label{Stream: choice.Service, Name: "hostile.lie"}
	labelOther    = choice.Label{Stream: choice.Service, Name: "hostile.owner"}
	labelWhose    = choice.Label{Stream: choice.Service, Name: "hostile.whose"}
	labelKeyLie   = choice.Label{Stream: choice.Service, Name: "hostile.key"}
	labelTokenLie = choice.Label{Stream: choice.Service, Name: "hostile.token"}
	labelSideLie  = choice.Label{Stream: choice.Service, Name: "hostile.side"}
	labelBad      = choice.Label{Stream: choice.Service, Name: "hostile.malformed"}
	labelSize     = choice.Label{Stream: choice.Service, Name: "hostile.size"}
	labelCutOff   = choice.Label{Stream: choice.Service, Name: "hostile.cut-off"}
	labelOffList  = choice.Label{Stream: choice.Service, Name: "hostile.off-list"}
	labelLong     = choice.Label{Stream: choice.Service, Name: "hostile.lease"}
	labelAnswers  = choice.Label{Stream: choice.Service, Name: "hostile.answers"}
	labelGreet    = choice.Label{Stream: choice.Service, Name: "hostile.greet"}
	labelOldToken = choice.Label{Stream: choice.Service, Name: "hostile.old-token"}
	labelCode     = choice.Label{Stream: choice.Service, Name: "hostile.code"}
)
