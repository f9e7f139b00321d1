package demux

import "fmt"

// String shows the options without the credential (rule redact).
func (o Options) String() string {
	type plain Options // has no methods, so that this does not call itself
	o.Credential = "<redacted>"
	return fmt.Sprintf("%+v", plain(o))
}

// GoString is String: %#v must not show the credential either.
func (o Options) GoString() string { return o.String() }

// String shows a machine in one line, without bytes of any frame.
func (m *Machine) String() string {
	return fmt.Sprintf("demux.Machine{dials: %d, acquires: %d, releases: %d, lane: %d, held: %d, shut: %v}",
		m.gen, m.pending.all.len(acquires), m.pending.all.len(releases), len(m.lane.entries), m.held.len(), m.shut)
}

// GoString is String.
func (m *Machine) GoString() string { return m.String() }
