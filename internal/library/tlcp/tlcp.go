// Package tlcp speaks TLCP (GB/T 38636-2020, which GM/T 0024 became) by package gmtls of tjfoc/gmsm, as server and
// as client: ECC_SM4_CBC_SM3 with a certificate to sign and another to encrypt (§6.4.5), the only suite of the
// standard that gmtls has whole: of ECDHE_SM4_CBC_SM3 its functions panic.
//
// A session can't be resumed: the server of gmtls v1.4.1 writes to a hash that it has not made, and panics.
package tlcp

import (
	"context"
	"crypto/x509/pkix"
	"math/big"
	"net"
	"time"

	"github.com/tjfoc/gmsm/gmtls"
	"github.com/tjfoc/gmsm/sm2"
	"github.com/tjfoc/gmsm/x509"

	"github.com/cryptogauge/cryptogauge/internal/library/service"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// name is the one that certificates are for; .invalid is never anyone's (RFC 2606).
const name = "server.cryptogauge.invalid"

// Secure makes a server's certificates of the keys of a vector: Key is the root's, Static those to sign and to
// encrypt.
func Secure(v *provider.Vector) (s service.Secured, err error) {
	root, err := made(v.Key, nil, x509.KeyUsageCertSign)
	if err != nil {
		return s, provider.Unsupported("making-root", err)
	}
	signs, err := made(v.Static[0], root, x509.KeyUsageDigitalSignature)
	if err != nil {
		return s, provider.Unsupported("making-leaf", err)
	}
	encrypts, err := made(v.Static[1], root, x509.KeyUsageKeyEncipherment|x509.KeyUsageDataEncipherment)
	if err != nil {
		return s, provider.Unsupported("making-leaf", err)
	}
	config := common()
	for _, c := range []*certified{signs, encrypts} {
		config.Certificates = append(config.Certificates, gmtls.Certificate{Certificate: [][]byte{c.Raw}, PrivateKey: c.key})
	}
	return service.Secured{Name: name, Root: root.Raw, Listen: func(l net.Listener, right, strange func()) net.Listener {
		return &listener{l, config, right, strange}
	}}, nil
}

// common is what both sides are told. Neither has a choice.
func common() *gmtls.Config {
	return &gmtls.Config{GMSupport: &gmtls.GMSupport{}, CipherSuites: []uint16{gmtls.GMTLS_SM2_WITH_SM4_SM3}, SessionTicketsDisabled: true}
}

func isRight(s gmtls.ConnectionState) bool {
	return s.HandshakeComplete && s.Version == gmtls.VersionGMSSL && s.CipherSuite == gmtls.GMTLS_SM2_WITH_SM4_SM3 && !s.DidResume
}

type certified struct {
	*x509.Certificate
	key *sm2.PrivateKey
}

// KeyOf is the private key of a number.
func KeyOf(number []byte) *sm2.PrivateKey {
	key := &sm2.PrivateKey{D: new(big.Int).SetBytes(number)}
	key.Curve = sm2.P256Sm2()
	//lint:ignore SA1019 the library's public keys are a curve's bare coordinates
	key.X, key.Y = key.Curve.ScalarBaseMult(number)
	return key
}

// made is a certificate that another signs, or its own key. It is valid for long: clocks of machines under test may
// be wrong.
func made(number []byte, by *certified, usage x509.KeyUsage) (*certified, error) {
	key := KeyOf(number)
	c := &x509.Certificate{SerialNumber: big.NewInt(int64(usage)), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		NotBefore: time.Unix(0, 0), NotAfter: time.Now().Add(100 * 365 * 24 * time.Hour), KeyUsage: usage,
		SignatureAlgorithm: x509.SM2WithSM3, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}
	if by == nil {
		c.Subject.CommonName, c.DNSNames, c.ExtKeyUsage = "cryptogauge root", nil, nil
		c.IsCA, c.BasicConstraintsValid = true, true
		by = &certified{c, key}
	}
	raw, err := x509.CreateCertificate(c, by.Certificate, &key.PublicKey, by.key)
	if err != nil {
		return nil, err
	}
	parsed, err := x509.ParseCertificate(raw)
	return &certified{parsed, key}, err
}

// listener secures the connections that it accepts.
type listener struct {
	net.Listener
	config *gmtls.Config

	right, strange func() // are told what a handshake made
}

func (l *listener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &secured{Conn: gmtls.Server(conn, l.config), listener: l}, nil
}

// secured is a server's connection. Who reads from it first shakes hands.
type secured struct {
	*gmtls.Conn
	listener *listener
	shaken   bool
}

func (s *secured) Read(b []byte) (int, error) {
	if !s.shaken {
		if err := s.Handshake(); err != nil {
			return 0, err
		}
		s.shaken = true
		if isRight(s.ConnectionState()) {
			s.listener.right()
		} else {
			s.listener.strange()
		}
	}
	return s.Conn.Read(b)
}

// Client secures connections to a server of which a root vouches. The deadline of a connection is that of its
// handshake, too.
func Client(root []byte, server string) (func(context.Context, net.Conn) (net.Conn, error), error) {
	vouches, err := x509.ParseCertificate(root)
	if err != nil {
		return nil, err
	}
	config := common()
	config.ServerName, config.RootCAs = server, x509.NewCertPool()
	config.RootCAs.AddCert(vouches)
	return func(_ context.Context, conn net.Conn) (net.Conn, error) {
		c := gmtls.Client(conn, config)
		err := c.Handshake()
		if err == nil && (!isRight(c.ConnectionState()) || len(c.ConnectionState().VerifiedChains) == 0) {
			err = reason.New("connection-strange")
		}
		return c, err
	}, nil
}
