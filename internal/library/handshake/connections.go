package handshake

import (
	"io"
	"net"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/arrival"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

type sides struct{ client, server func(net.Conn) error }

type traffic struct {
	toServer, toClient           int64  // bytes
	clientCPU, serverCPU         int64  // ns of thread time; 0 where they are not told apart
	firstOfServer, firstOfClient []byte // the client's in memory alone
}

// connections are made one after the other, and what they were like is recorded.
type connections struct {
	transport parameter.Connection
	x         exchange          // in memory
	server    *loopback         // over TCP, once it listens
	last      traffic           // of the last connection
	since     traffic           // of all since the last Record
	latency   arrival.Histogram // of each of them
	ran       bool              // since the last check
}

func over(transport parameter.Connection) connections {
	return connections{transport: transport, latency: arrival.NewHistogram(3)}
}

func (m *connections) Loop() string        { return algorithm.Handshake }
func (m *connections) Clock() result.Clock { return result.ProcessClock }

func (m *connections) open(serve func(net.Conn) error) (err error) {
	if m.transport == parameter.TCP && m.server == nil {
		m.server, err = listen(serve)
	}
	return err
}

func (m *connections) connect(s sides) (err error) {
	if m.server != nil {
		m.last, err = m.server.connect(s.client)
	} else {
		m.last, err = inMemory(&m.x, s)
	}
	return err
}

func (m *connections) run(n int, s sides) error {
	for range n {
		begun := time.Now()
		if err := m.connect(s); err != nil {
			return err
		}
		m.latency.Record(time.Since(begun))
		m.since.toServer += m.last.toServer
		m.since.toClient += m.last.toClient
		m.since.clientCPU += m.last.clientCPU
		m.since.serverCPU += m.last.serverCPU
	}
	m.ran = n > 0
	return nil
}

func (m *connections) Record() (result.Record, error) {
	var r result.Record
	n := m.latency.TotalCount()
	if n == 0 {
		return r, nil
	}
	loop.AddLatency(&r, "latency", m.latency)
	add := func(name, unit string, total int64) {
		r.Metrics = append(r.Metrics, result.Metric{Name: name, Value: float64(total) / float64(n), Unit: unit})
	}
	add("bytes_to_server", "B", m.since.toServer)
	add("bytes_to_client", "B", m.since.toClient)
	if m.since.serverCPU > 0 {
		add("client_cpu_ns", "ns", m.since.clientCPU)
		add("server_cpu_ns", "ns", m.since.serverCPU)
	}
	m.since = traffic{}
	m.latency.Reset()
	return r, nil
}

func (m *connections) Close() error {
	if m.server == nil {
		return nil
	}
	err := m.server.close()
	m.server = nil
	return err
}

// flights are about what a full handshake sends in turn, in bytes, the client
// first: with a share of ML-KEM, a chain of ECDSA, and a byte each way at the end.
var flights = [...]int{1500, 2500, 100, 300}

// NewEmpty is the loop around nothing: the same flights over the same connections,
// without TLS. What it takes is the laboratory's own cost, and the system's.
func NewEmpty(c result.Case) (provider.Operation, error) {
	transport := parameter.Transport.In(c.Parameters)
	if transport == "" || !parameter.Are(c.Parameters, parameter.Transport) || c.Mode != "" || c.Bytes != 0 {
		return nil, provider.Absent("parameters", c.Operation, "transport=memory|tcp", c.Parameters)
	}
	if err := reachable(transport, OnLoopback); err != nil {
		return nil, err
	}
	return &empty{over(transport)}, nil
}

type empty struct{ connections }

func (o *empty) Run(n int) error {
	const client, server = 0, 1
	s := sides{
		client: func(conn net.Conn) error { return talk(conn, client) },
		server: func(conn net.Conn) error { return talk(conn, server) },
	}
	if err := o.open(s.server); err != nil {
		return err
	}
	return o.run(n, s)
}

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
func (o *empty) Check() error {
	if !o.ran {
		return provider.ErrNotRun
	}
	o.ran = false
	if o.last.toServer != int64(flights[0]+flights[2]) || o.last.toClient != int64(flights[1]+flights[3]) {
		return reason.New("wire-other")
	}
	return nil
}
