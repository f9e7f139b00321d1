package client_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// heap is how many bytes are reachable. Pools give back what they keep at the second collection.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

const roundsMax = 8

// growth runs rounds and returns by how many bytes the heap has grown since the first of them: as soon as that is at
// most slack, or after roundsMax. What is kept for good adds up from round to round; the noise of a busy process does not.
func growth(slack int64, round func()) (bytes int64) {
	round() // makes what is made once
	before := heap()
	for range roundsMax - 1 {
		round()
		if bytes = heap() - before; bytes <= slack {
			break
		}
	}
	return bytes
}

// holdings is what a process has that clients are to give back.
type holdings struct{ goroutines, sockets int }

// held counts. Sockets are none where the system does not tell.
func held(t *testing.T) holdings {
	files, err := filepath.Glob("/proc/self/fd/*")
	require.NoError(t, err)
	h := holdings{goroutines: runtime.NumGoroutine()}
	for _, f := range files {
		if to, err := os.Readlink(f); err == nil && strings.HasPrefix(to, "socket:") {
			h.sockets++
		}
	}
	return h
}

// nothingLeft waits until there is no more than before: what has said its last word may still be on its way out.
func nothingLeft(t *testing.T, before holdings) {
	over := func() bool {
		now := held(t)
		return now.goroutines <= before.goroutines && now.sockets <= before.sockets
	}
	for end := time.Now().Add(patience); !over(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			stacks := make([]byte, 1<<16)
			t.Errorf("%+v, before there were %+v:\n%s", held(t), before, stacks[:runtime.Stack(stacks, true)])
			return
		}
	}
}

// patience is how long tests wait for what has to happen soon, on the busiest of machines.
const patience = 30 * time.Second

var kept [][]byte

func TestGrowthShows(t *testing.T) {
	defer func() { kept = nil }()
	const slack = 64 << 10
	leak := func(bytes int) func() {
		return func() { kept = append(kept, make([]byte, bytes)) }
	}
	require.Greater(t, growth(slack, leak(slack+8<<10)), int64(slack))
	once := false
	require.LessOrEqual(t, growth(slack, func() {
		if !once {
			once = true
			leak(100 * slack)()
		}
	}), int64(slack), "what is made once")
	rounds := 0
	require.LessOrEqual(t, growth(slack, func() {
		if rounds++; rounds < 5 {
			leak(2 * slack)()
			return
		}
		kept = nil
	}), int64(slack), "what goes again")
}
