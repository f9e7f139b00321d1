package client_test

import (
	"context"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"ticketing/client"
	"ticketing/client/demux"
	"ticketing/cmd/ticketd/cluster"
)

// load runs rounds of 64 callers' pairs.
func load(t *testing.T, c *client.Client, rounds int) {
	var callers sync.WaitGroup
	for i := range benchCallers {
		callers.Go(func() {
			key := strconv.Itoa(i)
			for range rounds {
				g, ok, err := c.Acquire(context.Background(), key, short)
				if err != nil || !ok {
					t.Errorf("acquire: %v, %v", ok, err)
					return
				}
				if ending, err := g.Release(context.Background()); err != nil || ending != client.Released {
					t.Errorf("release: %v, %v", ending, err)
					return
				}
			}
		})
	}
	callers.Wait()
}

// Nothing is lost, nothing is told twice, and nothing is kept: memory does not grow with what was done.
func TestMemoryIsFlat(t *testing.T) {
	rounds := 1000
	if testing.Short() {
		rounds = 100
	}
	_, addrs := serve(t, 1, cluster.Options{})
	c := connect(t, client.Options{Addrs: addrs})
	pairs := 0
	grown := growth(128<<10, func() {
		load(t, c, rounds)
		pairs += rounds * benchCallers
	})
	require.LessOrEqual(t, grown, int64(128<<10), "after %d pairs", pairs)
	s := c.Stats()
	require.EqualValues(t, pairs, s.Outcomes[demux.Granted])
	require.EqualValues(t, pairs, s.Outcomes[demux.Released])
	require.Zero(t, s.Acquires+s.Releases+s.Held+s.Lane)
}
