package sim

import (
	"strconv"
	"strings"

	"ticketing/client/demux"
	"ticketing/client/wire"
)

// Credential is what the clients of a world say in H. It shows in no trace.
const Credential = "sesame"

var longCredential = strings.Repeat(Credential, wire.MaxCredential/len(Credential))

var addrNames = [MaxNodes]string{"n0:1", "n1:1", "n2:1", "n3:1", "n4:1"}

var keyNames = [MaxKeys]string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"}

// longKeys are keyNames, each as long as a key may be, with the first and the last byte that one may have. Of mixedKeys some
// are shorter: what a write has no room for may be followed by something that would fit.
var (
	longKeys  = makeKeys([MaxKeys]int{})
	mixedKeys = makeKeys([MaxKeys]int{1: 197, 3: 1, 4: 197, 7: 139, 9: 191, 10: 1})
)

func makeKeys(shorter [MaxKeys]int) (names [MaxKeys]string) {
	for i, k := range keyNames {
		names[i] = strings.Repeat(k, wire.MaxName-2-shorter[i]) + "!~"
	}
	return names
}

// Every life of every client has a prefix of its own; those of one world have one length, so that none opens another.
var prefixes, longPrefixes = makePrefixes(""), makePrefixes(strings.Repeat("~", demux.MaxPrefix-prefixLen))

const prefixLen = 3

type prefixTable [MaxClients][MaxLives]string

func makePrefixes(pad string) *prefixTable {
	t := &prefixTable{}
	for c := range t {
		for life := range t[c] {
			t[c][life] = pad + string([]byte{'c', '0' + byte(c), 'a' + byte(life)})
		}
	}
	return t
}

// The life of a client stands in the high bits of the numbers of its owners: a number is never used twice by a client.
const (
	lifeShift  = 32
	ownNumbers = 1<<lifeShift - 1
)

func (w *World) prefixes() *prefixTable {
	if w.p.Long {
		return longPrefixes
	}
	return prefixes
}

// prefixOf is the owner prefix of client c in its present life.
func (w *World) prefixOf(c int) string { return w.prefixes()[c][w.clients[c].life] }

// ownerOf reads an owner that a client of this world can have made, in its one spelling.
func (w *World) ownerOf(owner []byte) Owner {
	nobody := Owner{Client: NoClient}
	t := w.prefixes()
	size := len(t[0][0])
	if len(owner) <= size+1 || owner[size] != '-' {
		return nobody
	}
	c, life := int(owner[size-2])-'0', int(owner[size-1])-'a'
	if c < 0 || c >= len(w.clients) || life < 0 || life > int(w.clients[c].life) || string(owner[:size]) != t[c][life] {
		return nobody
	}
	n, ok := parseNumber(owner[size+1:])
	if !ok {
		return nobody
	}
	return Owner{Client: int16(c), N: uint64(life)<<lifeShift | n}
}

func (w *World) appendOwner(dst []byte, o Owner) []byte {
	if o.Client == NoClient {
		return append(dst, "nobody"...)
	}
	return strconv.AppendUint(append(append(dst, w.prefixes()[o.Client][o.N>>lifeShift]...), '-'), o.N&ownNumbers, 10)
}

func parseNumber(digits []byte) (n uint64, ok bool) {
	if len(digits) > 9 || digits[0] == '0' {
		return 0, false
	}
	for _, d := range digits {
		if d < '0' || d > '9' {
			return 0, false
		}
		n = n*10 + uint64(d-'0')
	}
	return n, true
}

func (w *World) keyOf(key []byte) int16 {
	for i, k := range w.p.Keys {
		if k == string(key) {
			return int16(i)
		}
	}
	return -1
}
