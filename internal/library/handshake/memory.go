package handshake

import (
	"errors"
	"iter"
	"net"
	"runtime"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/clock"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

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

func (h *half) peer() *half {
	if h.serves {
		return &h.exchange.client
	}
	return &h.exchange.server
}

func (h *half) Write(b []byte) (int, error) {
	h.written += int64(len(b))
	h.first = append(h.first, b[:min(len(b), firstMost-len(h.first))]...)
	other := h.peer()
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
