package wire

// Kind says what is wrong with a frame. Every kind ends the connection (rule fatal).
type Kind uint8

// The kinds.
const (
	KindMalformed Kind = iota + 1 // not a line that the format allows
	KindOversized                 // MaxFrame bytes hold no newline
	KindUnknown                   // an upper-case op that this direction does not have
)

var kindNames = [...]string{"invalid", "malformed", "oversized", "unknown"}

func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return kindNames[0]
}

// Error is what a parser returns. The values are made once; none holds bytes of a frame (rule redact).
type Error struct {
	Kind Kind
	What string // the part that is wrong
}

func (e *Error) Error() string { return "wire: " + e.Kind.String() + " frame: " + e.What }

var (
	errOversized  = &Error{KindOversized, "no newline in 1024 bytes"}
	errUnknown    = &Error{KindUnknown, "op"}
	errOp         = &Error{KindMalformed, "op"}
	errVersion    = &Error{KindMalformed, "version"}
	errCredential = &Error{KindMalformed, "credential"}
	errKey        = &Error{KindMalformed, "key"}
	errOwner      = &Error{KindMalformed, "owner"}
	errToken      = &Error{KindMalformed, "token"}
	errWait       = &Error{KindMalformed, "wait"}
	errLease      = &Error{KindMalformed, "lease"}
	errAddr       = &Error{KindMalformed, "addr"}
	errCode       = &Error{KindMalformed, "code"}
	errText       = &Error{KindMalformed, "text"}
	errExtra      = &Error{KindMalformed, "extra bytes"}
)
