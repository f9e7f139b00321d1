package blackbox

import (
	_ "embed" // for doc.go
	"strings"
)

//go:embed doc.go
var doc string

// Means says what a property of this package demands, in one line: the words of the package's documentation. It is empty
// for what is none.
func Means(property string) string {
	_, text, found := strings.Cut(doc, "\n//   - "+property+": ")
	if !found {
		return ""
	}
	text, _, _ = strings.Cut(text, "\npackage ")
	text, _, _ = strings.Cut(text, "\n//   - ")
	return strings.TrimSuffix(strings.Join(strings.Fields(strings.ReplaceAll(text, "\n//", " ")), " "), ".")
}
