// Package handshake is the timed loop of TLS handshakes: a client and a server of
// crypto/tls in one process, which meet in memory or over the loopback interface.
//
//	handshake.go   what a case asks for, and opening one
//	pair.go        the certificates and configurations of both sides, made once
//	transport.go   both sides on one thread, taking turns, and a connection between them;
//	               or the server on goroutines of its own behind a listener on 127.0.0.1
//	connections.go connections one after the other, what is recorded of them, and the same without TLS
//	operation.go   the operation and its judgement
//	wire.go        what the first messages say, and the handshake replayed by the reference
//
// # What a call is
//
// One handshake, from making both tls.Conn to the moment at which the client has
// read one byte of application data that the server sent back, and with it the
// tickets before it. Certificates are verified by the client against a root that it
// trusts; the server asks for none. Nothing is closed with an alert.
//
// # In memory
//
// Client and server are coroutines of one thread. When the client reads and there
// is nothing to read, the server runs until it waits in turn, and back: as many
// switches as there are flights. No scheduler, no other thread and no second CPU
// has a part in it, neither side can wait for ever (where both wait, that is an
// error), and the thread's clock, read at each switch, tells what each side costs.
//
// # Clocks
//
// The headline is the process's CPU time, so that garbage collection on other threads
// counts, of which handshakes cause plenty, and over TCP the server's work. What is
// divided by side is the thread's CPU time, without it. Latencies are wall time, of both
// sides together.
//
// Another library's TLS (RFC 8998, TLCP) joins with sides of its own: connections do
// not know whose handshakes they time.
package handshake

import (
	"crypto/tls"
	"net"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

var groups = map[algorithm.Name]tls.CurveID{
	algorithm.X25519: tls.X25519, algorithm.P256: tls.CurveP256, algorithm.X25519MLKEM768: tls.X25519MLKEM768,
}

type Shape struct {
	Group     tls.CurveID
	Resumed   bool
	Transport parameter.Connection
}

// ShapeOf reads a case. It is false for one of another kind.
func ShapeOf(c result.Case) (s Shape, ok bool) {
	exchange, certificate := algorithm.HandshakeParts(c.Mode)
	group, known := groups[exchange]
	resumed := parameter.Resumed.In(c.Parameters)
	s = Shape{Group: group, Resumed: resumed == parameter.Yes, Transport: parameter.Transport.In(c.Parameters)}
	return s, c.Algorithm == algorithm.TLS13 && c.Operation == algorithm.Handshake && c.Bytes == 0 &&
		known && slices.Contains(algorithm.Certificates(), certificate) && resumed != "" && s.Transport != "" &&
		parameter.Are(c.Parameters, parameter.Resumed, parameter.Transport)
}

// Open prepares a case. The vector's PKCS8 is the server's private key, and Key
// the root's, of ECDSA on P-256. Certificates are made by the first Run: opening
// is cheap.
func Open(c result.Case, v *provider.Vector) (provider.Operation, error) {
	return open(c, v, OnLoopback)
}

func open(c result.Case, v *provider.Vector, listen func() (net.Listener, error)) (provider.Operation, error) {
	s, ok := ShapeOf(c)
	if !ok {
		return nil, provider.Absent("not-offered", "crypto/tls", c.Mode+" "+c.Parameters)
	}
	if err := reachable(s.Transport, listen); err != nil {
		return nil, err
	}
	return newOperation(s, v), nil
}

func Note(c result.Case) string {
	note := "both sides in one process; verified chain of two certificates, the root's of ECDSA P-256; " +
		"one byte each way and the tickets are part of it; "
	if parameter.Transport.In(c.Parameters) == parameter.TCP {
		return note + "a TCP connection over 127.0.0.1 each"
	}
	return note + "in memory, both sides on one thread"
}
