package handshake

import (
	"io"
	"net"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// flights are about what a full handshake sends in turn, in bytes, the client
// first: with a share of ML-KEM, a chain of ECDSA, and a byte each way at the end.
var flights = []int{1500, 2500, 100, 300}

// NewEmpty is the loop around nothing: the same flights over the same connections,
// without TLS. What it takes is the laboratory's own cost, and the system's.
func NewEmpty(c result.Case) (provider.Operation, error) {
	transport := parameter.Transport.In(c.Parameters)
	asked := result.Case{Algorithm: algorithm.Empty, Operation: algorithm.Handshake, Parameters: parameter.Transport.Is(transport)}
	if transport == "" || c != asked {
		return nil, provider.Absent("parameters", c.Operation, "transport=memory|tcp", c.Parameters)
	}
	if transport == parameter.TCP {
		if err := loopbackThere(); err != nil {
			return nil, err
		}
	}
	return &bare{meeting: newMeeting(transport)}, nil
}

type bare struct {
	meeting
	ran bool
}

func (o *bare) Run(n int) error {
	const client, server = 0, 1
	s := sides{
		client: func(conn net.Conn) error { return talk(conn, client) },
		server: func(conn net.Conn) error { return talk(conn, server) },
	}
	if o.transport == parameter.TCP && o.server == nil {
		if err := o.open(s.server); err != nil {
			return err
		}
	}
	for range n {
		if err := o.timed(s); err != nil {
			return err
		}
	}
	o.ran = n > 0
	return nil
}

// talk writes one side's flights and reads the other's.
func talk(conn net.Conn, side int) error {
	var room [4096]byte
	for i, n := range flights {
		if i%2 == side {
			if _, err := conn.Write(room[:n]); err != nil {
				return err
			}
		} else if _, err := io.ReadFull(conn, room[:n]); err != nil {
			return err
		}
	}
	return nil
}

// Check can prove no more than that all bytes went both ways.
func (o *bare) Check() error {
	if !o.ran {
		return errNotRun
	}
	o.ran = false
	if o.last.toServer != int64(flights[0]+flights[2]) || o.last.toClient != int64(flights[1]+flights[3]) {
		return reason.New("wire-other")
	}
	return nil
}
