package main

import (
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestSecondSignal: one that comes at once is the first one again, even where the clean end has begun; a later one is not
// listened to. The test listens as well, or it would end with it.
func TestSecondSignal(t *testing.T) {
	ours := make(chan os.Signal, 1)
	signal.Notify(ours, syscall.SIGHUP)
	defer signal.Stop(ours)
	hangUp := func() {
		require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGHUP))
		<-ours
	}
	at := listenApart(time.Hour)
	hangUp()
	<-at.done
	at.stop()
	require.Equal(t, exitTerminate, at.exit())
	hangUp()
	require.Equal(t, syscall.SIGHUP, <-at.signals)
	signal.Stop(at.signals)

	later := listenApart(0)
	hangUp()
	<-later.done
	require.Eventually(t, func() bool {
		hangUp()
		select {
		case <-later.signals:
			return false
		default:
			return true
		}
	}, time.Minute, time.Millisecond)
}
