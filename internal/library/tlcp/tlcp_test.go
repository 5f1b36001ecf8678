package tlcp

import (
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tjfoc/gmsm/gmtls"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/judge"
	"github.com/cryptogauge/cryptogauge/internal/library/service"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// ofSeed is a server's side of some seed.
func ofSeed(t *testing.T, seed uint64) service.Secured {
	t.Helper()
	v, err := judge.New(provider.Setting{Seed: seed}).Vector(result.Case{Algorithm: algorithm.HTTP, Mode: algorithm.ByTLCP,
		Operation: algorithm.Serve, Bytes: 1, Parameters: "connections=new"})
	if err != nil {
		t.Fatal(err)
	}
	s, err := Secure(v)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// echo answers each connection with the bytes that it reads, until the test ends.
func echo(t *testing.T, l net.Listener) {
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				_, _ = io.Copy(conn, conn)
			}()
		}
	}()
}

func onLoopback(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestBothSides: what one side sends the other reads, the server is told that hands were shaken rightly, and none
// of it goes over the wire in the clear.
func TestBothSides(t *testing.T) {
	var right, strange atomic.Int64
	s, l := ofSeed(t, 1), onLoopback(t)
	echo(t, s.Listen(l, func() { right.Add(1) }, func() { strange.Add(1) }))
	client, err := Client(s.Root, s.Name)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		conn, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		wire := &recorded{Conn: conn}
		c, err := client(t.Context(), wire)
		if err != nil {
			t.Fatal(err)
		}
		said := strings.Repeat("what nobody else may read ", 100)
		if _, err := io.WriteString(c, said); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, len(said))
		if _, err := io.ReadFull(c, got); err != nil || string(got) != said {
			t.Errorf("%v, %q", err, got)
		}
		if strings.Contains(wire.seen.String(), "nobody") {
			t.Error("it went over the wire in the clear")
		}
		c.Close()
	}
	if right.Load() != 2 || strange.Load() != 0 {
		t.Errorf("%d right handshakes and %d others", right.Load(), strange.Load())
	}
}

// recorded notes what is written and read.
type recorded struct {
	net.Conn
	seen strings.Builder
}

func (r *recorded) Write(b []byte) (int, error) {
	r.seen.Write(b)
	return r.Conn.Write(b)
}

func (r *recorded) Read(b []byte) (int, error) {
	n, err := r.Conn.Read(b)
	r.seen.Write(b[:n])
	return n, err
}

// TestForeignServer: one whom another root vouches for, or of another name, is refused.
func TestForeignServer(t *testing.T) {
	mine, foreign, l := ofSeed(t, 1), ofSeed(t, 2), onLoopback(t)
	echo(t, foreign.Listen(l, func() {}, func() {}))
	for _, test := range []struct {
		root []byte
		name string
	}{{mine.Root, mine.Name}, {foreign.Root, "another.invalid"}} {
		client, err := Client(test.root, test.name)
		if err != nil {
			t.Fatal(err)
		}
		conn, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.SetDeadline(time.Now().Add(time.Minute))
		if _, err := client(t.Context(), conn); err == nil {
			t.Errorf("a server named %s is accepted", test.name)
		}
		conn.Close()
	}
	if _, err := Client([]byte("no certificate"), mine.Name); err == nil {
		t.Error("a root that is no certificate is accepted")
	}
}

// TestResumingPanics: where a later version of gmtls resumes sessions this test fails, and services can be measured
// that do.
func TestResumingPanics(t *testing.T) {
	s, l := ofSeed(t, 1), onLoopback(t)
	defer l.Close()
	server := s.Listen(l, func() {}, func() {}).(*listener)
	server.config.SessionTicketsDisabled = false
	root, err := Client(s.Root, s.Name)
	if err != nil || root == nil {
		t.Fatal(err)
	}
	config := common()
	config.SessionTicketsDisabled, config.InsecureSkipVerify = false, true
	config.ClientSessionCache = gmtls.NewLRUClientSessionCache(1)
	shake := func() any {
		panicked := make(chan any, 1)
		go func() {
			defer func() { panicked <- recover() }()
			conn, err := server.Accept()
			if err != nil {
				panic(fmt.Sprint("accepting: ", err))
			}
			defer conn.Close()
			_, _ = conn.Read(make([]byte, 1))
		}()
		conn, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		c := gmtls.Client(conn, config)
		if err := c.Handshake(); err == nil {
			_, _ = c.Write([]byte{1})
		}
		return <-panicked
	}
	if first := shake(); first != nil {
		t.Fatalf("a full handshake panics: %v", first)
	}
	if second := shake(); second == nil || !strings.Contains(fmt.Sprint(second), "nil pointer") {
		t.Errorf("a session was resumed, or not tried: %v", second)
	}
}
