// Command ticketd is a lock service over TCP for trying the Ticketing client, and for tests: some nodes in one
// process, one of which leads. All of it is in memory: when it ends, its locks are gone and its tokens begin again.
//
//	ticketd --listen 127.0.0.1:7001,127.0.0.1:7002 --credential-file FILE
//
// What a node does is the same as in the simulated worlds: package sim/service.
//
// Commands are lines on stdin: "lead N" makes node N (from 0) the leader, "lead none" leaves the nodes without one,
// "status" says how it stands. SIGHUP makes the next node the leader. SIGINT and SIGTERM end it.
//
// The exit status is 0 after a signal, 2 if the arguments are wrong, and 70 if it cannot listen.
package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"ticketing/cmd/ticketd/cluster"
)

type cli struct {
	Listen         []string      `default:"127.0.0.1:7001" help:"One address a node, as clients spell it."`
	Advertise      []string      `placeholder:"ADDR,..." help:"How clients spell the nodes, where they do not reach them by the addresses listened on."`
	CredentialFile string        `help:"File whose first line clients must show; else the variable TICKETD_CREDENTIAL."`
	LeaseMax       time.Duration `default:"1m" help:"The longest lease that is granted."`
	QueueMax       int           `default:"1024" help:"Acquires that may wait for one key."`
	Fault          string        `enum:",double-grant,early-expiry" default:"" help:"Break a promise now and then: double-grant or early-expiry."`
}

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// The statuses: those of ticketsim that mean something here.
const (
	exitOK       = 0
	exitUsage    = 2
	exitInternal = 70 // it could not listen: a port is taken, say
)

// run is the process, and returns its exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var c cli
	helped := false
	parser, err := kong.New(&c, kong.Name("ticketd"), kong.Writers(stdout, stderr), kong.Exit(func(int) { helped = true }),
		kong.Description("A lock service for trying and testing. All of it is in memory."))
	if err == nil {
		_, err = parser.Parse(args)
	}
	if helped {
		return exitOK
	}
	if err == nil {
		err = c.check()
	}
	if err != nil {
		return complain(stderr, exitUsage, err)
	}
	credential, err := c.credential()
	if err != nil {
		return complain(stderr, exitUsage, err)
	}
	service, addrs, err := c.listen(credential)
	if err != nil {
		return complain(stderr, exitInternal, err)
	}
	defer service.Close()
	// Before anybody is told that it runs, and may signal.
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	fmt.Fprintln(stdout, "ticketd: a service for tests: locks are kept in memory, and are gone when it ends")
	for i, a := range addrs {
		fmt.Fprintf(stdout, "ticketd: node %d listens on %s\n", i, a)
	}
	serve(service, len(addrs), stdin, stdout, signals)
	return exitOK
}

func complain(stderr io.Writer, code int, err error) int {
	fmt.Fprintln(stderr, "ticketd: "+strings.TrimSpace(err.Error()))
	return code
}

// listen opens a listener for each node. A port of 0 becomes the one that was found.
func (c *cli) listen(credential string) (*cluster.Cluster, []string, error) {
	var listeners []net.Listener
	var addrs []string
	closeAll := func() {
		for _, l := range listeners {
			l.Close()
		}
	}
	for _, a := range c.Listen {
		l, err := net.Listen("tcp", a)
		if err != nil {
			closeAll()
			return nil, nil, err
		}
		if strings.HasSuffix(a, ":0") {
			a = l.Addr().String()
		}
		listeners, addrs = append(listeners, l), append(addrs, a)
	}
	names := addrs
	if len(c.Advertise) > 0 {
		names = c.Advertise
	}
	service, err := cluster.New(cluster.Options{Addrs: names, Credential: credential, LeaseMax: c.LeaseMax,
		QueueMax: c.QueueMax, Fault: cluster.Fault(c.Fault)}, listeners)
	if err != nil {
		closeAll()
	}
	return service, addrs, err
}

// serve obeys commands until a signal ends it. The end of stdin does not.
func serve(service *cluster.Cluster, nodes int, stdin io.Reader, stdout io.Writer, signals <-chan os.Signal) {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for in := bufio.NewScanner(stdin); in.Scan(); {
			lines <- in.Text()
		}
	}()
	for {
		select {
		case line, ok := <-lines:
			if !ok {
				lines = nil
				continue
			}
			fmt.Fprintln(stdout, "ticketd: "+command(service, line))
		case s := <-signals:
			if s != syscall.SIGHUP {
				return
			}
			fmt.Fprintln(stdout, "ticketd: "+lead(service, (service.Leader()+1)%nodes))
		}
	}
}

// command executes a line and says what came of it.
func command(service *cluster.Cluster, line string) string {
	words := strings.Fields(line)
	switch {
	case len(words) == 1 && words[0] == "status":
		n := service.Counts()
		return fmt.Sprintf("leader %d, %d leader changes, %d connections, %d locks; %d granted, %d released, %d not found, %d timed out, %d busy, %d faults",
			service.Leader(), n.Leaders, n.Conns, n.Locks, n.Granted, n.Released, n.NotFound, n.TimedOut, n.Busy, n.Faults)
	case len(words) == 2 && words[0] == "lead" && words[1] == "none":
		return lead(service, -1)
	case len(words) == 2 && words[0] == "lead":
		i, err := strconv.Atoi(words[1])
		if err != nil || i < 0 {
			return "no node " + strconv.Quote(words[1])
		}
		return lead(service, i)
	}
	return "the commands are: lead N, lead none, status"
}

func lead(service *cluster.Cluster, i int) string {
	if err := service.Lead(i); err != nil {
		return err.Error()
	}
	if i < 0 {
		return "nobody leads"
	}
	return fmt.Sprintf("node %d leads", i)
}
