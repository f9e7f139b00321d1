package wire

import (
	"errors"
	"fmt"
)

// CheckName returns nil if s may be a key or an owner: 1 to MaxName bytes of '!'..'~'.
func CheckName(s string) error { return checkWord("name", s, MaxName) }

// CheckAddr returns nil if s may be an address: 1 to MaxAddr bytes of '!'..'~'.
func CheckAddr(s string) error { return checkWord("addr", s, MaxAddr) }

var errCheckCredential = errors.New("wire: credential is not 1..800 bytes of '!'..'~'")

// CheckCredential returns nil if s may be a credential: 1 to MaxCredential bytes of '!'..'~'. Its error says
// nothing about s, its length included (rule redact).
func CheckCredential(s string) error {
	if checkWord("credential", s, MaxCredential) != nil {
		return errCheckCredential
	}
	return nil
}

// CheckToken returns nil if token may be a token: 1 or more.
func CheckToken(token uint64) error {
	if token == 0 {
		return errors.New("wire: token is 0")
	}
	return nil
}

// CheckWait returns nil if ms may be a wait: at most MaxWait milliseconds.
func CheckWait(ms uint32) error {
	if ms > MaxWait {
		return fmt.Errorf("wire: wait is %d ms, not 0..%d", ms, uint32(MaxWait))
	}
	return nil
}

// CheckLease returns nil if ms may be a lease: 1 to MaxLease milliseconds.
func CheckLease(ms uint32) error {
	if ms < 1 || ms > MaxLease {
		return fmt.Errorf("wire: lease is %d ms, not 1..%d", ms, uint32(MaxLease))
	}
	return nil
}

func checkWord(what, s string, limit int) error {
	if len(s) < 1 || len(s) > limit {
		return fmt.Errorf("wire: %s has %d bytes, not 1..%d", what, len(s), limit)
	}
	for i := range len(s) {
		if !visible(s[i]) {
			return fmt.Errorf("wire: %s has byte 0x%02x at %d, not '!'..'~'", what, s[i], i)
		}
	}
	return nil
}

func visible(b byte) bool { return '!' <= b && b <= '~' }
