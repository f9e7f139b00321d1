package dialogue

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/client/demux"
)

// RunSplit tells every story under path again for every byte of every read: the read arrives in two pieces, the
// first of them before the block's instant. If that holds no whole frame, the story must go on as it is written;
// else the frames of the two pieces must do what they did in one read, and the story ends there: a write may have
// gone out in between. It returns how many stories were told.
func RunSplit(t *testing.T, core Make, path string) int {
	told := 0
	for _, file := range stories(t, path) {
		blocks := Load(t, file)
		for _, read := range reads(t, core, blocks) {
			for _, at := range read.places[1:] {
				require.NoError(t, split(core, blocks, read.nth, at), "%s: read %d split at byte %d", file, read.nth, at)
				told++
			}
		}
	}
	return told
}

// RunShort tells every story under path again for every length that every write could have been accepted at short
// of all (see places), with an error and without one, and in full with an error. The connection must close then, and the acquires of
// which a byte was accepted must end. The rest of the story is told as far as a driver could; what it causes is judged by
// the Ledger alone. It returns how many stories were told.
func RunShort(t *testing.T, core Make, path string) int {
	told := 0
	for _, file := range stories(t, path) {
		blocks := Load(t, file)
		for _, write := range writes(t, core, blocks) {
			for _, n := range append(write.places, write.all) {
				for _, failed := range []bool{false, true} {
					if n == write.all && !failed {
						continue
					}
					require.NoError(t, short(core, blocks, write.nth, n, failed), "%s: write %d accepted at %d, failed %v",
						file, write.nth, n, failed)
					told++
				}
			}
		}
	}
	return told
}

func stories(t *testing.T, path string) []string {
	entries, err := os.ReadDir(path)
	require.NoError(t, err)
	var files []string
	for _, e := range entries {
		files = append(files, filepath.Join(path, e.Name()))
	}
	return files
}

// measured is the nth input of a kind in a story, and the places where its bytes may be cut.
type measured struct {
	nth    int
	places []int
	all    int
}

// lengths is every length short of all of data, from 0.
func lengths(data []byte) (ns []int) {
	for n := range data {
		ns = append(ns, n)
	}
	return ns
}

// places is lengths but for those within a long run of one byte, a credential or a key: they look alike.
func places(data []byte) (ns []int) {
	for n := range data {
		if n < 8 || n+8 > len(data) || !alike(data[n-8:n+8]) {
			ns = append(ns, n)
		}
	}
	return ns
}

func alike(data []byte) bool { return bytes.Count(data, data[:1]) == len(data) }

func reads(t *testing.T, core Make, blocks []Block) (found []measured) {
	measure(t, core, blocks, func(s *Session, in *demux.Input) {
		if in.Kind == demux.InputReceived {
			found = append(found, measured{len(found), lengths(in.Data), len(in.Data)})
		}
	})
	return found
}

// writes finds the answers to writes that were accepted in full.
func writes(t *testing.T, core Make, blocks []Block) (found []measured) {
	nth := 0
	measure(t, core, blocks, func(s *Session, in *demux.Input) {
		if in.Kind != demux.InputWrote {
			return
		}
		if data := s.ledger.Outstanding(in.Gen); len(data) > 0 && in.N == len(data) {
			found = append(found, measured{nth, places(data), len(data)})
		}
		nth++
	})
	return found
}

func measure(t *testing.T, core Make, blocks []Block, see func(*Session, *demux.Input)) {
	s := NewSession(core)
	s.meddle = func(in *demux.Input) bool { see(s, in); return false }
	for _, b := range blocks {
		_, err := s.Block(b)
		require.NoError(t, err, b.Pos)
	}
}

func split(core Make, blocks []Block, nth, at int) error {
	s, seen, met, whole := NewSession(core), 0, false, false
	s.meddle = func(in *demux.Input) bool {
		if in.Kind != demux.InputReceived {
			return false
		}
		if seen++; seen != nth+1 {
			return false
		}
		now := s.now
		if s.first { // the first piece may come before the instant, and its timers
			s.now = s.before
		}
		head, tail := *in, *in
		head.Data, tail.Data = slices.Clone(in.Data[:at]), slices.Clone(in.Data[at:])
		met, whole = true, strings.Contains(string(head.Data), "\n")
		s.Feed(&head)
		s.now = now
		s.Feed(&tail)
		return true
	}
	for _, b := range blocks {
		got, err := s.Block(b)
		if err != nil && !whole {
			return err
		}
		if met && whole {
			return compare(b, settlements(got), settlements(b.Want))
		}
		if err := compare(b, got, b.Want); err != nil {
			return err
		}
	}
	return s.Finish()
}

func compare(b Block, got, want string) error {
	if got != want {
		return fmt.Errorf("%s:\n%s\n----\n%swant:\n%s", b.Pos, strings.Join(b.Inputs, "\n"), got, want)
	}
	return nil
}

// settlements keeps what callers are told and what is closed, in one order.
func settlements(out string) string {
	var kept []string
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "complete ") || strings.HasPrefix(line, "close ") {
			kept = append(kept, line)
		}
	}
	slices.Sort(kept)
	return strings.Join(kept, "")
}

func short(core Make, blocks []Block, nth, n int, failed bool) error {
	s, seen := NewSession(core), 0
	s.meddle = func(in *demux.Input) bool {
		if in.Kind != demux.InputWrote {
			return false
		}
		if seen++; seen != nth+1 {
			return false
		}
		cut := *in
		cut.N, cut.Failed = n, failed
		open, frames := !s.ledger.conns[in.Gen].closed, s.ledger.conns[in.Gen].frames
		s.Feed(&cut)
		if open && !s.ledger.conns[in.Gen].closed {
			s.ledger.wrong("a short write left %d open", in.Gen) // rule torn-stream
		}
		if op := s.ledger.unsettledAfter(frames, n); op != 0 {
			s.ledger.wrong("operation %d goes on after %d bytes of its write", op, n)
		}
		s.loose = true
		return true
	}
	for _, b := range blocks {
		if _, err := s.Block(b); err != nil {
			return err
		}
		if err := s.ledger.Err(); err != nil {
			return fmt.Errorf("%s: %w", b.Pos, err)
		}
	}
	return s.Finish()
}
