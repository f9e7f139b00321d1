package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// holdings is what a process has that clients are to give back.
type holdings struct {
	Goroutines int `json:"goroutines"`
	Sockets    int `json:"sockets"` // 0 where /proc does not tell
}

func held() holdings {
	h := holdings{Goroutines: runtime.NumGoroutine()}
	files, err := filepath.Glob("/proc/self/fd/*")
	if err != nil {
		panic("ticketsim: " + err.Error()) // the pattern is constant
	}
	for _, f := range files {
		if to, err := os.Readlink(f); err == nil && strings.HasPrefix(to, "socket:") {
			h.Sockets++
		}
	}
	return h
}

// settleMax is how long what has said its last word may take to be gone, on a busy machine.
const settleMax = 30 * time.Second

// leftOver is what there is more of than before, if there still is after a while.
func leftOver(before holdings, settle time.Duration) holdings {
	for end := time.Now().Add(settle); ; time.Sleep(time.Millisecond) {
		now := held()
		more := holdings{max(0, now.Goroutines-before.Goroutines), max(0, now.Sockets-before.Sockets)}
		if more == (holdings{}) || !time.Now().Before(end) {
			return more
		}
	}
}
