package model

import "fmt"

// Format is one of the two published forms of a history.
type Format uint8

// The formats.
const (
	Text Format = iota + 1
	JSONL
)

// LineMax bounds a line of either format, in bytes with its newline. The longest that Writer makes has
// about 600: a key of 200 bytes, each of which JSON may double, and a dozen numbers.
const LineMax = 4096

// String returns the name that ParseFormat takes.
func (f Format) String() string {
	switch f {
	case Text:
		return "text"
	case JSONL:
		return "jsonl"
	}
	return fmt.Sprintf("format(%d)", uint8(f))
}

// ParseFormat is the inverse of Format.String.
func ParseFormat(name string) (Format, error) {
	for _, f := range []Format{Text, JSONL} {
		if name == f.String() {
			return f, nil
		}
	}
	return 0, fmt.Errorf("model: unknown format %q, want text or jsonl", name)
}

// The words of the schemas beyond those of kinds and outcomes.
const (
	magic          = "ticketing-history"
	wordRecorded   = "recorded"
	wordUnrecorded = "unrecorded"
	wordLane       = "lane"
)

// line is what one line of a file says. At most one part is set.
type line struct {
	what   lineKind
	header Header
	key    []byte // of a key, an operation or a taint
	op     Op     // without its Key
	taint  uint64
}

type lineKind uint8

const (
	lineHeader lineKind = iota + 1
	lineKey
	lineOp
	lineTaint
)
