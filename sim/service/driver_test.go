package service_test

import (
	"fmt"
	"slices"
	"strings"

	"ticketing/client/wire"
	"ticketing/sim/clock"
	"ticketing/sim/service"
)

// keysMax is how many keys there are.
const keysMax = 3

// driver drives a service in one of the two ways in which it is used: as a world does (known: the keys are known before, a
// node holds its proposals until somebody lets it work, and one end at a time is chosen) or as ticketd does (any key, a
// commit at once, and all that is over ends). What it hears is in out.
type driver struct {
	service.Service
	known   bool
	now     clock.Time
	keys    []string // "" is free, unless known
	owners  []string
	yes     map[service.Question]bool
	gap     uint64
	lasts   clock.Time // in place of each lease, unless 0
	denials int
	out     strings.Builder
}

func (d *driver) reset(o service.Options, keys []string) {
	d.keys, d.owners = nil, nil
	o.AnyKey = !d.known
	if d.known {
		d.keys = keys
	}
	o.Keys = len(keys)
	d.now, d.yes, d.gap, d.lasts = 0, map[service.Question]bool{}, 0, 0
	d.Reset(&o)
	d.out.Reset()
}

func (d *driver) say(format string, args ...any) { fmt.Fprintf(&d.out, format+"\n", args...) }

func (d *driver) heard() string {
	defer d.out.Reset()
	return d.out.String()
}

func (d *driver) intern(words *[]string, word string) int {
	i := slices.Index(*words, word)
	if i < 0 {
		if i = slices.Index(*words, ""); i < 0 {
			*words, i = append(*words, ""), len(*words)
		}
		(*words)[i] = word
	}
	return i
}

// Read implements service.Host.
func (d *driver) Read(_ int32, r *wire.Request) (int32, service.Owner) {
	key, owner := int32(slices.Index(d.keys, string(r.Key))), service.Owner{}
	if d.known && r.Op == wire.OpAcquire {
		owner = service.Owner{Client: int16(r.Owner[0]), N: uint64(d.intern(&d.owners, string(r.Owner)))}
	}
	return key, owner
}

// Enter implements service.Host.
func (d *driver) Enter(r *wire.Request, known int32) (int32, service.Owner, bool) {
	if known < 0 {
		if known = int32(d.intern(&d.keys, string(r.Key))); known >= keysMax {
			d.keys = d.keys[:known]
			return 0, service.Owner{}, false
		}
	}
	return known, service.Owner{N: uint64(d.intern(&d.owners, string(r.Owner)))}, true
}

func (d *driver) AppendKey(dst []byte, key int32) []byte { return append(dst, d.keys[key]...) }
func (d *driver) AppendOwner(dst []byte, o service.Owner) []byte {
	return append(dst, d.owners[o.N]...)
}
func (d *driver) Ask(q service.Question) bool { return d.yes[q] }
func (d *driver) Gap() uint64                 { return d.gap }

func (d *driver) Term(_ uint64, lease clock.Time) clock.Time {
	if d.lasts != 0 {
		return d.lasts
	}
	return lease
}

// Tell implements service.Host. What only one of the two ways can know is left out.
func (d *driver) Tell(e *service.Event) {
	over := func() {
		if !d.known {
			d.owners[e.Owner.N] = ""
		}
	}
	switch e.Kind {
	case service.EventProposed:
		if !d.known {
			d.work(e.Node)
		}
	case service.EventQueued:
		d.say("%s waits for %s, %dms", d.owners[e.Owner.N], d.keys[e.Key], e.Asked)
	case service.EventGranted:
		if e.Flag {
			d.say("it is the turn of %s, %dms of %dms", d.owners[e.Owner.N], e.Lease, e.Asked)
		}
		over()
	case service.EventDenied:
		if e.Key >= 0 {
			d.denials++
			d.say("%s is to have no %s", d.owners[e.Owner.N], d.keys[e.Key])
			over()
		} else {
			d.say("there are no more keys")
		}
	case service.EventMissing:
		d.say("there is no grant %d", e.Token)
	case service.EventDied, service.EventLost:
		d.say("%s stops waiting for %s", d.owners[e.Owner.N], d.keys[e.Key])
		over()
	case service.EventFreed:
		if !e.Flag {
			d.say("the lease of %s %d is over", d.keys[e.Key], e.Token)
		}
	case service.EventIdle:
		if !d.known {
			d.keys[e.Key] = ""
		}
	case service.EventGreeted:
		d.say("c%d is known", e.Conn)
	case service.EventRefused:
		d.say("c%d is not known to node %d", e.Conn, e.Node)
	case service.EventUnanswered:
		d.say("an answer has nowhere to go")
	case service.EventDeposed:
		d.say("node %d is deposed", e.Node)
	case service.EventCut:
		d.say("c%d leaves %q unfinished", e.Conn, e.Data)
	case service.EventGarbled:
		d.say("c%d says garbage", e.Conn)
	}
}

func (d *driver) Answer(c int32, frame []byte) {
	d.say("c%d < %s", c, strings.TrimSpace(string(frame)))
}
func (d *driver) Write(c int32, frame []byte) { d.Answer(c, frame) }
func (d *driver) Close(c int32)               { d.say("c%d is left", c) }

// work lets a node work. What it denies is what it says it denies.
func (d *driver) work(n int16) {
	denials := d.denials
	p, denied := d.Work(d, d.now, n)
	if denied != (d.denials > denials) || denied && p.Verb != wire.OpAcquire {
		panic("a denial that is none")
	}
}

// settle does what is left to whoever drives.
func (d *driver) settle() {
	for again := true; again && d.known; {
		again = false
		for n := range d.Nodes {
			if len(d.Nodes[n].Proposals) > 0 {
				d.work(int16(n))
				again = true
			}
		}
	}
}

// advance lets time pass.
func (d *driver) advance(to clock.Time) {
	for at := d.Deadline(); at <= to; at = d.Deadline() {
		d.now = max(d.now, at)
		if d.known || d.Due(d.now) > 1 {
			d.Expire(d, d.now, d.first())
		} else {
			d.ExpireAll(d, d.now)
		}
	}
	d.now = to
}

// first is which of those that are due goes first: the order of the keys is that of their names, however they are numbered.
func (d *driver) first() int {
	best, name, k := 0, "", 0
	local := d.Nodes[d.Leader].Clock.Local(d.now)
	for i := range int32(d.Locks()) {
		if d.Lock(i).Held && d.Ends(i) <= local {
			if name == "" || d.keys[i] < name {
				best, name = k, d.keys[i]
			}
			k++
		}
	}
	return best
}
