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
	"time"

	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// serverName is the one that certificates are for; .invalid is never anyone's
// (RFC 2606).
const serverName = "server.cryptogauge.invalid"

// pair is the configurations of both sides.
type pair struct {
	client, server *tls.Config
	tickets        *ticket // the client's
	leaf           *x509.Certificate
}

// newPair makes a root and a certificate that it signs, and configures both sides
// so that they have no choice but the shape's. Keys come with the vector.
func newPair(s Shape, v *provider.Vector) (*pair, error) {
	root, err := newRoot(v)
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
	leaf, err := root.issue(signer)
	if err != nil {
		return nil, provider.Unsupported("making-leaf", err)
	}
	p := &pair{tickets: &ticket{use: s.Resumed}, leaf: leaf}
	groups := []tls.CurveID{s.Group}
	p.server = &tls.Config{
		MinVersion: tls.VersionTLS13, CurvePreferences: groups,
		Certificates: []tls.Certificate{{Certificate: [][]byte{leaf.Raw}, PrivateKey: signer, Leaf: leaf}},
	}
	p.client = &tls.Config{
		MinVersion: tls.VersionTLS13, CurvePreferences: groups,
		RootCAs: root.pool(), ServerName: serverName, ClientSessionCache: p.tickets,
	}
	return p, nil
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

// authority is who signs certificates.
type authority struct {
	certificate *x509.Certificate
	key         crypto.Signer
}

// validity is generous: clocks of machines under test may be wrong.
func validity(c *x509.Certificate) *x509.Certificate {
	c.NotBefore, c.NotAfter = time.Unix(0, 0), time.Now().Add(100*365*24*time.Hour)
	return c
}

func newRoot(v *provider.Vector) (*authority, error) {
	key, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), v.Key)
	if err != nil {
		return nil, err
	}
	c := validity(&x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "cryptogauge root"},
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign})
	raw, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	if err != nil {
		return nil, err
	}
	parsed, err := x509.ParseCertificate(raw)
	return &authority{parsed, key}, err
}

func (a *authority) issue(server crypto.Signer) (*x509.Certificate, error) {
	c := validity(&x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: serverName}, DNSNames: []string{serverName},
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}})
	raw, err := x509.CreateCertificate(rand.Reader, c, a.certificate, server.Public(), a.key)
	if err != nil {
		return nil, err
	}
	return x509.ParseCertificate(raw)
}

func (a *authority) pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.certificate)
	return pool
}

// impostor is the configuration of a server whose certificate names the right
// server and is signed by nobody whom the client trusts.
func impostor(server *tls.Config, now crypto.Signer) (*tls.Config, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	scalar, err := key.Bytes()
	if err != nil {
		return nil, err
	}
	root, err := newRoot(&provider.Vector{Key: scalar})
	if err != nil {
		return nil, err
	}
	leaf, err := root.issue(now)
	if err != nil {
		return nil, err
	}
	wrong := server.Clone()
	wrong.Certificates = []tls.Certificate{{Certificate: [][]byte{leaf.Raw}, PrivateKey: now, Leaf: leaf}}
	return wrong, nil
}
