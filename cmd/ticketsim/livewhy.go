package main

import (
	"bytes"
	"log/slog"
	"sync"
)

// liveWhy keeps what explains a run that came to nothing: how an acquire failed last, and what a client warned of first. It is
// safe for concurrent use.
type liveWhy struct {
	mu      sync.Mutex
	failed  error
	warning string
}

// logger is for the clients: what they warn of, the service or the credential has to be looked at for.
func (w *liveWhy) logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: slog.LevelWarn,
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey || a.Key == slog.LevelKey {
				return slog.Attr{}
			}
			return a
		}}))
}

// Write takes a line of the log.
func (w *liveWhy) Write(line []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.warning == "" {
		w.warning = string(bytes.TrimSpace(line))
	}
	return len(line), nil
}

// fail takes how an acquire failed.
func (w *liveWhy) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.failed = err
}

// String is the end of a sentence, or nothing.
func (w *liveWhy) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := ""
	if w.failed != nil {
		s += "; the last acquire: " + w.failed.Error()
	}
	if w.warning != "" {
		s += "; the first warning: " + w.warning
	}
	return s
}
