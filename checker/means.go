package checker

import (
	"cmp"

	"ticketing/checker/audit"
	"ticketing/checker/blackbox"
)

// Means says in one line what a property demands, whoever judges it. It is empty for what is none.
func Means(property string) string {
	return cmp.Or(audit.Means(property), blackbox.Means(property), means[property])
}

// means is of the properties that no audit and no judge of the history has.
var means = map[string]string{
	Calm:      "after the faults stop, a world comes to rest, by when its parameters say",
	Duty:      "a core asks only for what its driver can do (the duties of demux.Core)",
	Panic:     "a core does not panic",
	Redact:    "no dump shows the credential (redact)",
	Clone:     "a clone is encoded as the world that it is of",
	Memory:    "a client loses no place of its tables (own-capacity)",
	Reference: "the core that ships does what the naive one does, up to the freedom that the protocol leaves",
}
