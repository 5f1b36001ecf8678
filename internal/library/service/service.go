// Package service is the timed loop of an HTTP service: a server of net/http in this process, and a client
// in a process of its own, which meet over the loopback interface.
//
//	service.go    what a case asks for, and opening one
//	server.go     the server, and what it saw of its connections
//	payload.go    bodies that the application seals and signs
//	orders.go     what the client is told, and what it says
//	operation.go  the operation and its judgement
//	load.go       requests that arrive at a constant rate, and their latency
//	standing.go   the server by itself
//	system_linux.go  a CPU for either side, and room for connections
//
// # What a call is
//
// One request and its answer. The client sends each over one of [Connections] connections, the next when
// it has the answer, so that the server always has work; each answer's status and body are compared with the
// right ones. With new connections a call holds the TCP connection and the handshake, too.
//
// The server has the body, a document in JSON, ready in memory: it does nothing else for a request, so that
// what encryption takes of its CPU is the most that it can take of a service's. A body that the application
// seals is sealed anew for each answer, into a buffer that is used again; the client opens it by another
// library, and verifies what is signed.
//
// # Clock
//
// The headline is the process's CPU time: all that the server does, the kernel's part of it included and the
// garbage collection that falls into it, and nothing of the client, which is another process. The process has one
// CPU and one P, as a server of one CPU has; the client keeps to the others.
//
// # Downloads
//
// A download is one long answer, of pieces, over one connection. Each cipher suite of TLS 1.3 is measured as
// crypto/tls has it on both sides. Its Config can't choose among them, and a server takes AES-256-GCM from no client
// that offers AES-128-GCM, too: so the client offers one alone (internal/asking says how), and the server, which is
// as it always is, has no choice.
//
// # The server by itself
//
// `cryptogauge worker --serve MODE` starts the very server that is measured, for another generator than its client:
// its CPU time can be held against what the kernel accounts, and its rate against what others measure.
package service

import (
	"crypto/cipher"
	"net"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/handshake"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// Shape is what a case asks for.
type Shape struct {
	Protection  algorithm.Mode // of the connection
	Payload     algorithm.Mode // how the application seals and signs the body; "": not at all
	Connections parameter.Reuse
	Suite       algorithm.Name // of a download by TLS
	Download    bool           // the body is long, and made of pieces
	Load        int            // percent of what the server can do, at which requests arrive; 0: each follows an answer
	Bytes       int64          // of an answer's body, before it is sealed
}

const (
	// MostBytes is the longest body that is one piece: the client holds it, to compare.
	MostBytes = 16 << 20
	// MostDownloaded is the longest body of pieces, and PieceBytes is how long each is. They are alike.
	MostDownloaded = 1 << 30
	PieceBytes     = 64 << 10
)

// ShapeOf reads a case. It is false for one of another kind.
func ShapeOf(c result.Case) (s Shape, ok bool) {
	s = Shape{Protection: c.Mode, Connections: parameter.Connections.In(c.Parameters), Load: parameter.Load.In(c.Parameters), Bytes: c.Bytes}
	keys := []parameter.Key{parameter.Connections}
	if s.Load > 0 {
		keys = append(keys, parameter.Load)
	}
	if _, _, sealed := algorithm.PayloadParts(c.Mode); sealed {
		s.Protection, s.Payload = algorithm.Cleartext, c.Mode
	}
	if c.Operation == algorithm.Download {
		return s, s.isDownload(c)
	}
	switch {
	case c.Algorithm != algorithm.HTTP || c.Operation != algorithm.Serve,
		!slices.Contains(algorithm.Protections(), s.Protection),
		s.Connections == "" || !parameter.Are(c.Parameters, keys...),
		s.Connections == parameter.ResumedOnes && s.Protection == algorithm.Cleartext,
		s.Bytes < 1 || s.Bytes > MostBytes:
		return s, false
	}
	return s, true
}

// isDownload says whether a case is a download: over a connection of some cipher suite, or in the clear.
func (s *Shape) isDownload(c result.Case) bool {
	s.Download, s.Load = true, 0
	kept := parameter.Connections.Is(parameter.KeptOnes)
	if s.Suite = parameter.Suite.In(c.Parameters); s.Protection == algorithm.ByTLS && s.Suite != "" {
		kept = parameter.With(kept, parameter.Suite.Is(s.Suite))
	}
	return c.Algorithm == algorithm.HTTP && c.Parameters == kept && s.Payload == "" && s.Bytes >= 1 && s.Bytes <= MostDownloaded &&
		(s.Protection == algorithm.Cleartext || s.Protection == algorithm.ByTLS && s.Suite != "")
}

// atOnce is over how many connections the client asks.
func (s Shape) atOnce() int {
	if s.Download {
		return 1
	}
	return Connections
}

// mostAtOnce is over how many connections the client asks at the most.
func (s Shape) mostAtOnce() int {
	if s.Load > 0 {
		return MostAtOnce
	}
	return s.atOnce()
}

// Maker is what a library brings to a service. What it does not bring is nil.
type Maker struct {
	Library string
	Allowed func(result.Case) error // what a policy says
	Seal    func(key []byte) (cipher.AEAD, error)
	Sign    func(signer algorithm.Name, v *provider.Vector) (Signer, error)
	Secure  func(v *provider.Vector) (Secured, error) // of TLCP
}

// Secured is what protects connections in the place of crypto/tls.
type Secured struct {
	Name string // of the server's certificate
	Root []byte // who vouches for it, DER
	// Listen secures the connections that a listener accepts. Once hands are shaken it calls one or the other: a
	// connection is what it should be, or not.
	Listen func(l net.Listener, right, strange func()) net.Listener
}

// brings says whether the library has what a case needs of it.
func (m Maker) brings(s Shape) bool {
	_, signer, _ := algorithm.PayloadParts(s.Payload)
	return (s.Payload == "" || m.Seal != nil) && (signer == "" || m.Sign != nil) && (s.Protection != algorithm.ByTLCP || m.Secure != nil)
}

// Open prepares a case. The vector's keys are those of a handshake, or those that bodies are sealed and signed
// with; its plaintext is the body. Server and client begin with the first Run: opening is cheap.
func (m Maker) Open(c result.Case, vs provider.Vectors) (provider.Operation, error) {
	s, ok := ShapeOf(c)
	if !ok || s.Load > 0 || !m.brings(s) {
		return nil, provider.Absent("not-offered", m.Library, c.Name()+" "+c.Operation+" "+c.Parameters)
	}
	return m.prepared(s, c, vs)
}

func (m Maker) prepared(s Shape, c result.Case, vs provider.Vectors) (*operation, error) {
	if m.Allowed != nil {
		if err := m.Allowed(c); err != nil {
			return nil, err
		}
	}
	start := provider.SettingOf(vs).Client
	if start == nil {
		return nil, provider.Unsupported("no-client")
	}
	v, err := vs.Vector(c)
	if err != nil {
		return nil, err
	}
	return &operation{maker: m, shape: s, vector: v, start: start, listen: handshake.OnLoopback}, nil
}

// Note is what a reader of the row must know.
func Note(c result.Case) string {
	note := "a server of net/http on one CPU; CPU time of its process, the kernel's part included; " +
		"the client is another process; 16 connections over 127.0.0.1"
	if c.Operation == algorithm.Download {
		return "a server of net/http on one CPU; CPU time of its process, the kernel's part included; " +
			"the client is another process; one connection over 127.0.0.1; the client offers this cipher suite alone"
	}
	if parameter.Load.Has(c.Parameters) {
		note = "a server of net/http on one CPU; the client is another process; " +
			"requests arrive at a constant rate, over at most 64 connections at 127.0.0.1"
	}
	if c.Mode == algorithm.ByTLCP {
		note += "; by gmtls, which is no longer maintained: the last release of its module is of July 2021"
	}
	if _, signer, sealed := algorithm.PayloadParts(c.Mode); signer != "" {
		note += "; the body is sealed under a nonce that is drawn for each answer, and signed"
	} else if sealed {
		note += "; the body is sealed under a nonce that is drawn for each answer"
	}
	return note
}
