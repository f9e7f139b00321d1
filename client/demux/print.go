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

// String shows an input without what was read (rule redact).
func (in Input) String() string {
	type plain Input
	n := len(in.Data)
	in.Data = nil
	return fmt.Sprintf("%+v with %d bytes", plain(in), n)
}

// GoString is String.
func (in Input) GoString() string { return in.String() }

// String shows an effect without what is to be written, the credential among it (rule redact).
func (e Effect) String() string {
	type plain Effect
	n := len(e.Data)
	e.Data = nil
	return fmt.Sprintf("%+v with %d bytes", plain(e), n)
}

// GoString is String.
func (e Effect) GoString() string { return e.String() }
