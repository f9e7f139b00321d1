package main

import (
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// interrupt listens for SIGINT and SIGTERM. The first one asks for a clean end; the next one ends the process
// the ordinary way.
type interrupt struct {
	signals chan os.Signal
	done    chan struct{}
	code    atomic.Int64
}

func listen() *interrupt {
	i := &interrupt{signals: make(chan os.Signal, 1), done: make(chan struct{})}
	signal.Notify(i.signals, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		if s, ok := <-i.signals; ok {
			signal.Stop(i.signals)
			i.code.Store(int64(exitOfSignal(s)))
		}
		close(i.done)
	}()
	return i
}

// exit is the status that the signal asks for, exitOK while there was none.
func (i *interrupt) exit() exit { return exit(i.code.Load()) }

// stop ends the listening; it must be called once.
func (i *interrupt) stop() {
	signal.Stop(i.signals)
	close(i.signals)
	<-i.done
}
