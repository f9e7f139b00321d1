package demux

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"ticketing/client/wire"
)

// Options fixes a core's addresses, identity and bounds. A zero field takes its default. A table grows as it fills, up to
// its bound (rules own-capacity, lane, held-grant). A span of time is 1ns to 1h.
type Options struct {
	// Addrs are the configured addresses, in turn; they are the allowlist too, compared byte for byte
	// (rule one-hint). 1 to MaxAddrs, each valid by wire.CheckAddr, all different.
	Addrs []string
	// Credential goes into H, the first line of every connection. Valid by wire.CheckCredential. It is in no
	// error, log or dump (rule redact).
	Credential string
	// Prefix opens every owner that this core makes (rule owners): random, fresh for each process,
	// 1 to MaxPrefix bytes of '!'..'~'. No prefix of one client may open that of another: use one length.
	Prefix string
	// Jitter seeds the jitter of the back-off: the delay before dial g is a pure function of it and g.
	// Zero: no jitter, each delay in full.
	Jitter uint64

	MaxAcquires int // pending acquires; 1 to MaxTable, default 1024: a pipeline deeper than that waits in the caller
	MaxReleases int // pending release calls, joined ones included; 1 to MaxTable, default 1024: one a grant, as many as acquires
	MaxLane     int // orphan releases; 1 to 4096, default 64: with an honest service the lane is almost idle
	MaxHeld     int // grants remembered; 1 to MaxTable, default 4096: some leases behind on a busy client
	MaxClosing  int // connections from dial to InputClosed; 1 to 64, default 4: some closed ones may linger, then no dial
	MaxWrite    int // bytes in one write; 2048 to 2^24, default 65536: 2048 hold H and one frame of each kind

	Grace       time.Duration // base of the grace (rule deadline); default 500ms: a round trip and a commit
	DialTimeout time.Duration // of a dial (rule deadline); default 5s: a lost SYN is sent again twice
	WriteStall  time.Duration // of a write (rule deadline); default 5s: one that takes longer is to a dead peer
	Probe       time.Duration // of silence before a connection is trusted (rule probation); default 250ms: several round trips
	CloseGrace  time.Duration // from Close to the last close (rule shut-down); default 1s: the lane's last write, or never
	LaneSlack   time.Duration // past its lease, before an orphan is not sent again (rule lane-end); default 1s: delay and drift
	DialSpacing time.Duration // between two dials, whatever the reason (rule pacing); default 5ms: 200 dials a second at most

	Backoff Backoffs
}

// Backoff is the growth of one delay: Base, doubled with each connection that ends for this class since the last proof, at
// most Cap. Base is 1ns to Cap, Cap at most 1h; both zero: the default.
type Backoff struct{ Base, Cap time.Duration }

// Backoffs has one Backoff for each class of reason (rules backoff, pacing).
type Backoffs struct {
	Moved     Backoff // M; default 10ms to 1s: the hint is usually right
	NoLeader  Backoff // E no_leader; default 100ms to 2s: an election
	NotActive Backoff // E not_active; default 250ms to 5s: a node that starts or drains
	Auth      Backoff // E auth_failed; default 1s to 60s: a person has to act
	Broken    Backoff // fatal, unmatched; default 100ms to 5s: a peer that does not speak the protocol
	Lost      Backoff // dial failed or timed out, torn, stalled, ended by the peer; default 50ms to 5s
	Own       Backoff // closed by a cancel or a deadline of ours; default 10ms to 1s
}

// Bounds of the options.
const (
	MaxAddrs  = 64      // a turn through all of them must be short
	MaxPrefix = 160     // bytes; an owner is the prefix, '-' and at most 20 digits: at most 181 of wire.MaxName
	MaxTable  = 1 << 20 // entries; slots are numbered in 32 bits with room to spare
)

// WithDefaults returns o with every zero field filled in, or an error that names the field that is wrong.
func (o Options) WithDefaults() (Options, error) {
	for _, f := range []struct {
		v    *int
		def  int
		min  int
		max  int
		name string
	}{
		{&o.MaxAcquires, 1024, 1, MaxTable, "MaxAcquires"},
		{&o.MaxReleases, 1024, 1, MaxTable, "MaxReleases"},
		{&o.MaxLane, 64, 1, 4096, "MaxLane"},
		{&o.MaxHeld, 4096, 1, MaxTable, "MaxHeld"},
		{&o.MaxClosing, 4, 1, 64, "MaxClosing"},
		{&o.MaxWrite, 65536, 2048, 1 << 24, "MaxWrite"},
	} {
		if *f.v == 0 {
			*f.v = f.def
		}
		if *f.v < f.min || *f.v > f.max {
			return o, fmt.Errorf("demux: option %s is %d, not in %d..%d", alone(f.name), *f.v, f.min, f.max)
		}
	}
	for _, f := range []struct {
		v    *time.Duration
		def  time.Duration
		name string
	}{
		{&o.Grace, 500 * time.Millisecond, "Grace"},
		{&o.DialTimeout, 5 * time.Second, "DialTimeout"},
		{&o.WriteStall, 5 * time.Second, "WriteStall"},
		{&o.Probe, 250 * time.Millisecond, "Probe"},
		{&o.CloseGrace, time.Second, "CloseGrace"},
		{&o.LaneSlack, time.Second, "LaneSlack"},
		{&o.DialSpacing, 5 * time.Millisecond, "DialSpacing"},
	} {
		if *f.v == 0 {
			*f.v = f.def
		}
		if *f.v < 0 || *f.v > time.Hour {
			return o, fmt.Errorf("demux: option %s is %v, not in 1ns..1h", alone(f.name), *f.v)
		}
	}
	for _, f := range []struct {
		v    *Backoff
		def  Backoff
		name string
	}{
		{&o.Backoff.Moved, Backoff{10 * time.Millisecond, time.Second}, "Moved"},
		{&o.Backoff.NoLeader, Backoff{100 * time.Millisecond, 2 * time.Second}, "NoLeader"},
		{&o.Backoff.NotActive, Backoff{250 * time.Millisecond, 5 * time.Second}, "NotActive"},
		{&o.Backoff.Auth, Backoff{time.Second, time.Minute}, "Auth"},
		{&o.Backoff.Broken, Backoff{100 * time.Millisecond, 5 * time.Second}, "Broken"},
		{&o.Backoff.Lost, Backoff{50 * time.Millisecond, 5 * time.Second}, "Lost"},
		{&o.Backoff.Own, Backoff{10 * time.Millisecond, time.Second}, "Own"},
	} {
		if *f.v == (Backoff{}) {
			*f.v = f.def
		}
		if f.v.Base <= 0 || f.v.Cap < f.v.Base || f.v.Cap > time.Hour {
			return o, fmt.Errorf("demux: option Backoff.%s is %v to %v, not in 1ns..1h and growing", alone(f.name), f.v.Base, f.v.Cap)
		}
	}
	return o, o.checkNames()
}

// alone is name without the memory around it: as it stands, an error that no good options cause would have each of them
// allocated on the heap, with the row that the name is in.
func alone(name string) string { return strings.Clone(name) }

func (o Options) checkNames() error {
	if len(o.Addrs) == 0 || len(o.Addrs) > MaxAddrs {
		return fmt.Errorf("demux: option Addrs has %d addresses, not 1..%d", len(o.Addrs), MaxAddrs)
	}
	for i, a := range o.Addrs {
		if err := wire.CheckAddr(a); err != nil {
			return fmt.Errorf("demux: option Addrs[%d]: %w", i, err)
		}
		for _, b := range o.Addrs[:i] {
			if a == b {
				return fmt.Errorf("demux: option Addrs[%d] repeats %q", i, a)
			}
		}
	}
	if err := wire.CheckCredential(o.Credential); err != nil {
		// The error must not quote it (rule redact).
		return errors.New("demux: option Credential is not 1..800 bytes of '!'..'~'")
	}
	if err := wire.CheckName(o.Prefix); err != nil || len(o.Prefix) > MaxPrefix {
		return fmt.Errorf("demux: option Prefix is not 1..%d bytes of '!'..'~'", MaxPrefix)
	}
	return nil
}
