package judge

import (
	"encoding/asn1"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/handshake"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reference"
	"github.com/cryptogauge/cryptogauge/result"
)

// A handshake's vector holds keys alone: the server's and its root's. Handshakes
// differ by what both sides draw, so that no output of theirs could be compared;
// package handshake says how they are judged.

// handshakeKeys is the class of handshakes that share keys: those of a certificate.
const handshakeKeys = "certificate"

var oidEd25519 = asn1.ObjectIdentifier{1, 3, 101, 112} // RFC 8410 §3

// handshakeMessage is message for handshakes.
func handshakeMessage(c result.Case) (result.Case, error) {
	if _, ok := handshake.ShapeOf(c); !ok {
		return c, provider.Unsupported("no-keys", c.Name()+" "+c.Operation+" "+c.Parameters)
	}
	_, certificate, _ := strings.Cut(c.Mode, "+")
	return result.Case{Algorithm: c.Algorithm, Mode: certificate, Operation: handshakeKeys}, nil
}

func (j *Judge) handshakeVector(c result.Case) (*provider.Vector, error) {
	root, err := j.rootKey()
	if err != nil {
		return nil, err
	}
	var server *key
	switch c.Mode {
	case algorithm.RSA2048:
		server, err = j.keyOf(algorithm.RSA2048)
	case algorithm.RSA4096:
		server, err = j.keyOf(algorithm.RSA4096)
	case algorithm.ECDSA256:
		server, err = j.keyOf(c.Mode)
	case algorithm.Ed25519:
		server = &key{}
		server.pkcs8, err = encode(oidEd25519, asn1.RawValue{}, j.random("key/Ed25519/certificate", 32))
	default:
		return nil, provider.Unsupported("no-keys", c.Mode)
	}
	if err != nil {
		return nil, err
	}
	return &provider.Vector{Key: root.scalar, PKCS8: server.pkcs8}, nil
}

// rootKey is that of the certificate that signs all others.
func (j *Judge) rootKey() (*key, error) {
	const name = "certificate/root"
	if k, ok := j.keys[name]; ok {
		return k, nil
	}
	k, err := j.curveKey(name, reference.P256(), oidP256)
	if err == nil {
		j.keys[name] = k
	}
	return k, err
}
