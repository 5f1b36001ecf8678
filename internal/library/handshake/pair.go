package handshake

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"math/big"
	"net"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// serverName is the one that certificates are for; .invalid is never anyone's
// (RFC 2606).
const serverName = "server.cryptogauge.invalid"

type pair struct {
	client, server *tls.Config
	tickets        *ticket // the client's
	leaf           *x509.Certificate
}

// newPair makes a root and a certificate that it signs, and configures both sides
// so that they have no choice but the shape's. Keys come with the vector.
func newPair(s Shape, v *provider.Vector) (*pair, error) {
	rootKey, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), v.Key)
	if err != nil {
		return nil, provider.Unsupported("making-root", err)
	}
	root, err := newRoot(rootKey)
	if err != nil {
		return nil, provider.Unsupported("making-root", err)
	}
	key, err := x509.ParsePKCS8PrivateKey(v.PKCS8)
	if err != nil {
		return nil, reason.New("server-key", err)
	}
	signer, ok := key.(crypto.Signer)
	if !ok {
		return nil, reason.New("server-signs", fmt.Sprintf("%T", key))
	}
	leaf, err := newLeaf(root, rootKey, signer)
	if err != nil {
		return nil, provider.Unsupported("making-leaf", err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(root)
	p := &pair{tickets: &ticket{use: s.Resumed}, leaf: leaf}
	common := tls.Config{MinVersion: tls.VersionTLS13, CurvePreferences: []tls.CurveID{s.Group}}
	p.server, p.client = common.Clone(), common.Clone()
	p.server.Certificates = certificates(leaf, signer)
	p.client.RootCAs, p.client.ServerName, p.client.ClientSessionCache = roots, serverName, p.tickets
	return p, nil
}

// Certified are a server and a client whom one root vouches for. Both have the vector's key.
type Certified struct {
	Root           *x509.Certificate
	Server, Client tls.Certificate
}

// Name is the one that certificates are for.
const Name = serverName

// Certify makes them of the keys of a vector.
func Certify(v *provider.Vector) (c Certified, err error) {
	rootKey, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), v.Key)
	if err != nil {
		return c, provider.Unsupported("making-root", err)
	}
	if c.Root, err = newRoot(rootKey); err != nil {
		return c, provider.Unsupported("making-root", err)
	}
	key, err := x509.ParsePKCS8PrivateKey(v.PKCS8)
	if err != nil {
		return c, reason.New("server-key", err)
	}
	signer, ok := key.(crypto.Signer)
	if !ok {
		return c, reason.New("server-signs", fmt.Sprintf("%T", key))
	}
	server, err := newLeaf(c.Root, rootKey, signer, net.IPv4(127, 0, 0, 1))
	if err != nil {
		return c, provider.Unsupported("making-leaf", err)
	}
	client, err := issue(&x509.Certificate{SerialNumber: big.NewInt(3), Subject: pkix.Name{CommonName: "client.cryptogauge.invalid"},
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}, c.Root, signer.Public(), rootKey)
	if err != nil {
		return c, provider.Unsupported("making-leaf", err)
	}
	c.Server, c.Client = certificates(server, signer)[0], certificates(client, signer)[0]
	return c, nil
}

func certificates(leaf *x509.Certificate, key crypto.Signer) []tls.Certificate {
	return []tls.Certificate{{Certificate: [][]byte{leaf.Raw}, PrivateKey: key, Leaf: leaf}}
}

// ticket is a cache of the newest ticket. A client that does not use it asks for
// tickets all the same, as clients do, and each handshake is a full one.
type ticket struct {
	use  bool
	last *tls.ClientSessionState
}

func (t *ticket) Get(string) (*tls.ClientSessionState, bool) {
	if !t.use || t.last == nil {
		return nil, false
	}
	return t.last, true
}

func (t *ticket) Put(_ string, s *tls.ClientSessionState) { t.last = s }

func newRoot(key crypto.Signer) (*x509.Certificate, error) {
	c := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "cryptogauge root"},
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	return issue(c, c, key.Public(), key)
}

// newLeaf is a server's, also for addresses that clients may know it by.
func newLeaf(root *x509.Certificate, rootKey, server crypto.Signer, addresses ...net.IP) (*x509.Certificate, error) {
	return issue(&x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: serverName},
		DNSNames: []string{serverName}, IPAddresses: addresses, KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}, root, server.Public(), rootKey)
}

// issue signs a certificate that is valid for long: clocks of machines under test may be wrong.
func issue(c, parent *x509.Certificate, public crypto.PublicKey, key crypto.Signer) (*x509.Certificate, error) {
	c.NotBefore, c.NotAfter = time.Unix(0, 0), time.Now().Add(100*365*24*time.Hour)
	raw, err := x509.CreateCertificate(rand.Reader, c, parent, public, key)
	if err != nil {
		return nil, err
	}
	return x509.ParseCertificate(raw)
}

// impostor is the configuration of a server whose certificate names the right
// server and is signed by nobody whom the client trusts.
func impostor(server *tls.Config, now crypto.Signer) (*tls.Config, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	root, err := newRoot(key)
	if err != nil {
		return nil, err
	}
	leaf, err := newLeaf(root, key, now)
	if err != nil {
		return nil, err
	}
	wrong := server.Clone()
	wrong.Certificates = certificates(leaf, now)
	return wrong, nil
}
