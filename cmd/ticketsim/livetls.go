package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"os"
)

// liveCAMax is how much of a file of certificates is read: those of a system are a quarter of it.
const liveCAMax = 1 << 20

// tls is how connections are secured, or nil: by the roots in --ca, or by the system's.
func (c *liveCmd) tls() (*tls.Config, error) {
	switch {
	case c.CA != "":
		return trust(c.CA)
	case c.TLS:
		return &tls.Config{}, nil
	}
	return nil, nil
}

// trust trusts the certificates in a file.
func trust(name string) (*tls.Config, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("--ca: %w", err)
	}
	defer f.Close()
	pem, err := io.ReadAll(io.LimitReader(f, liveCAMax))
	if err != nil {
		return nil, fmt.Errorf("--ca: %w", err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("--ca: no certificate in %s", name)
	}
	return &tls.Config{RootCAs: roots}, nil
}
