package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"ticketing/client/wire"
	"ticketing/sim/service"
)

// credentialMax is how much of the file of the credential is read, in bytes: a credential is shorter.
const credentialMax = 4096

// check returns an error that names the flag which is wrong.
func (c *cli) check() error {
	if len(c.Listen) == 0 {
		return errors.New("--listen: no address")
	}
	for _, a := range c.Listen {
		if err := checkAddr("--listen", a, 0); err != nil {
			return err
		}
	}
	if n := len(c.Advertise); n != 0 && n != len(c.Listen) {
		return fmt.Errorf("--advertise: %d addresses for %d nodes", n, len(c.Listen))
	}
	for _, a := range c.Advertise {
		if err := checkAddr("--advertise", a, 1); err != nil {
			return err
		}
	}
	if longest := wire.MaxLease * time.Millisecond; c.LeaseMax < time.Millisecond || c.LeaseMax > longest {
		return fmt.Errorf("--lease-max: %v is not in 1ms..%v", c.LeaseMax, longest)
	}
	if c.QueueMax < 1 || c.QueueMax > service.Most {
		return fmt.Errorf("--queue-max: %d is not in 1..%d", c.QueueMax, service.Most)
	}
	return nil
}

// checkAddr returns an error if an address is not HOST:PORT, with a port that is at least least.
func checkAddr(flag, addr string, least uint64) error {
	_, port, err := net.SplitHostPort(addr)
	if err != nil || wire.CheckAddr(addr) != nil {
		return fmt.Errorf("%s: %q is not HOST:PORT", flag, addr)
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n < least {
		return fmt.Errorf("%s: %q: the port is not in %d..65535", flag, addr, least)
	}
	return nil
}

// credential must not be an argument, which every user of the machine can read. Errors say nothing of what it is.
func (c *cli) credential() (string, error) {
	from, text := "TICKETD_CREDENTIAL", os.Getenv("TICKETD_CREDENTIAL")
	switch {
	case c.CredentialFile != "":
		line, err := firstLine(c.CredentialFile)
		if err != nil {
			return "", fmt.Errorf("--credential-file: %w", err)
		}
		from, text = "--credential-file", line
	case text == "":
		return "", errors.New("no --credential-file, and TICKETD_CREDENTIAL is empty")
	}
	if err := wire.CheckCredential(text); err != nil {
		return "", fmt.Errorf("%s: %w", from, err)
	}
	return text, nil
}

// firstLine reads a line of a file, of which there may be no end.
func firstLine(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, credentialMax))
	if err != nil {
		return "", err
	}
	line, _, _ := strings.Cut(string(b), "\n")
	return strings.TrimSuffix(line, "\r"), nil
}
