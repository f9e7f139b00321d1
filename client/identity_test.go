package client_test

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"math/big"
	"net"
	"sync"
	"time"
)

// identity is a certificate of 127.0.0.1, and the roots that trust it. Its kind of key is the one whose handshakes cost least.
var identity = sync.OnceValues(func() ([]tls.Certificate, *x509.CertPool) {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		panic(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Unix(0, 0), NotAfter: time.Now().AddDate(100, 0, 0), // a bubble's clock begins in the past
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, public, private)
	if err != nil {
		panic(err)
	}
	leaf, err := x509.ParseCertificate(raw)
	if err != nil {
		panic(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(leaf)
	return []tls.Certificate{{Certificate: [][]byte{raw}, PrivateKey: private, Leaf: leaf}}, roots
})

// trusting is the side of a client that trusts the identity, under any name of a node.
func trusting() *tls.Config {
	_, roots := identity()
	return &tls.Config{RootCAs: roots, ServerName: "127.0.0.1"}
}

func behindTLS(act func(net.Conn)) func(net.Conn) {
	certificates, _ := identity()
	return func(conn net.Conn) {
		secured := tls.Server(conn, &tls.Config{Certificates: certificates})
		if secured.Handshake() == nil {
			act(secured)
		}
	}
}
