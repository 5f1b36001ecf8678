package judge

import (
	"encoding/asn1"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/handshake"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// A handshake's vector holds keys alone: the server's and its root's. Handshakes
// differ by what both sides draw, so that no output of theirs could be compared;
// package handshake says how they are judged.

// handshakeKeys is the class of handshakes that share keys: those of a certificate.
const handshakeKeys = "certificate"

func handshakeMessage(c result.Case) (result.Case, error) {
	if _, ok := handshake.ShapeOf(c); !ok {
		return c, provider.Unsupported("no-keys", c.Name()+" "+c.Operation+" "+c.Parameters)
	}
	_, certificate := algorithm.HandshakeParts(c.Mode)
	return result.Case{Algorithm: c.Algorithm, Mode: certificate, Operation: handshakeKeys}, nil
}

func (j *Judge) handshakeVector(c result.Case) (*provider.Vector, error) {
	root, err := j.keyOf(rootKey)
	if err != nil {
		return nil, err
	}
	server := &key{}
	switch {
	case c.Mode == algorithm.Ed25519:
		server.pkcs8, err = encode(oidEd25519, asn1.RawValue{}, j.random("key/Ed25519/certificate", 32))
	case slices.Contains(algorithm.Certificates(), c.Mode):
		server, err = j.keyOf(c.Mode)
	default:
		err = provider.Unsupported("no-keys", c.Mode)
	}
	if err != nil {
		return nil, err
	}
	return &provider.Vector{Key: root.scalar, PKCS8: server.pkcs8}, nil
}
