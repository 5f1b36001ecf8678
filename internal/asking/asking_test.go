package asking

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/library/service"
	"github.com/cryptogauge/cryptogauge/internal/traffic"
)

const page = `{"right":true}`

// asked gives orders to a client, and returns its answers.
func asked(t *testing.T, orders ...service.Order) (answers []service.Answer) {
	t.Helper()
	var in, out strings.Builder
	for _, o := range orders {
		if err := json.NewEncoder(&in).Encode(o); err != nil {
			t.Fatal(err)
		}
	}
	if err := Serve(strings.NewReader(in.String()), &out); err != nil {
		t.Fatal(err)
	}
	for said := json.NewDecoder(strings.NewReader(out.String())); ; {
		var a service.Answer
		if err := said.Decode(&a); err == io.EOF {
			return answers
		} else if err != nil {
			t.Fatal(err)
		}
		answers = append(answers, a)
	}
}

// first is an order that says what to ask of a server.
func first(url string) service.Order {
	return service.Order{URL: url, Connect: string(traffic.Kept), Connections: 2, Patience: time.Minute, Body: []byte(page)}
}

// issued is a certificate, and a root that vouches for it.
type issued struct {
	root *x509.Certificate
	pair tls.Certificate
}

func issue(t *testing.T, ends time.Time) issued {
	t.Helper()
	var keys [2]*ecdsa.PrivateKey
	for i := range keys {
		var err error
		if keys[i], err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
			t.Fatal(err)
		}
	}
	made := func(of, by *x509.Certificate, key *ecdsa.PrivateKey) *x509.Certificate {
		der, err := x509.CreateCertificate(rand.Reader, of, by, &key.PublicKey, keys[0])
		if err != nil {
			t.Fatal(err)
		}
		c, err := x509.ParseCertificate(der)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "root"}, NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	root := made(template, template, keys[0])
	leaf := made(&x509.Certificate{SerialNumber: big.NewInt(2), NotAfter: ends, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}}, root, keys[1])
	return issued{root, tls.Certificate{Certificate: [][]byte{leaf.Raw}, PrivateKey: keys[1]}}
}

// under adds to an order what TLS takes: the root, and a client's certificate where there is one.
func under(o service.Order, root *x509.Certificate, client *tls.Certificate) service.Order {
	o.Root, o.Name = root.Raw, "127.0.0.1"
	if client != nil {
		o.Certificate = client.Certificate[0]
		o.Key, _ = x509.MarshalPKCS8PrivateKey(client.PrivateKey)
	}
	return o
}

// serving is a server that ends with the test.
func serving(t *testing.T, handler http.HandlerFunc, config *tls.Config) string {
	t.Helper()
	s := httptest.NewUnstartedServer(handler)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(s.Close)
	if config == nil {
		s.Start()
	} else {
		s.TLS = config
		s.StartTLS()
	}
	return s.URL
}

func right(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, page) }

// broken takes a connection, reads what comes first, answers so, and closes it.
func broken(t *testing.T, answer string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Read(make([]byte, 1<<10))
			_, _ = io.WriteString(conn, answer)
			conn.Close()
		}
	}()
	return "http://" + l.Addr().String() + "/"
}

// TestFaults: what a server does is named by its kind; what is an answer, but not the right one, is wrong.
func TestFaults(t *testing.T) {
	good, foreign, expired := issue(t, time.Now().Add(time.Hour)), issue(t, time.Now().Add(time.Hour)), issue(t, time.Now().Add(-time.Minute))
	by := func(c issued) *tls.Config { return &tls.Config{Certificates: []tls.Certificate{c.pair}} }
	mutual := by(good)
	mutual.ClientAuth, mutual.ClientCAs = tls.RequireAndVerifyClientCert, x509.NewCertPool()
	mutual.ClientCAs.AddCert(good.root)
	impatient := first(serving(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, nil))
	impatient.Patience = 50 * time.Millisecond
	tlcp := under(first(serving(t, right, by(good))), good.root, nil)
	tlcp.TLCP = true
	for _, test := range []struct {
		name  string
		order service.Order
		kinds []traffic.Failure // of which one; a server that refuses a client closes at once, so an alert may be lost behind that
		wrong bool
	}{
		{"right", first(serving(t, right, nil)), nil, false},
		{"right, mutual", under(first(serving(t, right, mutual)), good.root, &good.pair), nil, false},
		{"nobody listens", first("http://127.0.0.1:1/"), []traffic.Failure{traffic.Refused}, false},
		{"dies", first(broken(t, "")), []traffic.Failure{traffic.Reset}, false},
		{"hangs", impatient, []traffic.Failure{traffic.Timeout}, false},
		{"another body", first(serving(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"right":talse}`) }, nil)), []traffic.Failure{traffic.WrongBody}, true},
		{"another status", first(serving(t, http.NotFound, nil)), []traffic.Failure{traffic.Status}, true},
		{"too little", first(broken(t, "HTTP/1.1 200 OK\r\nContent-Length: 14\r\n\r\n{\"right\"")), []traffic.Failure{traffic.CutShort}, true},
		{"no HTTP", first(broken(t, "what?\r\n\r\n")), []traffic.Failure{traffic.Other}, false},
		{"expired", under(first(serving(t, right, by(expired))), expired.root, nil), []traffic.Failure{traffic.Untrusted}, false},
		{"foreign server", under(first(serving(t, right, by(foreign))), good.root, nil), []traffic.Failure{traffic.Untrusted}, false},
		{"foreign client", under(first(serving(t, right, mutual)), good.root, &foreign.pair), []traffic.Failure{traffic.Untrusted, traffic.Reset}, false},
		{"missing client", under(first(serving(t, right, mutual)), good.root, nil), []traffic.Failure{traffic.Untrusted, traffic.Reset}, false},
		{"no TLCP", tlcp, []traffic.Failure{traffic.Untrusted, traffic.Reset, traffic.Other}, false},
	} {
		url := test.order.URL
		said := asked(t, test.order, service.Order{URL: url, Requests: 3}, service.Order{URL: url, Done: true}, service.Order{URL: url, Requests: 1})
		if len(said) != 4 || said[0].Failed != "" || said[2].Failed != "" || said[3].Failed == "" {
			t.Fatalf("%s: %+v", test.name, said)
		}
		a := said[1]
		if len(test.kinds) == 0 && (a.Right != 3 || a.Failed != "") || len(test.kinds) > 0 && !slices.Contains(test.kinds, traffic.Failure(a.Kind)) || a.Wrong != test.wrong {
			t.Errorf("%s: %+v", test.name, a)
		}
	}
}

// TestServersWordsAreEscaped: what a service says ends in reports, where a terminal would obey it.
func TestServersWordsAreEscaped(t *testing.T) {
	url := broken(t, "HTTP/1.1 599 \x1b[31mRED\x07\r\nContent-Length: 0\r\n\r\n")
	for _, o := range []service.Order{{URL: url, Requests: 1}, {URL: url, Lasts: 10 * time.Millisecond}} {
		if a := asked(t, first(url), o)[1]; !strings.Contains(a.Failed, `599 \x1b[31mRED\a`) || strings.Contains(a.Failed, "\x1b") {
			t.Errorf("%q", a.Failed)
		}
	}
}

// TestMeasures: requests at a rate and in a closed loop are counted, failures by their kind; one wrong body among
// right ones is wrong.
func TestMeasures(t *testing.T) {
	var mu sync.Mutex
	n := 0
	once := serving(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if n++; n == 5 {
			fmt.Fprint(w, "another")
			return
		}
		right(w, r)
	}, nil)
	measure := func(url string, rate float64) service.Answer {
		return asked(t, first(url), service.Order{URL: url, Lasts: 100 * time.Millisecond, Rate: rate})[1]
	}
	url := serving(t, right, nil)
	for _, rate := range []float64{0, 200} {
		a := measure(url, rate)
		var counted int64
		for _, pair := range a.Latency {
			counted += pair[1]
		}
		if a.Right == 0 || counted != a.Right || len(a.Failures) > 0 || a.Took <= 0 || a.Asked != rate || rate > 0 && a.Right != 20 {
			t.Errorf("at %g/s: %+v", rate, a)
		}
		if a := measure("http://127.0.0.1:1/", rate); a.Right != 0 || a.Failures[string(traffic.Refused)] == 0 || a.Failed != "" || a.Said == "" {
			t.Errorf("refused at %g/s: %+v", rate, a)
		}
	}
	if a := measure(once, 200); !a.Wrong || a.Kind != string(traffic.WrongBody) || !strings.Contains(a.Failed, "1 of 20 requests") {
		t.Errorf("one wrong body: %+v", a)
	}
}

// TestOneSuite: a client that is to offer one cipher suite offers it alone, and another order all again.
func TestOneSuite(t *testing.T) {
	c := issue(t, time.Now().Add(time.Hour))
	var mu sync.Mutex
	var offered [][]uint16
	var chosen []uint16
	config := &tls.Config{Certificates: []tls.Certificate{c.pair}, MinVersion: tls.VersionTLS13}
	config.GetConfigForClient = func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
		mu.Lock()
		defer mu.Unlock()
		offered = append(offered, slices.Clone(hello.CipherSuites))
		return nil, nil
	}
	url := serving(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		chosen = append(chosen, r.TLS.CipherSuite)
		fmt.Fprint(w, page)
	}, config)
	suites := []uint16{tls.TLS_AES_128_GCM_SHA256, tls.TLS_AES_256_GCM_SHA384, tls.TLS_CHACHA20_POLY1305_SHA256}
	for _, suite := range suites {
		o := under(first(url), c.root, nil)
		o.Suite, o.Connections = suite, 1
		if said := asked(t, o, service.Order{URL: url, Requests: 1}); said[1].Right != 1 {
			t.Fatalf("%+v", said)
		}
	}
	for i, suite := range suites {
		if chosen[i] != suite || !slices.Equal(offered[i], []uint16{suite}) {
			t.Errorf("%s: offered %x, chosen %s", tls.CipherSuiteName(suite), offered[i], tls.CipherSuiteName(chosen[i]))
		}
	}
	asked(t, under(first(url), c.root, nil), service.Order{URL: url, Requests: 1})
	if last := offered[len(offered)-1]; len(last) < len(suites) {
		t.Errorf("afterwards %x is offered", last)
	}
}

// TestStrangeOrders: what can't be done is said, and the next order is done.
func TestStrangeOrders(t *testing.T) {
	url := serving(t, right, nil)
	noRoot, noKey := first(url), first(url)
	noRoot.Root = []byte("no certificate")
	noKey.Sealed = &service.Sealed{Key: []byte("short")}
	said := asked(t, service.Order{URL: url, Requests: 1}, noRoot, noKey, first(url), service.Order{URL: url, Prove: true}, service.Order{URL: url, Requests: 1})
	for i, a := range said[:3] {
		if a.Failed == "" {
			t.Errorf("order %d is done", i)
		}
	}
	if !said[4].Wrong || said[5].Right != 1 {
		t.Errorf("%+v", said)
	}
	if err := Serve(strings.NewReader("no order"), io.Discard); err == nil {
		t.Error("what is no order is none")
	}
}
