package handshake

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"

	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

type operation struct {
	connections
	shape  Shape
	vector *provider.Vector
	pair   *pair // nil until the first Run

	sent   byte                     // application byte of the last handshake
	client *tls.Conn                // of the last handshake
	served atomic.Pointer[tls.Conn] // the server's of it, which over TCP has a goroutine of its own
	wrong  *tls.Config              // a server to be refused
}

func newOperation(s Shape, v *provider.Vector) *operation {
	return &operation{connections: over(s.Transport), shape: s, vector: v}
}

func (o *operation) Run(n int) error {
	if n < 1 {
		return nil
	}
	if o.pair == nil {
		if err := o.prepare(); err != nil {
			return err
		}
	}
	return o.run(n, o.sides(o.pair))
}

func (o *operation) sides(p *pair) sides {
	return sides{
		client: func(conn net.Conn) error { return o.begin(conn, p.client) },
		server: func(conn net.Conn) error { return o.serve(conn, p.server) },
	}
}

func (o *operation) prepare() error {
	p, err := newPair(o.shape, o.vector)
	if err != nil {
		return err
	}
	s := o.sides(p)
	if err := o.open(s.server); err != nil {
		return err
	}
	if o.shape.Resumed {
		o.shape.Resumed = false
		err = o.connect(s)
		o.shape.Resumed = true
		if err != nil {
			return errors.Join(err, o.Close())
		}
	}
	o.pair = p
	return nil
}

func (o *operation) begin(conn net.Conn, config *tls.Config) error {
	o.sent++
	c := tls.Client(conn, config)
	if err := c.Handshake(); err != nil {
		return reason.New("client-handshake", err)
	}
	if _, err := c.Write([]byte{o.sent}); err != nil {
		return err
	}
	var got [1]byte
	if _, err := io.ReadFull(c, got[:]); err != nil {
		return reason.New("reading-back", err)
	}
	if got[0] != o.sent {
		return reason.New("echo", fmt.Sprintf("%#02x", got[0]), fmt.Sprintf("%#02x", o.sent))
	}
	o.client = c
	return agreed(c, o.shape)
}

func agreed(c *tls.Conn, s Shape) error {
	switch state := c.ConnectionState(); {
	case state.Version != tls.VersionTLS13:
		return reason.New("tls-version", tls.VersionName(state.Version))
	case state.CurveID != s.Group:
		return reason.New("tls-group", state.CurveID, s.Group)
	case state.DidResume != s.Resumed:
		return reason.New("tls-resumed", state.DidResume, s.Resumed)
	}
	return nil
}

func (o *operation) serve(conn net.Conn, config *tls.Config) error {
	s := tls.Server(conn, config)
	if err := s.Handshake(); err != nil {
		return reason.New("server-handshake", err)
	}
	var got [1]byte
	if _, err := io.ReadFull(s, got[:]); err != nil {
		return reason.New("reading-sent", err)
	}
	o.served.Store(s)
	_, err := s.Write(got[:])
	return err
}

// Check judges the last handshake by what both sides hold and by what was on the
// wire, and proves that the client refuses a server whom nobody vouches for.
func (o *operation) Check() error {
	ran, client, server, last := o.ran, o.client, o.served.Swap(nil), o.last
	o.ran, o.client = false, nil
	if !ran || client == nil || server == nil {
		return provider.ErrNotRun
	}
	if err := o.same(client, server); err != nil {
		return err
	}
	hello, err := readServerHello(last.firstOfServer)
	if err != nil {
		return err
	}
	if err := hello.holds(o.shape, client.ConnectionState().CipherSuite); err != nil {
		return err
	}
	if err := o.replays(); err != nil {
		return err
	}
	return o.refuses()
}

// replays proves one more handshake of the same kind right, by the reference. It is
// one more because a log of its secrets would be timed with it; in memory, whatever
// the transport is, since what is on the wire is the same.
func (o *operation) replays() error {
	log := new(strings.Builder)
	logged := *o.pair
	logged.client = o.pair.client.Clone()
	logged.client.KeyLogWriter = log
	var x exchange
	seen, err := inMemory(&x, o.sides(&logged))
	o.served.Store(nil)
	if err != nil {
		return err
	}
	leaf := o.pair.leaf
	if o.shape.Resumed {
		leaf = nil
	}
	return replay(seen.firstOfClient, seen.firstOfServer, log.String(), o.client.ConnectionState().CipherSuite, leaf)
}

// same proves that both sides hold the same session, that its certificate was
// verified, and that it is the one that was made.
func (o *operation) same(client, server *tls.Conn) error {
	if err := agreed(server, o.shape); err != nil {
		return reason.New("server", err)
	}
	c, s := client.ConnectionState(), server.ConnectionState()
	if c.CipherSuite != s.CipherSuite {
		return reason.New("suites", tls.CipherSuiteName(c.CipherSuite), tls.CipherSuiteName(s.CipherSuite))
	}
	if len(c.VerifiedChains) == 0 || !bytes.Equal(c.PeerCertificates[0].Raw, o.pair.leaf.Raw) {
		return reason.New("unverified")
	}
	const label = "EXPERIMENTAL cryptogauge"
	ours, err := c.ExportKeyingMaterial(label, nil, 32)
	theirs, bad := s.ExportKeyingMaterial(label, nil, 32)
	if err := errors.Join(err, bad); err != nil {
		return err
	}
	if !bytes.Equal(ours, theirs) {
		return reason.New("secrets")
	}
	return nil
}

// refuses proves that a server with a certificate of an unknown root gets no
// handshake from the client; in memory, whatever the transport is.
func (o *operation) refuses() error {
	if o.wrong == nil {
		keys := *o.vector
		keys.Key = bytes.Clone(keys.Key)
		keys.Key[len(keys.Key)-1] ^= 1 // of a root by the same name, whom the client does not trust
		wrong, err := newPair(o.shape, &keys)
		if err != nil {
			return reason.New("making-wrong", err)
		}
		o.wrong = wrong.server
	}
	config := o.pair.client.Clone()
	config.ClientSessionCache = nil // else it would resume
	var x exchange
	_, err := inMemory(&x, sides{
		client: func(conn net.Conn) error { return tls.Client(conn, config).Handshake() },
		server: func(conn net.Conn) error { return tls.Server(conn, o.wrong).Handshake() },
	})
	if err == nil {
		return reason.New("unknown-root")
	}
	if _, refused := errors.AsType[*tls.CertificateVerificationError](err); !refused {
		return reason.New("root-refused", err)
	}
	return nil
}
