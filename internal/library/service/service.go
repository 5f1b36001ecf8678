// Package service is the timed loop of an HTTP service: a server of net/http in this process, and a client
// in a process of its own, which meet over the loopback interface.
//
//	service.go    what a case asks for, and opening one
//	server.go     the server, and what it saw of its connections
//	orders.go     what the client is told, and what it says
//	operation.go  the operation and its judgement
//	cpu_linux.go  a CPU for either side
//
// # What a call is
//
// One request and its answer. The client sends each over one of [Connections] connections, the next when
// it has the answer, so that the server always has work; each answer's status and body are compared with the
// right ones. With new connections a call holds the TCP connection and the handshake, too.
//
// # Clock
//
// The headline is the process's CPU time: all that the server does, the kernel's part of it and garbage
// collection included, and nothing of the client, which is another process. The process has one CPU and one
// P, as a server of one CPU has; the client keeps to the others.
//
// [Connections]: see operation.go.
package service

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// Shape is what a case asks for.
type Shape struct {
	Protection  algorithm.Mode
	Connections parameter.Reuse
	Bytes       int64 // of an answer's body
}

// MostBytes is the longest body: the client holds it, to compare.
const MostBytes = 16 << 20

// ShapeOf reads a case. It is false for one of another kind.
func ShapeOf(c result.Case) (s Shape, ok bool) {
	s = Shape{c.Mode, parameter.Connections.In(c.Parameters), c.Bytes}
	switch {
	case c.Algorithm != algorithm.HTTP || c.Operation != algorithm.Serve,
		!slices.Contains(algorithm.Protections(), s.Protection),
		s.Connections == "" || !parameter.Are(c.Parameters, parameter.Connections),
		s.Connections == parameter.ResumedOnes && s.Protection == algorithm.Cleartext,
		s.Bytes < 1 || s.Bytes > MostBytes:
		return s, false
	}
	return s, true
}

// Open prepares a case. The vector's keys are those of a handshake, its plaintext is the body. Server and
// client begin with the first Run: opening is cheap.
func Open(c result.Case, vs provider.Vectors) (provider.Operation, error) {
	s, ok := ShapeOf(c)
	if !ok {
		return nil, provider.Absent("not-offered", "net/http", c.Name()+" "+c.Operation+" "+c.Parameters)
	}
	start := provider.SettingOf(vs).Client
	if start == nil {
		return nil, provider.Unsupported("no-client")
	}
	v, err := vs.Vector(c)
	if err != nil {
		return nil, err
	}
	return &operation{shape: s, vector: v, start: start}, nil
}

// Note is what a reader of the row must know.
func Note(result.Case) string {
	return "a server of net/http on one CPU; CPU time of its process, the kernel's part included; " +
		"the client is another process; 16 connections over 127.0.0.1"
}
