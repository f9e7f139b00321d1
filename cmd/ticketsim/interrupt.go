package main

import (
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"
)

// secondSignal is how soon after the first signal another one counts as the same: a terminal and a script that pass one on
// make two of it, and the clean end must not be lost for that.
const secondSignal = time.Second

// interrupt listens for SIGINT, SIGTERM and SIGHUP. The first one asks for a clean end; the next one, unless it comes at once,
// ends the process the ordinary way.
type interrupt struct {
	signals chan os.Signal
	over    chan struct{} // closed by stop
	done    chan struct{}
	code    atomic.Int64
}

func listen() *interrupt { return listenApart(secondSignal) }

// listenApart takes signals for one that come so soon after the first.
func listenApart(apart time.Duration) *interrupt {
	i := &interrupt{signals: make(chan os.Signal, 1), over: make(chan struct{}), done: make(chan struct{})}
	signal.Notify(i.signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		defer close(i.done)
		select {
		case s := <-i.signals:
			i.code.Store(int64(exitOfSignal(s)))
			time.AfterFunc(apart, func() { signal.Stop(i.signals) })
		case <-i.over:
			signal.Stop(i.signals)
		}
	}()
	return i
}

// exit is the status that the signal asks for, exitOK while there was none.
func (i *interrupt) exit() exit { return exit(i.code.Load()) }

// stop ends the listening; it must be called once.
func (i *interrupt) stop() {
	close(i.over)
	<-i.done
}
