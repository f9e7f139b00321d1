package dialogue

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"ticketing/client/demux"
)

// input reads one line as an input.
func (s *Session) input(name string, fields []string, line string) (*demux.Input, error) {
	if name == "tick" {
		return &demux.Input{Kind: demux.InputTick}, nil
	}
	if len(fields) == 0 {
		return nil, fmt.Errorf("dialogue: %s of what?", name)
	}
	id, err := strconv.ParseUint(fields[0], 10, 64)
	if err != nil {
		return nil, fmt.Errorf("dialogue: %s: %w", name, err)
	}
	if name == "recv" {
		data, err := frames(strings.TrimPrefix(strings.TrimPrefix(line, "recv "+fields[0]), " "))
		return &demux.Input{Kind: demux.InputReceived, Gen: demux.Generation(id), Data: data}, err
	}
	a, err := parseArgs(fields[1:])
	if err != nil {
		return nil, err
	}
	switch name {
	case "acquire":
		return acquireInput(demux.OpID(id), a)
	case "release":
		token, err := strconv.ParseUint(a.named["token"], 10, 64)
		return &demux.Input{Kind: demux.InputRelease, Op: demux.OpID(id), Key: a.key(), Token: token}, cmp.Or(err, a.known("key", "token"))
	case "cancel":
		return &demux.Input{Kind: demux.InputCancel, Op: demux.OpID(id)}, a.known()
	case "close":
		return &demux.Input{Kind: demux.InputClose, Op: demux.OpID(id)}, a.known()
	case "opened":
		return &demux.Input{Kind: demux.InputOpened, Gen: demux.Generation(id)}, a.known()
	case "closed":
		return &demux.Input{Kind: demux.InputClosed, Gen: demux.Generation(id)}, a.known()
	case "wrote":
		return s.wroteInput(demux.Generation(id), a)
	}
	return nil, fmt.Errorf("dialogue: unknown input %s", name)
}

func (a args) key() string { return cmp.Or(a.named["key"], "k") }

func acquireInput(op demux.OpID, a args) (*demux.Input, error) {
	wait, err1 := a.duration("wait", time.Second)
	lease, err2 := a.duration("lease", 5*time.Second)
	deadline, err3 := a.duration("deadline", 0)
	return &demux.Input{
		Kind:     demux.InputAcquire,
		Op:       op,
		Key:      a.key(),
		Wait:     uint32(wait.Milliseconds()),
		Lease:    uint32(lease.Milliseconds()),
		Deadline: demux.Time(deadline),
	}, cmp.Or(err1, err2, err3, a.known("key", "wait", "lease", "deadline"))
}

// wroteInput resolves how much of the outstanding write was accepted.
func (s *Session) wroteInput(gen demux.Generation, a args) (*demux.Input, error) {
	in := &demux.Input{Kind: demux.InputWrote, Gen: gen, Failed: slices.Contains(a.words, "failed")}
	data := s.ledger.Outstanding(gen)
	count, err1 := a.number("frames", 0)
	plus, err2 := a.number("plus", 0)
	in.N = plus
	for _, f := range strings.SplitAfter(string(data), "\n")[:count] {
		in.N += len(f)
	}
	for _, w := range a.words {
		switch w {
		case "all":
			in.N = len(data)
		case "none", "failed":
		default:
			n, err := strconv.Atoi(w)
			if err != nil {
				return nil, err
			}
			in.N = n
		}
	}
	return in, cmp.Or(err1, err2, a.known("frames", "plus"))
}

// frames reads what a server sends.
func frames(text string) ([]byte, error) {
	text, open := strings.CutSuffix(text, `\`)
	var data []byte
	for i, f := range strings.Split(text, " | ") {
		if i > 0 {
			data = append(data, '\n')
		}
		f, err := strconv.Unquote(`"` + f + `"`)
		if err != nil {
			return nil, fmt.Errorf("dialogue: frame: %w", err)
		}
		data = append(data, f...)
	}
	if !open {
		data = append(data, '\n')
	}
	return data, nil
}

// repeated writes out {x*9}.
func repeated(f string) (string, error) {
	before, rest, ok := strings.Cut(f, "{")
	if !ok {
		return f, nil
	}
	inner, after, ok1 := strings.Cut(rest, "}")
	x, count, ok2 := strings.Cut(inner, "*")
	n, err := strconv.Atoi(count)
	if err != nil || !ok1 || !ok2 {
		return "", fmt.Errorf("dialogue: {%s} is not {x*9}", inner)
	}
	after, err = repeated(after)
	return before + strings.Repeat(x, n) + after, err
}

// shortened writes {x*20} for a long run of one byte.
func shortened(line string) string {
	var b strings.Builder
	for i := 0; i < len(line); {
		n := len(line[i:]) - len(strings.TrimLeft(line[i:], line[i:i+1]))
		if n >= 20 {
			fmt.Fprintf(&b, "{%c*%d}", line[i], n)
		} else {
			b.WriteString(line[i : i+n])
		}
		i += n
	}
	return b.String()
}

// options reads the arguments of new.
func options(a args) (demux.Options, error) {
	o := demux.Options{
		Addrs:      strings.Split(cmp.Or(a.named["addrs"], "a:1,b:1,c:1"), ","),
		Prefix:     cmp.Or(a.named["prefix"], "p"),
		Credential: cmp.Or(a.named["credential"], "secret"),
	}
	numbers := map[string]*int{
		"max-acquires": &o.MaxAcquires, "max-releases": &o.MaxReleases, "max-lane": &o.MaxLane, "max-held": &o.MaxHeld,
		"max-closing": &o.MaxClosing, "max-write": &o.MaxWrite,
	}
	durations := map[string]*time.Duration{
		"grace": &o.Grace, "dial-timeout": &o.DialTimeout, "write-stall": &o.WriteStall, "probe": &o.Probe,
		"close-grace": &o.CloseGrace, "lane-slack": &o.LaneSlack, "dial-spacing": &o.DialSpacing,
	}
	for _, name := range slices.Sorted(maps.Keys(a.named)) {
		var err error
		if n, ok := numbers[name]; ok {
			*n, err = a.number(name, 0)
		} else if d, ok := durations[name]; ok {
			*d, err = a.duration(name, 0)
		} else if name == "jitter" {
			o.Jitter, err = strconv.ParseUint(a.named[name], 10, 64)
		} else if name != "addrs" && name != "prefix" && name != "credential" {
			err = fmt.Errorf("dialogue: unknown option %s", name)
		}
		if err != nil {
			return o, err
		}
	}
	return o, nil
}
