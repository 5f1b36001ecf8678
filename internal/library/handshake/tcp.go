package handshake

import (
	"errors"
	"net"
	"sync"
	"time"

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

// onLoopback listens where nobody else can connect, on a port of the system's choice.
func onLoopback() (net.Listener, error) { return net.Listen("tcp4", "127.0.0.1:0") }

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
	listener, err := onLoopback()
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

// connect lets a client talk to the server, and says what was on the wire.
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
	if served := <-l.served; served != nil && (err == nil || errors.Is(err, errStuck)) {
		err = served
	}
	return traffic{toServer: counted.written, toClient: counted.read, firstOfServer: counted.first}, err
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
