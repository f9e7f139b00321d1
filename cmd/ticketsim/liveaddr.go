package main

import (
	"fmt"
	"net"
	"strconv"
)

// checkAddrs returns an error if a node cannot be dialled, whatever listens: one that is no HOST:PORT fails like one that is
// not there, and callers would go on to the end of their time.
func checkAddrs(addrs []string) error {
	for _, a := range addrs {
		_, port, err := net.SplitHostPort(a)
		if err != nil {
			return fmt.Errorf("--addr: %q is not HOST:PORT", a)
		}
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return fmt.Errorf("--addr: %q: the port is not in 1..65535", a)
		}
	}
	return nil
}
