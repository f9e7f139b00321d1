package client_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"ticketing/client"
	"ticketing/cmd/ticketd/cluster"
)

// service starts a service for the examples.
func service() (addr string, stop func()) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	addr = l.Addr().String()
	c, err := cluster.New(cluster.Options{Addrs: []string{addr}, Credential: "secret"}, []net.Listener{l})
	if err != nil {
		panic(err)
	}
	return addr, c.Close
}

// ledger is something that a lock protects. It refuses whoever comes with a token that is not the newest that it has seen.
type ledger struct{ fence uint64 }

func (l *ledger) write(token uint64, line string) error {
	if token < l.fence {
		return errors.New("ledger: an old token")
	}
	l.fence = token
	fmt.Println(line)
	return nil
}

func Example() {
	addr, stop := service()
	defer stop()
	ctx := context.Background()
	c, err := client.New(client.Options{Addrs: []string{addr}, Credential: "secret", Grace: 10 * time.Second})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close(ctx)

	g, ok, err := c.Acquire(ctx, "ledger", client.AcquireOptions{Wait: time.Second, Lease: 10 * time.Second})
	switch {
	case err != nil:
		fmt.Println(err)
		return
	case !ok:
		fmt.Println("held by another all the time")
		return
	}
	var l ledger
	if err := l.write(g.Token(), "written"); err != nil {
		fmt.Println(err)
	}
	ending, err := g.Release(ctx)
	fmt.Println(ending, err)
	// Output:
	// written
	// released <nil>
}

func ExampleClient_Do() {
	addr, stop := service()
	defer stop()
	ctx := context.Background()
	c, err := client.New(client.Options{Addrs: []string{addr}, Credential: "secret", Grace: 10 * time.Second})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close(ctx)

	var l ledger
	ending, err := c.Do(ctx, "ledger", client.AcquireOptions{Wait: time.Second, Lease: 10 * time.Second},
		func(_ context.Context, g *client.Grant) error { return l.write(g.Token(), "written") })
	fmt.Println(ending, err)
	// Output:
	// written
	// released <nil>
}

// What a caller does with each answer.
func ExampleClient_Acquire() {
	addr, stop := service()
	defer stop()
	ctx := context.Background()
	c, err := client.New(client.Options{Addrs: []string{addr}, Credential: "secret", Grace: 10 * time.Second})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close(ctx)

	for range 2 {
		g, ok, err := c.Acquire(ctx, "key", client.AcquireOptions{Lease: 10 * time.Second})
		switch {
		case ok:
			fmt.Println("granted")
			defer g.Release(ctx)
		case err == nil:
			fmt.Println("held by another")
		case errors.Is(err, client.ErrBusy):
			fmt.Println("the service is full: later")
		case errors.Is(err, client.ErrNotSent):
			fmt.Println("nothing happened: again is safe")
		case errors.Is(err, client.ErrIndeterminate):
			fmt.Println("unknown: do not act; again may have to wait for a lease")
		}
	}
	// Output:
	// granted
	// held by another
}
