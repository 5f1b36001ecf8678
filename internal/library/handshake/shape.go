package handshake

import (
	"crypto/tls"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// Loop is the kind of timed loop.
const Loop = "handshake"

// groups are the key exchanges by name.
var groups = map[algorithm.Name]tls.CurveID{
	algorithm.X25519: tls.X25519, algorithm.P256: tls.CurveP256, algorithm.X25519MLKEM768: tls.X25519MLKEM768,
}

// Shape is what a case asks for.
type Shape struct {
	Group       tls.CurveID
	Certificate string
	Resumed     bool
	Transport   parameter.Connection
}

// ShapeOf reads a case. It is false for one of another kind.
func ShapeOf(c result.Case) (s Shape, ok bool) {
	if c.Algorithm != algorithm.TLS13 || c.Operation != algorithm.Handshake || c.Bytes != 0 {
		return s, false
	}
	exchange, certificate := algorithm.HandshakeParts(c.Mode)
	group, known := groups[exchange]
	if !known || !slices.Contains(algorithm.Certificates(), certificate) || parameter.Resumed.In(c.Parameters) == "" {
		return s, false
	}
	s = Shape{Group: group, Certificate: certificate, Resumed: parameter.Resumed.In(c.Parameters) == parameter.Yes,
		Transport: parameter.Transport.In(c.Parameters)}
	return s, s.Transport != "" && parameter.Are(c.Parameters, parameter.Resumed, parameter.Transport)
}

// Open prepares a case. The vector's PKCS8 is the server's private key, and Key
// the root's, of ECDSA on P-256. Certificates are made by the first Run: opening
// is cheap.
func Open(c result.Case, v *provider.Vector) (provider.Operation, error) {
	s, ok := ShapeOf(c)
	if !ok {
		return nil, provider.Absent("not-offered", "crypto/tls", c.Mode+" "+c.Parameters)
	}
	if s.Transport == parameter.TCP {
		if err := loopbackThere(); err != nil {
			return nil, err
		}
	}
	return newOperation(s, v), nil
}

// Note says what a reader of a row must know.
func Note(c result.Case) string {
	note := "both sides in one process; verified chain of two certificates, the root's of ECDSA P-256; one byte each way and the tickets are part of it; "
	if parameter.Transport.In(c.Parameters) == parameter.TCP {
		return note + "a TCP connection over 127.0.0.1 each"
	}
	return note + "in memory, both sides on one thread"
}
