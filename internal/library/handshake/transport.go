package handshake

import (
	"cmp"
	"errors"
	"iter"
	"net"
	"runtime"
	"sync"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/clock"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// patience is how long a handshake over TCP may take: a machine that is that busy
// measures nothing.
const patience = 20 * time.Second

// loopback is a server that listens on 127.0.0.1 and serves one connection after
// the other.
type loopback struct {
	listener net.Listener
	serve    func(net.Conn) error
	served   chan error
	done     sync.WaitGroup
}

// OnLoopback listens where nobody else can connect, on a port of the system's choice.
func OnLoopback() (net.Listener, error) { return net.Listen("tcp4", "127.0.0.1:0") }

// reachable says that there is no loopback interface, or that a policy forbids it, where
// a transport needs one.
func reachable(transport parameter.Connection, listen func() (net.Listener, error)) error {
	if transport != parameter.TCP {
		return nil
	}
	listener, err := listen()
	if err != nil {
		return provider.Unsupported("no-listening", err)
	}
	return listener.Close()
}

func listen(serve func(net.Conn) error) (*loopback, error) {
	listener, err := OnLoopback()
	if err != nil {
		return nil, reason.New("no-listening", err)
	}
	l := &loopback{listener: listener, serve: serve, served: make(chan error, 1)}
	l.done.Go(l.accept)
	return l, nil
}

func (l *loopback) accept() {
	for {
		conn, err := l.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err == nil {
			err = provider.Guard(func() error {
				if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
					return err
				}
				return l.serve(conn)
			})
			_ = conn.Close()
		}
		l.served <- err
	}
}

// close ends listening, and waits until nothing is served any more.
func (l *loopback) close() error {
	err := l.listener.Close()
	over := make(chan struct{})
	go func() { l.done.Wait(); close(over) }()
	select {
	case <-l.served: // of a client that gave up
		<-over
	case <-over:
	}
	return err
}

func (l *loopback) connect(client func(net.Conn) error) (traffic, error) {
	conn, err := net.DialTimeout("tcp4", l.listener.Addr().String(), patience)
	if err != nil {
		return traffic{}, reason.New("connecting", err)
	}
	counted := &countedConn{Conn: conn}
	err = conn.SetDeadline(time.Now().Add(patience))
	if err == nil {
		err = client(counted)
	}
	// Without lingering no port is left waiting: there are fewer than handshakes in a run.
	if tcp, ok := conn.(*net.TCPConn); ok && err == nil {
		err = tcp.SetLinger(0)
	}
	_ = conn.Close()
	served := <-l.served
	return traffic{toServer: counted.written, toClient: counted.read, firstOfServer: counted.first}, cmp.Or(err, served)
}

type countedConn struct {
	net.Conn
	written, read int64
	first         []byte // that was read, up to firstMost
}

func (c *countedConn) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	c.written += int64(n)
	return n, err
}

func (c *countedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.read += int64(n)
	c.first = append(c.first, b[:min(n, firstMost-len(c.first))]...)
	return n, err
}

var errStuck = reason.New("stuck")

type exchange struct {
	client, server half
	resume         func() (struct{}, bool) // runs the server until it waits
	wait           func(struct{}) bool     // of the server: gives the client its turn

	started, spent int64 // thread time: when the server's turn began, and all it had
}

type half struct {
	*exchange
	in      []byte // what the other side wrote and this one has not read
	written int64
	first   []byte // what this side wrote, kept up to firstMost: the hellos are in it
	serves  bool
}

// firstMost holds a ClientHello with a share of ML-KEM, and a ServerHello.
const firstMost = 4096

func (h *half) Write(b []byte) (int, error) {
	h.written += int64(len(b))
	h.first = append(h.first, b[:min(len(b), firstMost-len(h.first))]...)
	other := &h.exchange.server
	if h.serves {
		other = &h.exchange.client
	}
	other.in = append(other.in, b...)
	return len(b), nil
}

// Read takes what there is, or gives the other side its turn until there is.
func (h *half) Read(b []byte) (int, error) {
	if len(h.in) == 0 {
		if err := h.turn(); err != nil {
			return 0, err
		}
	}
	n := copy(b, h.in)
	h.in = h.in[:copy(h.in, h.in[n:])]
	return n, nil
}

func (h *half) turn() error {
	if h.serves {
		x := h.exchange
		x.spent += clock.Thread() - x.started
		more := x.wait(struct{}{})
		x.started = clock.Thread()
		if !more || len(h.in) == 0 {
			return errStuck
		}
		return nil
	}
	if h.exchange.resume(); len(h.in) == 0 {
		return errStuck
	}
	return nil
}

// The rest of net.Conn. Nothing waits here, so there are no deadlines to keep.

func (h *half) Close() error                     { return nil }
func (h *half) LocalAddr() net.Addr              { return &net.UnixAddr{} }
func (h *half) RemoteAddr() net.Addr             { return &net.UnixAddr{} }
func (h *half) SetDeadline(time.Time) error      { return nil }
func (h *half) SetReadDeadline(time.Time) error  { return nil }
func (h *half) SetWriteDeadline(time.Time) error { return nil }

// inMemory lets a client and a server talk, and says what was on the wire. Buffers
// of an exchange before are used again, as a connection's are by the kernel.
func inMemory(x *exchange, s sides) (t traffic, err error) {
	runtime.LockOSThread() // whose clock is read
	defer runtime.UnlockOSThread()
	*x = exchange{
		client: half{in: x.client.in[:0], first: x.client.first[:0]},
		server: half{in: x.server.in[:0], first: x.server.first[:0], serves: true},
	}
	x.client.exchange, x.server.exchange = x, x
	begun := clock.Thread()
	var serverErr error
	next, stop := iter.Pull(func(yield func(struct{}) bool) {
		x.wait, x.started = yield, clock.Thread()
		serverErr = s.server(&x.server)
		x.spent += clock.Thread() - x.started
	})
	x.resume = next
	err = s.client(&x.client)
	next() // the server's last turn, where it has one
	stop()
	if serverErr != nil && (err == nil || errors.Is(err, errStuck)) {
		err = serverErr
	}
	all := clock.Thread() - begun
	return traffic{toServer: x.client.written, toClient: x.server.written,
		serverCPU: x.spent, clientCPU: all - x.spent,
		firstOfClient: x.client.first, firstOfServer: x.server.first}, err
}
