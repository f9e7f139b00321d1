package audit

import (
	_ "embed" // for doc.go
	"strings"
)

//go:embed doc.go
var doc string

// Means says what a property or an assumption of this package demands, in one line: the words of the package's
// documentation, and the rules behind it in brackets. It is empty for what is none.
func Means(property string) string {
	if property == "" {
		return ""
	}
	text, found := "", false
	for line := range strings.Lines(doc) {
		row, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "//\t")
		switch name, rest, _ := strings.Cut(row, " "); {
		case !ok && found:
			return text
		case ok && name == property:
			text, found = strings.TrimSpace(rest), true
		case ok && found && name == "":
			text += " " + strings.TrimSpace(rest)
		case found:
			return text
		}
	}
	return text
}
