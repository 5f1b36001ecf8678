package service_test

import (
	"crypto/x509"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/asking"
	"github.com/cryptogauge/cryptogauge/internal/judge"
	"github.com/cryptogauge/cryptogauge/internal/library/handshake"
	"github.com/cryptogauge/cryptogauge/internal/library/service"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
)

// meddling changes the orders to a client.
type meddling struct {
	io.ReadWriteCloser
	change func(*service.Order)
	urls   []string // of the services that were asked
}

func (m *meddling) Write(b []byte) (int, error) {
	var o service.Order
	if err := json.Unmarshal(b, &o); err != nil {
		return 0, err
	}
	if o.Connections > 0 {
		m.urls = append(m.urls, o.URL)
	}
	m.change(&o)
	if err := json.NewEncoder(m.ReadWriteCloser).Encode(o); err != nil {
		return 0, err
	}
	return len(b), nil
}

// withOrders opens a case whose client is given other orders.
func withOrders(t *testing.T, mode algorithm.Mode, change func(*service.Order)) (provider.Operation, *meddling) {
	t.Helper()
	m := &meddling{change: change}
	vectors := judge.New(provider.Setting{Seed: 1, Client: func() (_ io.ReadWriteCloser, err error) {
		m.ReadWriteCloser, err = asking.InProcess()
		return m, err
	}})
	op, err := maker.Open(caseOf(mode, parameter.NewOnes, 100), vectors)
	if err != nil {
		t.Fatal(err)
	}
	return op, m
}

// foreign is a root and a client of another seed's.
func foreign(t *testing.T) handshake.Certified {
	t.Helper()
	v, err := judge.New(provider.Setting{Seed: 2}).Vector(caseOf(algorithm.ByMutual, parameter.NewOnes, 100))
	if err != nil {
		t.Fatal(err)
	}
	c, err := handshake.Certify(v)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestFaultsAreSaid: what goes wrong with requests ends the operation with its kind as the reason. An answer that
// is wrong makes it incorrect, and nothing else does. Nobody listens any more once it is closed.
func TestFaultsAreSaid(t *testing.T) {
	others := foreign(t)
	key, err := x509.MarshalPKCS8PrivateKey(others.Client.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name      string
		mode      algorithm.Mode
		change    func(*service.Order)
		says      []string // of which one: an alert may be lost behind the end of the connection
		incorrect bool
	}{
		{"nothing", algorithm.ByMutual, func(*service.Order) {}, nil, false},
		{"missing client certificate", algorithm.ByMutual, func(o *service.Order) { o.Certificate, o.Key = nil, nil },
			[]string{"the handshake failed (remote error", "reset or closed before"}, false},
		{"foreign client certificate", algorithm.ByMutual, func(o *service.Order) {
			if o.Certificate != nil {
				o.Certificate, o.Key = others.Client.Certificate[0], key
			}
		}, []string{"the handshake failed (remote error", "reset or closed before"}, false},
		{"foreign server", algorithm.ByTLS, func(o *service.Order) {
			if o.Root != nil {
				o.Root = others.Root.Raw
			}
		}, []string{"the handshake failed (x509: certificate signed by unknown authority"}, false},
		{"another name", algorithm.ByTLS, func(o *service.Order) { o.Name = "another.invalid" }, []string{"the handshake failed (x509: certificate is valid for"}, false},
		{"another body", algorithm.Cleartext, func(o *service.Order) {
			if o.Connections > 0 {
				o.Body[3] ^= 1
			}
		}, []string{"the wrong body (100 bytes)"}, true},
		{"too little", algorithm.Cleartext, func(o *service.Order) { o.Body = append(o.Body, '}') }, []string{"the wrong body (100 bytes)"}, true},
		{"no patience", algorithm.Cleartext, func(o *service.Order) { o.Patience = -time.Second }, []string{"no whole answer in time"}, false},
		{"another service", algorithm.Cleartext, func(o *service.Order) { o.URL = "http://127.0.0.1:1/" }, []string{"the connection was refused (127.0.0.1:1)"}, false},
	} {
		op, m := withOrders(t, test.mode, test.change)
		err := op.Run(3)
		if len(test.says) == 0 && errors.Join(err, op.Check()) != nil || len(test.says) > 0 && !saysOne(err, test.says) {
			t.Errorf("%s: %v", test.name, err)
		}
		if errors.Is(err, provider.ErrIncorrect) != test.incorrect {
			t.Errorf("%s: incorrect is not %v: %v", test.name, test.incorrect, err)
		}
		if len(test.says) > 0 && op.Check() == nil {
			t.Errorf("%s: judged right", test.name)
		}
		if err := op.Close(); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		nobodyListens(t, m.urls)
	}
}

func saysOne(err error, says []string) bool {
	for _, s := range says {
		if err != nil && strings.Contains(err.Error(), s) {
			return true
		}
	}
	return false
}

// nobodyListens looks into this process: another one may have been given a port as soon as it was free.
func nobodyListens(t *testing.T, urls []string) {
	t.Helper()
	listening := ownListeners(t)
	for _, text := range urls {
		at, err := url.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if listening[at.Port()] {
			t.Errorf("somebody still listens at %s", at.Host)
		}
	}
}

// ownListeners are the TCP ports at which this process listens (proc_pid_fd(5), proc_net(5)).
func ownListeners(t *testing.T) map[string]bool {
	t.Helper()
	links, err := filepath.Glob("/proc/self/fd/*")
	if err != nil {
		t.Fatal(err)
	}
	own := map[string]bool{}
	for _, link := range links {
		if to, err := os.Readlink(link); err == nil {
			own[to] = true
		}
	}
	ports := map[string]bool{}
	for _, path := range []string{"/proc/self/net/tcp", "/proc/self/net/tcp6"} {
		table, err := os.ReadFile(path)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(table)) {
			const listens = "0A"
			fields := strings.Fields(line)
			if len(fields) < 10 || fields[3] != listens || !own["socket:["+fields[9]+"]"] {
				continue
			}
			_, hex, _ := strings.Cut(fields[1], ":")
			port, err := strconv.ParseUint(hex, 16, 16)
			if err != nil {
				t.Fatal(err)
			}
			ports[strconv.FormatUint(port, 10)] = true
		}
	}
	return ports
}

// TestOwnListeners: a port is found while it is listened at, and not behind that.
func TestOwnListeners(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	if !ownListeners(t)[port] {
		t.Errorf("port %s was not found", port)
	}
	if l.Close(); ownListeners(t)[port] {
		t.Errorf("port %s is still found", port)
	}
}

// TestClientThatCannotKeepPace: its latencies are its own, and not taken.
func TestClientThatCannotKeepPace(t *testing.T) {
	c := caseOf(algorithm.Cleartext, parameter.KeptOnes, 10)
	c.Parameters = parameter.With(c.Parameters, parameter.Load.Is(50))
	for _, kept := range []string{"true", "false"} {
		answers := `{}{"right":16}{"right":1000,"took":1000000000}` +
			`{"right":500,"took":1000000000,"asked":500,"behind":0.05,"kept":` + kept + `,"latency":[[1000,500]],"late":[[900,500]]}`
		vectors := judge.New(provider.Setting{Seed: 1, Client: func() (io.ReadWriteCloser, error) {
			return &lying{Reader: strings.NewReader(answers)}, nil
		}})
		s, err := maker.OpenScenario(c, vectors)
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Measure(t.Context(), provider.Budget{Seconds: 0.1})
		if err != nil {
			t.Fatal(err)
		}
		var latency, late, behind bool
		for _, h := range r.Histograms {
			latency, late = latency || h.Name == "latency", late || h.Name == "schedule_error"
		}
		for _, m := range r.Metrics {
			behind = behind || m.Name == "behind" && m.Value == 0.05
			latency = latency || strings.HasPrefix(m.Name, "latency")
		}
		if latency != (kept == "true") || !late || !behind {
			t.Errorf("kept %s: %+v", kept, r)
		}
		if s.Check() == nil { // the server has seen no request
			t.Error("what was never sent is judged right")
		}
		s.Close()
	}
}

// TestNoRightAnswerUnderLoad: there is no rate of which a load could be a share.
func TestNoRightAnswerUnderLoad(t *testing.T) {
	c := caseOf(algorithm.Cleartext, parameter.KeptOnes, 10)
	c.Parameters = parameter.With(c.Parameters, parameter.Load.Is(50))
	for answer, want := range map[string]string{
		`{"took":1000000000,"failures":{"reset":7},"kind":"reset","said":"7 of 7 requests: EOF"}`: "reset or closed before the answer (7 of 7 requests: EOF)",
		`{"failed":"7 of 9 requests: 3 bytes","kind":"wrong_body","wrong":true}`:                  "wrong body (7 of 9 requests: 3 bytes)",
	} {
		vectors := judge.New(provider.Setting{Seed: 1, Client: func() (io.ReadWriteCloser, error) {
			return &lying{Reader: strings.NewReader(`{}{"right":16}` + answer)}, nil
		}})
		s, err := maker.OpenScenario(c, vectors)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Measure(t.Context(), provider.Budget{Seconds: 0.1})
		if err == nil || !strings.Contains(err.Error(), want) || errors.Is(err, provider.ErrIncorrect) != strings.Contains(answer, `"wrong":true`) {
			t.Errorf("%s: %v", answer, err)
		}
		s.Close()
	}
}
