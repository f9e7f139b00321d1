package reference

import (
	"fmt"
	"strings"

	"ticketing/client/demux"
)

// FormatEffect writes an effect in one line. The credential is redacted (rule redact). A dial names its address
// if addrs is not nil, and else the index.
func FormatEffect(e demux.Effect, addrs []string) string {
	switch e.Kind {
	case demux.EffectDial:
		if addrs != nil {
			return fmt.Sprintf("dial %d %s", e.Gen, addrs[e.Addr])
		}
		return fmt.Sprintf("dial %d addr=%d", e.Gen, e.Addr)
	case demux.EffectWrite:
		return fmt.Sprintf("write %d: %s", e.Gen, formatFrames(e.Data))
	case demux.EffectClose:
		return fmt.Sprintf("close %d %v", e.Gen, e.Reason)
	case demux.EffectComplete:
		return fmt.Sprintf("complete %d %v%s", e.Op, e.Outcome, formatDetails(e))
	}
	panic(fmt.Sprintf("reference: unknown effect %d", e.Kind))
}

func formatEffects(effects []demux.Effect) []string {
	var lines []string
	for _, e := range effects {
		lines = append(lines, FormatEffect(e, nil))
	}
	return lines
}

func formatDetails(e demux.Effect) string {
	var b strings.Builder
	if e.Cause != demux.CauseNone {
		fmt.Fprintf(&b, " %v", e.Cause)
	}
	if e.Token != 0 || e.Lease != 0 {
		fmt.Fprintf(&b, " token=%d lease=%d", e.Token, e.Lease)
	}
	if e.Tries != 0 {
		fmt.Fprintf(&b, " tries=%d", e.Tries)
	}
	if e.Resent {
		b.WriteString(" resent")
	}
	return b.String()
}

func formatFrames(data []byte) string {
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "H ") {
			line = "H 1 <redacted>"
		}
		lines[i] = line
	}
	return strings.Join(lines, " | ")
}

// FormatInput writes an input in one line.
func FormatInput(in *demux.Input) string {
	switch in.Kind {
	case demux.InputAcquire:
		return fmt.Sprintf("acquire %d key=%s wait=%d lease=%d deadline=%d", in.Op, in.Key, in.Wait, in.Lease, in.Deadline)
	case demux.InputRelease:
		return fmt.Sprintf("release %d key=%s token=%d", in.Op, in.Key, in.Token)
	case demux.InputCancel:
		return fmt.Sprintf("cancel %d", in.Op)
	case demux.InputClose:
		return fmt.Sprintf("close %d", in.Op)
	case demux.InputOpened:
		return fmt.Sprintf("opened %d", in.Gen)
	case demux.InputReceived:
		return fmt.Sprintf("received %d %q", in.Gen, in.Data)
	case demux.InputWrote:
		return fmt.Sprintf("wrote %d n=%d failed=%v", in.Gen, in.N, in.Failed)
	case demux.InputClosed:
		return fmt.Sprintf("closed %d", in.Gen)
	case demux.InputTick:
		return "tick"
	}
	return fmt.Sprintf("input %d", in.Kind)
}
