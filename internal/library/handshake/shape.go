package handshake

import (
	"crypto/tls"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// Algorithm and Operation are those of the cases. The mode names key exchange and
// certificate, as in "X25519MLKEM768+ECDSA-P-256"; the parameters are
// resumed=yes|no and transport=memory|tcp.
const (
	Algorithm = "TLS 1.3"
	Operation = "handshake"
)

// Loop is the kind of timed loop.
const Loop = "handshake"

// Transports.
const (
	Memory = "memory"
	TCP    = "tcp"
)

// group is a key exchange.
type group struct {
	name string
	id   tls.CurveID
}

// Groups are the key exchanges by name, and Certificates the kinds of keys that
// servers prove themselves with.
var (
	groups = []group{
		{"X25519", tls.X25519}, {"P-256", tls.CurveP256}, {"X25519MLKEM768", tls.X25519MLKEM768},
	}
	certificates = []string{"RSA-2048", "RSA-4096", "ECDSA-P-256", "Ed25519"}
)

// Shape is what a case asks for.
type Shape struct {
	Group       tls.CurveID
	Certificate string
	Resumed     bool
	Transport   string
}

// ShapeOf reads a case. It is false for one of another kind.
func ShapeOf(c result.Case) (s Shape, ok bool) {
	if c.Algorithm != Algorithm || c.Operation != Operation || c.Bytes != 0 {
		return s, false
	}
	exchange, certificate, _ := strings.Cut(c.Mode, "+")
	i := slices.IndexFunc(groups, func(g group) bool { return g.name == exchange })
	if i < 0 || !slices.Contains(certificates, certificate) {
		return s, false
	}
	s = Shape{Group: groups[i].id, Certificate: certificate, Resumed: c.Parameter("resumed") == "yes", Transport: c.Parameter("transport")}
	return s, c.Parameters == s.parameters() && (s.Transport == Memory || s.Transport == TCP)
}

func (s Shape) parameters() string {
	resumed := "no"
	if s.Resumed {
		resumed = "yes"
	}
	return result.Parameters{"resumed": resumed, "transport": s.Transport}.String()
}

// Open prepares a case. The vector's PKCS8 is the server's private key, and Key
// the root's, of ECDSA on P-256. Certificates are made by the first Run: opening
// is cheap.
func Open(c result.Case, v *provider.Vector) (provider.Operation, error) {
	s, ok := ShapeOf(c)
	if !ok {
		return nil, provider.Absent("not-offered", "crypto/tls", c.Mode+" "+c.Parameters)
	}
	if s.Transport == TCP {
		if err := loopbackThere(); err != nil {
			return nil, err
		}
	}
	return newOperation(s, v), nil
}

// Note says what a reader of a row must know.
func Note(c result.Case) string {
	note := "both sides in one process; verified chain of two certificates, the root's of ECDSA P-256; one byte each way and the tickets are part of it; "
	if c.Parameter("transport") == TCP {
		return note + "a TCP connection over 127.0.0.1 each"
	}
	return note + "in memory, both sides on one thread"
}
