package handshake

import (
	"net"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/arrival"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/result"
)

// sides is what the two sides of a connection do.
type sides struct {
	client func(net.Conn) error
	server func(net.Conn) error
}

// traffic is what is known of one connection.
type traffic struct {
	toServer, toClient   int64 // bytes
	clientCPU, serverCPU int64 // ns of thread time; 0 where they are not told apart
	firstOfServer        []byte
	firstOfClient        []byte // in memory alone
}

// meeting is where connections are made, one after the other, and what they were like.
type meeting struct {
	transport parameter.Connection
	x         exchange  // in memory
	server    *loopback // over TCP, once it listens
	last      traffic   // of the last connection
	since     tally     // the last Record
}

func newMeeting(transport parameter.Connection) meeting {
	return meeting{transport: transport, since: newTally()}
}

// tally is what connections were like.
type tally struct {
	connections int64
	traffic     traffic
	latency     arrival.Histogram
}

func newTally() tally { return tally{latency: arrival.NewHistogram(3)} }

func (m *meeting) Loop() string        { return Loop }
func (m *meeting) Clock() result.Clock { return result.ProcessClock }

// open begins to listen, where that is needed.
func (m *meeting) open(serve func(net.Conn) error) (err error) {
	if m.transport == parameter.TCP {
		m.server, err = listen(serve)
	}
	return err
}

// meet makes one connection.
func (m *meeting) meet(s sides) (err error) {
	if m.server != nil {
		m.last, err = m.server.connect(s.client)
		return err
	}
	m.last, err = inMemory(&m.x, s)
	return err
}

// timed makes one connection and records it.
func (m *meeting) timed(s sides) error {
	begun := time.Now()
	if err := m.meet(s); err != nil {
		return err
	}
	t := &m.since
	t.latency.Record(time.Since(begun))
	t.connections++
	t.traffic.toServer += m.last.toServer
	t.traffic.toClient += m.last.toClient
	t.traffic.clientCPU += m.last.clientCPU
	t.traffic.serverCPU += m.last.serverCPU
	return nil
}

// Record gives latencies and, for each connection, bytes on the wire and CPU time by side.
func (m *meeting) Record() (result.Record, error) {
	var r result.Record
	t := m.since
	m.since = newTally()
	if t.connections == 0 {
		return r, nil
	}
	loop.AddLatency(&r, "latency", t.latency)
	add := func(name, unit string, total int64) {
		r.Metrics = append(r.Metrics, result.Metric{Name: name, Value: float64(total) / float64(t.connections), Unit: unit})
	}
	add("bytes_to_server", "B", t.traffic.toServer)
	add("bytes_to_client", "B", t.traffic.toClient)
	if t.traffic.serverCPU > 0 {
		add("client_cpu_ns", "ns", t.traffic.clientCPU)
		add("server_cpu_ns", "ns", t.traffic.serverCPU)
	}
	return r, nil
}

// Close ends listening.
func (m *meeting) Close() error {
	if m.server == nil {
		return nil
	}
	err := m.server.close()
	m.server = nil
	return err
}
