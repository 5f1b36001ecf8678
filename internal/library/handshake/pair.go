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

// Name is the one that certificates are for; .invalid is never anyone's
// (RFC 2606).
const Name = "server.cryptogauge.invalid"

type pair struct {
	client, server *tls.Config
	tickets        *ticket // the client's
	leaf           *x509.Certificate
}

// newPair configures both sides so that they have no choice but the shape's.
func newPair(s Shape, v *provider.Vector) (*pair, error) {
	root, rootKey, signer, err := authority(v)
	if err != nil {
		return nil, err
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
	p.client.RootCAs, p.client.ServerName, p.client.ClientSessionCache = roots, Name, p.tickets
	return p, nil
}

// authority is a root with its key, and the key that it certifies: keys come with the vector.
func authority(v *provider.Vector) (root *x509.Certificate, rootKey, certified crypto.Signer, err error) {
	private, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), v.Key)
	if err == nil {
		c := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "cryptogauge root"},
			IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
		root, err = issue(c, c, private.Public(), private)
	}
	if err != nil {
		return nil, nil, nil, provider.Unsupported("making-root", err)
	}
	key, err := x509.ParsePKCS8PrivateKey(v.PKCS8)
	if err != nil {
		return nil, nil, nil, reason.New("server-key", err)
	}
	signer, ok := key.(crypto.Signer)
	if !ok {
		return nil, nil, nil, reason.New("server-signs", fmt.Sprintf("%T", key))
	}
	return root, private, signer, nil
}

// Certified are a server and a client whom one root vouches for. Both have the vector's key.
type Certified struct {
	Root           *x509.Certificate
	Server, Client tls.Certificate
}

// Certify makes them of the keys of a vector.
func Certify(v *provider.Vector) (c Certified, err error) {
	root, rootKey, signer, err := authority(v)
	if err != nil {
		return c, err
	}
	server, err := newLeaf(root, rootKey, signer, net.IPv4(127, 0, 0, 1))
	if err != nil {
		return c, provider.Unsupported("making-leaf", err)
	}
	client, err := issue(&x509.Certificate{SerialNumber: big.NewInt(3), Subject: pkix.Name{CommonName: "client.cryptogauge.invalid"},
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}},
		root, signer.Public(), rootKey)
	if err != nil {
		return c, provider.Unsupported("making-leaf", err)
	}
	return Certified{root, certificates(server, signer)[0], certificates(client, signer)[0]}, nil
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

// newLeaf is a server's, also for addresses that clients may know it by.
func newLeaf(root *x509.Certificate, rootKey, server crypto.Signer, addresses ...net.IP) (*x509.Certificate, error) {
	return issue(&x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: Name},
		DNSNames: []string{Name}, IPAddresses: addresses, KeyUsage: x509.KeyUsageDigitalSignature,
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
