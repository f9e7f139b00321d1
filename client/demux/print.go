package demux

import (
	"fmt"
	"io"
)

// String shows the options without the credential (rule redact).
func (o Options) String() string {
	type plain Options // has no methods, so that this does not call itself
	o.Credential = "<redacted>"
	return fmt.Sprintf("%+v", plain(o))
}

// Format is String for every verb: fmt asks String for some of them only.
func (o Options) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, o.String()) }

// String shows a machine in one line, without bytes of any frame.
func (m *Machine) String() string {
	return fmt.Sprintf("demux.Machine{dials: %d, acquires: %d, releases: %d, lane: %d, held: %d, shut: %v}",
		m.gen, m.pending.all.len(acquires), m.pending.all.len(releases), len(m.lane.entries), m.held.len(), m.shut)
}

// Format is String for every verb.
func (m *Machine) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, m.String()) }

// String shows an input without what was read (rule redact).
func (in Input) String() string {
	type plain Input
	n := len(in.Data)
	in.Data = nil
	return fmt.Sprintf("%+v with %d bytes", plain(in), n)
}

// Format is String for every verb.
func (in Input) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, in.String()) }

// String shows an effect without what is to be written, the credential among it (rule redact).
func (e Effect) String() string {
	type plain Effect
	n := len(e.Data)
	e.Data = nil
	return fmt.Sprintf("%+v with %d bytes", plain(e), n)
}

// Format is String for every verb.
func (e Effect) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, e.String()) }
