package handshake

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// keys is a vector with keys of ECDSA, drawn anew.
func keys(t *testing.T) *provider.Vector {
	t.Helper()
	root, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	server, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	v := &provider.Vector{}
	if v.Key, err = root.Bytes(); err != nil {
		t.Fatal(err)
	}
	if v.PKCS8, err = x509.MarshalPKCS8PrivateKey(server); err != nil {
		t.Fatal(err)
	}
	return v
}

func fullInMemory() Shape {
	return Shape{Group: tls.X25519, Transport: parameter.InMemory}
}

// prepared is an operation whose configurations may still be spoiled.
func prepared(t *testing.T, s Shape) *operation {
	t.Helper()
	o := newOperation(s, keys(t))
	if err := o.prepare(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = o.Close() })
	return o
}

// TestPlantedHandshakes: what is not as asked is caught, in words that name it.
func TestPlantedHandshakes(t *testing.T) {
	resumed := fullInMemory()
	resumed.Resumed = true
	for _, test := range []struct {
		name  string
		shape Shape
		spoil func(*operation)
		want  string
	}{
		{"right", fullInMemory(), func(*operation) {}, ""},
		{"right, resumed", resumed, func(*operation) {}, ""},
		{"another key exchange", fullInMemory(), func(o *operation) {
			o.pair.client.CurvePreferences, o.pair.server.CurvePreferences = []tls.CurveID{tls.CurveP256}, []tls.CurveID{tls.CurveP256}
		}, "the key exchange is CurveP256, not X25519"},
		{"TLS 1.2", fullInMemory(), func(o *operation) {
			o.pair.client.MinVersion, o.pair.server.MinVersion, o.pair.server.MaxVersion = tls.VersionTLS12, tls.VersionTLS12, tls.VersionTLS12
		}, "the version is TLS 1.2"},
		{"resumed unasked", fullInMemory(), func(o *operation) { o.pair.tickets.use = true }, "a session was resumed: true, and should be false"},
		{"not resumed", resumed, func(o *operation) { o.pair.tickets.use = false }, "a session was resumed: false, and should be true"},
		{"no ticket", resumed, func(o *operation) { o.pair.server.SessionTicketsDisabled = true }, "a session was resumed: false"},
		{"verifies nothing", fullInMemory(), func(o *operation) { o.pair.client.InsecureSkipVerify = true }, "the client did not verify"},
		{"another certificate", fullInMemory(), func(o *operation) { o.pair.leaf = &x509.Certificate{} }, "the client did not verify"},
		{"believes anybody", fullInMemory(), func(o *operation) {
			chain := o.pair.client.Clone()
			o.pair.client.RootCAs, o.pair.client.VerifyPeerCertificate = chain.RootCAs, nil
			o.wrong = o.pair.server // a server whom the client believes
		}, "the client accepted a certificate of an unknown root"},
		{"no common key exchange", fullInMemory(), func(o *operation) { o.pair.server.CurvePreferences = []tls.CurveID{tls.CurveP256} }, "handshake"},
	} {
		o := prepared(t, test.shape)
		test.spoil(o)
		err := errors.Join(o.Run(2))
		if err == nil {
			err = o.Check()
		}
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
}

// TestWireIsRead: what the ServerHello says is held against the shape, and noise is
// refused without a panic.
func TestWireIsRead(t *testing.T) {
	o := prepared(t, fullInMemory())
	if err := o.Run(1); err != nil {
		t.Fatal(err)
	}
	wire := o.last.firstOfServer
	n, err := readServerHello(wire)
	if err != nil || n.version != tls.VersionTLS13 || n.group != uint16(tls.X25519) || n.preShared || n.holds(o.shape, n.suite) != nil {
		t.Fatalf("%+v, %v", n, err)
	}
	for i, wrong := range []negotiated{
		{0x0303, n.suite, n.group, false}, {n.version, n.suite + 1, n.group, false},
		{n.version, n.suite, 23, false}, {n.version, n.suite, n.group, true},
	} {
		if wrong.holds(o.shape, n.suite) == nil {
			t.Errorf("wrong negotiation %d is taken for right", i)
		}
	}
	for i := range wire[:min(len(wire), 130)] {
		_, _ = readServerHello(wire[:i])
		for _, b := range []byte{0, 0xff} {
			changed := append([]byte{}, wire...)
			changed[i] = b
			_, _ = readServerHello(changed)
		}
	}
}

// TestReplayBites: a change anywhere in the server's first flight, or of the
// transcript, the secret or the certificate, is found.
func TestReplayBites(t *testing.T) {
	o := prepared(t, fullInMemory())
	log := new(strings.Builder)
	o.pair.client.KeyLogWriter = log
	if err := o.Run(1); err != nil {
		t.Fatal(err)
	}
	client, server, suite := o.last.firstOfClient, o.last.firstOfServer, o.client.ConnectionState().CipherSuite
	if err := replay(client, server, log.String(), suite, o.pair.leaf); err != nil {
		t.Fatal(err)
	}
	for _, at := range []int{20, 150, 300, 600, 700} {
		changed := append([]byte{}, server...)
		changed[at] ^= 1
		if replay(client, changed, log.String(), suite, o.pair.leaf) == nil {
			t.Errorf("a change in byte %d of what the server wrote passes", at)
		}
	}
	changed := append([]byte{}, client...)
	changed[50] ^= 1
	for name, err := range map[string]error{
		"another ClientHello": replay(changed, server, log.String(), suite, o.pair.leaf),
		"another certificate": replay(client, server, log.String(), suite, prepared(t, fullInMemory()).pair.leaf),
		"no certificate":      replay(client, server, log.String(), suite, nil),
		"no secret":           replay(client, server, "", suite, o.pair.leaf),
		"another suite":       replay(client, server, log.String(), 0x1302, o.pair.leaf),
		"a wire cut short":    replay(client, server[:500], log.String(), suite, o.pair.leaf),
	} {
		if err == nil {
			t.Errorf("%s passes", name)
		}
	}
}

// TestNobodyWaitsForEver: sides that both read get an error, in memory at once.
func TestNobodyWaitsForEver(t *testing.T) {
	read := func(conn net.Conn) error { _, err := conn.Read(make([]byte, 1)); return err }
	finish := func(net.Conn) error { return nil }
	for _, s := range []sides{{read, read}, {read, finish}, {finish, read}} {
		var x exchange
		if _, err := inMemory(&x, s); !errors.Is(err, errStuck) {
			t.Errorf("%v, want %v", err, errStuck)
		}
	}
}

// TestPanicsComeBack: a library's panic, on either side, is an error of the caller's.
func TestPanicsComeBack(t *testing.T) {
	burst := func(net.Conn) error { panic("burst") }
	read := func(conn net.Conn) error { _, err := conn.Read(make([]byte, 1)); return err }
	for _, s := range []sides{{read, burst}, {burst, read}} {
		err := provider.Guard(func() error {
			var x exchange
			_, err := inMemory(&x, s)
			return err
		})
		if _, ok := errors.AsType[*provider.Panic](err); !ok {
			t.Errorf("%v, want a panic as an error", err)
		}
	}
}

// TestLockedThread: a worker's measuring goroutine holds its thread.
func TestLockedThread(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	o := prepared(t, fullInMemory())
	if err := o.Run(3); err != nil {
		t.Fatal(err)
	}
	if err := o.Check(); err != nil {
		t.Fatal(err)
	}
	if o.last.clientCPU < 0 || o.last.serverCPU < 0 {
		t.Errorf("CPU by side: %+v", o.last)
	}
}

// TestNothingListensAfterwards: the port is closed when the operation is.
func TestNothingListensAfterwards(t *testing.T) {
	s := fullInMemory()
	s.Transport = parameter.TCP
	o := newOperation(s, keys(t))
	if o.server != nil {
		t.Error("an operation that has not run listens")
	}
	if err := o.Run(2); err != nil {
		t.Fatal(err)
	}
	address := o.server.listener.Addr().(*net.TCPAddr)
	if !address.IP.IsLoopback() {
		t.Errorf("it listens on %v", address)
	}
	if err := o.Close(); err != nil {
		t.Fatal(err)
	}
	if conn, err := net.Dial("tcp4", address.String()); err == nil {
		_ = conn.Close()
		t.Errorf("somebody listens on %v", address)
	}
}

// TestGivingUp: a client that gives up over TCP does not keep Close waiting.
func TestGivingUp(t *testing.T) {
	s := fullInMemory()
	s.Transport = parameter.TCP
	o := prepared(t, s)
	gone := errors.New("gone")
	if _, err := o.server.connect(func(net.Conn) error { return gone }); err == nil {
		t.Error("a client that gave up is no error")
	}
	if _, err := o.server.connect(func(conn net.Conn) error {
		_, err := io.WriteString(conn, "no TLS at all")
		return errors.Join(err, gone)
	}); err == nil {
		t.Error("a client without TLS is no error")
	}
	if err := o.Run(1); err != nil {
		t.Errorf("after that: %v", err)
	}
	if err := o.Close(); err != nil {
		t.Error(err)
	}
}

// TestNoLoopback: where nothing may listen, cases over TCP are refused with the reason.
func TestNoLoopback(t *testing.T) {
	none := func() (net.Listener, error) { return nil, errors.New("not in this sandbox") }
	c := result.Case{Algorithm: algorithm.TLS13, Mode: "X25519+ECDSA-P-256", Operation: algorithm.Handshake, Parameters: "resumed=no,transport=tcp"}
	if _, err := open(c, keys(t), none); !errors.Is(err, errors.ErrUnsupported) || errors.Is(err, provider.ErrAbsent) || !strings.Contains(err.Error(), "not in this sandbox") {
		t.Errorf("%v, want unsupported with the reason", err)
	}
	c.Parameters = "resumed=no,transport=memory"
	if _, err := open(c, keys(t), none); err != nil {
		t.Errorf("in memory: %v", err)
	}
}
