package traffic

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const page = "what a right server answers"

// usual are the options of a target where a test says nothing else.
func usual() Options {
	return Options{HTTP: string(HTTP1), Connect: string(Kept), Timeout: 10 * time.Second}
}

func target(t *testing.T, o Options, url string) *Target {
	t.Helper()
	made, err := o.Target(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// measured sends so many requests, each when the one before is answered.
func measured(t *testing.T, made *Target, n int) *Result {
	t.Helper()
	g := NewGenerator(made)
	defer g.Close()
	g.result = newResult(Plan{Connections: 1})
	for range n {
		bytes, err := g.sender(0).send(t.Context())
		g.answered(t.Context(), time.Millisecond, bytes, err)
	}
	return g.result
}

func handler(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	switch r.URL.Path {
	case "/echo":
		fmt.Fprintf(w, "%s %s %s %s", r.Method, r.Proto, r.Header.Get("X-Test"), body)
	case "/echoed":
		w.Header()["X-Test"] = r.Header["X-Test"]
	case "/missing":
		http.NotFound(w, r)
	case "/other":
		fmt.Fprint(w, "something else")
	case "/longer":
		fmt.Fprint(w, page, "!")
	case "/chunks":
		for i := range page {
			fmt.Fprint(w, page[i:i+1])
			w.(http.Flusher).Flush()
		}
	case "/short":
		w.Header().Set("Content-Length", "100")
		fmt.Fprint(w, page)
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	case "/dies":
		panic(http.ErrAbortHandler)
	case "/hangs":
		<-r.Context().Done()
	case "/rubbish":
		conn, _, _ := w.(http.Hijacker).Hijack()
		fmt.Fprint(conn, "SSH-2.0-server\r\n")
		conn.Close()
	case "/header", "/headers", "/interim":
		endless(w, r.URL.Path)
	default:
		fmt.Fprint(w, page)
	}
}

// endless answers with what has no end, as far as anybody reads it.
func endless(w http.ResponseWriter, path string) {
	hijacker, ok := w.(http.Hijacker)
	if !ok { // HTTP/2, where a header is sent whole
		for range 2 * MostHeader / 1000 {
			w.Header().Add("X-Long", strings.Repeat("x", 1000))
		}
		return
	}
	conn, _, err := hijacker.Hijack()
	if err != nil {
		panic(err)
	}
	defer conn.Close()
	begin, again := "HTTP/1.1 200 OK\r\nX-Long: ", "xxxxxxxxxxxxxxxx"
	switch path {
	case "/headers":
		again = "\r\nX-Long: 7"
	case "/interim":
		begin, again = "", "HTTP/1.1 100 Continue\r\n\r\n"
	}
	again = strings.Repeat(again, 1000)
	for _, err = io.WriteString(conn, begin); err == nil; {
		_, err = io.WriteString(conn, again)
	}
}

// TestEndlessHeader: of a header so much is read as anybody sends, and no more.
func TestEndlessHeader(t *testing.T) {
	s := server(t, nil)
	for _, path := range []string{"/header", "/headers", "/interim"} {
		r := measured(t, target(t, usual(), s.URL+path), 2)
		if r.Failures[LongHeader] != 2 || !strings.Contains(r.errors().EN, "the answer's header is longer than 256 KiB") {
			t.Errorf("%s: %s", path, r.errors().EN)
		}
	}
	o := usual()
	o.HTTP = string(HTTP2)
	if r := measured(t, target(t, o, s.URL+"/header"), 2); r.Failures[LongHeader] != 2 {
		t.Errorf("HTTP/2: %s", r.errors().EN)
	}
	whole := usual()
	for range 200 { // what is long, but not too long
		whole.Headers = append(whole.Headers, "X-Test: "+strings.Repeat("y", 1000))
	}
	if r := measured(t, target(t, whole, s.URL+"/echoed"), 2); r.Right != 2 {
		t.Errorf("200 KB: %s", r.errors().EN)
	}
}

func server(t *testing.T, configure func(*httptest.Server)) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(handler))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.Config.Protocols = new(http.Protocols)
	s.Config.Protocols.SetHTTP1(true)
	s.Config.Protocols.SetHTTP2(true)
	s.Config.Protocols.SetUnencryptedHTTP2(true)
	if configure != nil {
		configure(s)
	}
	if s.TLS != nil {
		s.StartTLS()
	} else {
		s.Start()
	}
	t.Cleanup(s.Close)
	return s
}

func TestFailuresAreToldApart(t *testing.T) {
	s := server(t, nil)
	file := filepath.Join(t.TempDir(), "page")
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(page))
	byFile, byHash := usual(), usual()
	byFile.ExpectBodyFile, byHash.ExpectHash = file, hex.EncodeToString(sum[:])
	brief := usual()
	brief.Timeout = 50 * time.Millisecond
	gone := usual()
	gone.Status = 404
	for _, test := range []struct {
		path string
		o    Options
		want Failure // "": right
	}{
		{"/", usual(), ""}, {"/", byFile, ""}, {"/", byHash, ""}, {"/chunks", byFile, ""}, {"/chunks", byHash, ""},
		{"/other", byFile, WrongBody}, {"/other", byHash, WrongBody}, {"/longer", byFile, WrongBody}, {"/longer", byHash, WrongBody},
		{"/missing", usual(), Status}, {"/missing", byFile, Status}, {"/missing", gone, ""}, {"/", gone, Status},
		{"/short", usual(), CutShort}, {"/short", byHash, CutShort}, {"/dies", usual(), Reset}, {"/hangs", brief, Timeout},
		{"/rubbish", usual(), Other},
	} {
		for _, connect := range []Connect{Kept, New} {
			test.o.Connect = string(connect)
			r := measured(t, target(t, test.o, s.URL+test.path), 3)
			if test.want == "" && (r.Right != 3 || r.Failed() != 0) || test.want != "" && r.Failures[test.want] != 3 {
				t.Errorf("%s, %s: %d right, %v; want %q", test.path, connect, r.Right, r.Examples, test.want)
			}
		}
	}
}

func TestHTTP2(t *testing.T) {
	plain, secure := server(t, nil), server(t, func(s *httptest.Server) {
		s.EnableHTTP2, s.TLS = true, &tls.Config{}
	})
	o := usual()
	o.HTTP, o.CA = string(HTTP2), inFile(t, "CERTIFICATE", secure.Certificate().Raw)
	for _, url := range []string{plain.URL, secure.URL} {
		if url == plain.URL {
			o.CA = ""
		} else {
			o.CA = inFile(t, "CERTIFICATE", secure.Certificate().Raw)
		}
		o.Headers = []string{"x-test: it"}
		for _, connect := range []Connect{Kept, New} {
			o.Connect = string(connect)
			made := target(t, o, url+"/echo")
			made.Want = []byte("GET HTTP/2.0 it ")
			r := measured(t, made, 3)
			if dialled := made.dialled.Load(); r.Right != 3 || (dialled == 1) != (connect == Kept) {
				t.Errorf("%s, %s: %d right over %d connections, %v", url, connect, r.Right, dialled, r.Examples)
			}
		}
		for path, want := range map[string]Failure{"/missing": Status, "/short": CutShort, "/dies": Reset} {
			if r := measured(t, target(t, o, url+path), 2); r.Failures[want] != 2 {
				t.Errorf("%s%s: %v", url, path, r.Examples)
			}
		}
	}
}

// TestHTTP2ClosedBeforeTheAnswer: of no answer it isn't said that it ended too early.
func TestHTTP2ClosedBeforeTheAnswer(t *testing.T) {
	o := usual()
	o.HTTP = string(HTTP2)
	r := measured(t, target(t, o, "http://"+accepting(t, closedAfterRequest)), 2)
	if r.Failures[Reset] != 2 || !strings.Contains(r.errors().EN, "closed before the answer") {
		t.Error(r.errors().EN)
	}
}

// accepting serves each connection that is made to an address, until the test is over.
func accepting(t *testing.T, serve func(*net.TCPConn)) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			defer c.Close()
			go serve(c.(*net.TCPConn))
		}
	}()
	return l.Addr().String()
}

// closedAfterRequest is a server of HTTP/2 (RFC 9113) that says no more once it has a request.
func closedAfterRequest(c *net.TCPConn) {
	defer c.Close()
	const settings, headers = 4, 1
	_, _ = c.Write([]byte{0, 0, 0, settings, 0, 0, 0, 0, 0})
	_, err := io.CopyN(io.Discard, c, int64(len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")))
	for frame := make([]byte, 9); err == nil && frame[3] != headers; {
		if _, err = io.ReadFull(c, frame); err == nil {
			_, err = io.CopyN(io.Discard, c, int64(frame[0])<<16|int64(frame[1])<<8|int64(frame[2]))
		}
	}
	_ = c.CloseWrite()
	_, _ = io.Copy(io.Discard, c) // else the client would see a reset
}

// silentFirst is a listener whose first connection never gets to the server.
type silentFirst struct {
	net.Listener
	first sync.Once
	held  net.Conn
}

func (l *silentFirst) Accept() (net.Conn, error) {
	l.first.Do(func() { l.held, _ = l.Listener.Accept() })
	return l.Listener.Accept()
}

// TestHTTP2DialsAgain: a kept connection that is gone or is to go, or whose handshake was never answered, does not hold
// up the next request.
func TestHTTP2DialsAgain(t *testing.T) {
	for _, secure := range []bool{false, true} {
		silent := &silentFirst{}
		s := server(t, func(s *httptest.Server) {
			if secure {
				s.EnableHTTP2, s.TLS = true, &tls.Config{}
			}
			silent.Listener, s.Listener = s.Listener, silent
			s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/last" {
					w.Header().Set("Connection", "close")
				}
			})
		})
		o := usual()
		o.HTTP = string(HTTP2)
		if secure {
			o.CA = inFile(t, "CERTIFICATE", s.Certificate().Raw)
		}
		brief := o
		brief.Timeout = 300 * time.Millisecond
		if r := measured(t, target(t, brief, s.URL), 2); r.Failures[Timeout] == 0 || secure && r.Right != 1 {
			t.Errorf("%s, the first connection silent: %d right, %v", s.URL, r.Right, r.Examples)
		}
		last := target(t, o, s.URL+"/last")
		if r := measured(t, last, 5); r.Right != 5 || last.dialled.Load() == 1 {
			t.Errorf("%s, told to go: %d right over %d connections, %v", s.URL, r.Right, last.dialled.Load(), r.Examples)
		}
		g := NewGenerator(target(t, o, s.URL))
		sender := g.sender(0)
		for range 5 {
			if _, err := sender.send(t.Context()); KindOf(err) == Timeout { // another error is that it learnt of the end too late
				t.Errorf("%s, closed: %v", s.URL, err)
			}
			s.CloseClientConnections()
		}
		g.Close()
		if silent.held != nil {
			silent.held.Close()
		}
	}
}

// TestNoHTTP2: a server that speaks none gets no request, whether it refuses the protocol, knows of none or has no TLS.
func TestNoHTTP2(t *testing.T) {
	right := issue(t, time.Now().Add(time.Hour))
	for name, offers := range map[string][]string{"no ALPN": nil, "HTTP/1.1": {"http/1.1"}} {
		var requests atomic.Int64
		l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{right.pair()}, NextProtos: offers})
		if err != nil {
			t.Fatal(err)
		}
		s := &http.Server{ErrorLog: log.New(io.Discard, "", 0), Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests.Add(1) })}
		go s.Serve(l)
		defer s.Close()
		o := usual()
		o.HTTP, o.CA = string(HTTP2), inFile(t, "CERTIFICATE", right.root.Raw)
		for _, connect := range []Connect{Kept, New, Resumed} {
			o.Connect = string(connect)
			made := target(t, o, "https://"+l.Addr().String())
			if r := measured(t, made, 2); r.Failures[NoHTTP2] != 2 || requests.Load() != 0 {
				t.Errorf("%s, %s: %d requests, %v", name, connect, requests.Load(), r.Failures)
			}
			g := NewGenerator(made)
			if said := made.Say(g.Probe(t.Context())); said.EN != "the server speaks no HTTP/2" {
				t.Errorf("%s: %q", name, said.EN)
			}
			g.Close()
		}
	}
}

// TestEarlyAnswer: a server without TLS that answers a connection in words of HTTP/1.1 speaks no HTTP/2, whether they
// come after the request or before it; one that has spoken HTTP/2 before has closed the connection.
func TestEarlyAnswer(t *testing.T) {
	url := "http://" + accepting(t, func(c *net.TCPConn) { _, _ = io.WriteString(c, "HTTP/1.1 400 Bad Request\r\n\r\n") })
	o := usual()
	o.HTTP = string(HTTP2)
	for range 50 {
		made := target(t, o, url)
		g := NewGenerator(made)
		if said := made.Say(g.Probe(t.Context())); said.EN != "the server speaks no HTTP/2 without TLS" {
			t.Fatal(said.EN)
		}
		g.Close()
	}
	s := newStream(target(t, o, url))
	s.target.spoke.Store(true)
	if kind := KindOf(s.failing(errors.New("http2: client conn could not be established"))); kind != Reset {
		t.Error(kind)
	}
}

func TestRequestIsAsAsked(t *testing.T) {
	s := server(t, nil)
	o := usual()
	o.BodyFile = filepath.Join(t.TempDir(), "body")
	if err := os.WriteFile(o.BodyFile, []byte("a body"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, protocol := range []Protocol{HTTP1, HTTP2} {
		o.HTTP = string(protocol)
		made := target(t, o, s.URL+"/echo")
		made.Want = []byte(map[Protocol]string{HTTP1: "POST HTTP/1.1  a body", HTTP2: "POST HTTP/2.0  a body"}[protocol])
		if r := measured(t, made, 2); r.Right != 2 || made.dialled.Load() != 1 {
			t.Errorf("HTTP/%s: %d right, %v", protocol, r.Right, r.Examples)
		}
	}
}

// inFile writes PEM into a file of its own.
func inFile(t *testing.T, kind string, der []byte) string {
	t.Helper()
	file, err := os.CreateTemp(t.TempDir(), "*.pem")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := pem.Encode(file, &pem.Block{Type: kind, Bytes: der}); err != nil {
		t.Fatal(err)
	}
	return file.Name()
}

// issued is a certificate of a root of its own, that ends at some time.
type issued struct {
	root, leaf *x509.Certificate
	key        *ecdsa.PrivateKey
}

func issue(t *testing.T, ends time.Time) issued {
	t.Helper()
	return issueBy(t, "root of a test", ends)
}

func issueBy(t *testing.T, name string, ends time.Time) issued {
	t.Helper()
	made := func(of, by *x509.Certificate, key, signer *ecdsa.PrivateKey) *x509.Certificate {
		der, err := x509.CreateCertificate(rand.Reader, of, by, &key.PublicKey, signer)
		if err != nil {
			t.Fatal(err)
		}
		certificate, err := x509.ParseCertificate(der)
		if err != nil {
			t.Fatal(err)
		}
		return certificate
	}
	keys := [2]*ecdsa.PrivateKey{}
	for i := range keys {
		var err error
		if keys[i], err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
			t.Fatal(err)
		}
	}
	rootOf := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	root := made(rootOf, rootOf, keys[0], keys[0])
	leafOf := &x509.Certificate{SerialNumber: big.NewInt(2), NotAfter: ends, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}}
	return issued{root, made(leafOf, root, keys[1], keys[0]), keys[1]}
}

func (i issued) pair() tls.Certificate {
	return tls.Certificate{Certificate: [][]byte{i.leaf.Raw}, PrivateKey: i.key}
}

// files are a certificate and its key.
func (i issued) files(t *testing.T) (certificate, key string) {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(i.key)
	if err != nil {
		t.Fatal(err)
	}
	return inFile(t, "CERTIFICATE", i.leaf.Raw), inFile(t, "PRIVATE KEY", der)
}

// TestCertificates: those of either side that are right, expired, foreign and missing.
func TestCertificates(t *testing.T) {
	right, foreign := issue(t, time.Now().Add(time.Hour)), issue(t, time.Now().Add(time.Hour))
	expired := issue(t, time.Now().Add(-time.Minute))
	unnamed := issueBy(t, "a root that no server names", time.Now().Add(time.Hour))
	secured := func(certificate tls.Certificate, clients *x509.Certificate) *httptest.Server {
		return server(t, func(s *httptest.Server) {
			s.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
			if clients != nil {
				s.TLS.ClientAuth, s.TLS.ClientCAs = tls.RequireAndVerifyClientCert, x509.NewCertPool()
				s.TLS.ClientCAs.AddCert(clients)
			}
		})
	}
	for _, test := range []struct {
		name   string
		server *httptest.Server
		ca     issued
		client *issued
		want   Failure
	}{
		{"server, right", secured(right.pair(), nil), right, nil, ""},
		{"server, expired", secured(expired.pair(), nil), expired, nil, Untrusted},
		{"server, foreign", secured(foreign.pair(), nil), right, nil, Untrusted},
		{"client, right", secured(right.pair(), right.root), right, &right, ""},
		{"client, missing", secured(right.pair(), right.root), right, nil, Untrusted},
		{"client, foreign", secured(right.pair(), right.root), right, &foreign, Untrusted},
		{"client, issuer not accepted", secured(right.pair(), right.root), right, &unnamed, Untrusted},
	} {
		for _, connect := range []Connect{Kept, New, Resumed} {
			o := usual()
			o.Connect, o.CA = string(connect), inFile(t, "CERTIFICATE", test.ca.root.Raw)
			if test.client != nil {
				o.Certificate, o.Key = test.client.files(t)
			}
			made := target(t, o, test.server.URL)
			r := measured(t, made, 3)
			if made.withheld.Load() != (test.client == &unnamed) {
				t.Errorf("%s, %s: withheld %v", test.name, connect, made.withheld.Load())
			}
			if test.want == "" && (r.Right != 3 || (made.dialled.Load() == 1) != (connect == Kept)) || test.want != "" && r.Right > 0 {
				t.Errorf("%s, %s: %d right over %d connections, %v", test.name, connect, r.Right, made.dialled.Load(), r.Examples)
			}
			// A server that refuses a client closes at once, so the alert may be lost behind a reset.
			if test.want != "" && r.Failures[test.want]+r.Failures[Reset] != 3 {
				t.Errorf("%s, %s: %v", test.name, connect, r.Examples)
			}
		}
	}
}

// TestAskedForACertificate: who has given none is told how, if the server refuses who has none.
func TestAskedForACertificate(t *testing.T) {
	right := issue(t, time.Now().Add(time.Hour))
	for _, ask := range []tls.ClientAuthType{tls.RequestClientCert, tls.RequireAnyClientCert} {
		for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
			s := server(t, func(s *httptest.Server) {
				s.TLS = &tls.Config{Certificates: []tls.Certificate{right.pair()}, ClientAuth: ask, MaxVersion: version}
			})
			o := usual()
			o.CA = inFile(t, "CERTIFICATE", right.root.Raw)
			made := target(t, o, s.URL)
			g := NewGenerator(made)
			err := g.Probe(t.Context())
			g.Close()
			if refused := ask == tls.RequireAnyClientCert; (err != nil) != refused || err != nil && !strings.Contains(made.Say(err).EN, "give --cert and --key") {
				t.Errorf("asked %v, %x: %v", ask, version, err)
			}
		}
	}
}

// TestCertificatesOfTLCP are for another protocol, and not none.
func TestCertificatesOfTLCP(t *testing.T) {
	of := inFile(t, "CERTIFICATE", slices.Concat([]byte{0x30, 0x0a}, ofGuomi))
	for _, o := range []Options{{CA: of}, {Certificate: of, Key: of}} {
		o.HTTP, o.Connect = string(HTTP1), string(Kept)
		if _, err := o.Target(t.Context(), "https://127.0.0.1/"); err == nil || !strings.Contains(err.Error(), "load speaks TLS alone") {
			t.Error(err)
		}
	}
	o := usual()
	o.CA = inFile(t, "CERTIFICATE", []byte{0x30, 0x00})
	if _, err := o.Target(t.Context(), "https://127.0.0.1/"); err == nil || !strings.Contains(err.Error(), "can't be read") {
		t.Error(err)
	}
}

// TestCertificateOutOfItsTime: that of a client is refused before anything is sent.
func TestCertificateOutOfItsTime(t *testing.T) {
	expired := issue(t, time.Now().Add(-time.Minute))
	o := usual()
	o.Certificate, o.Key = expired.files(t)
	if _, err := o.Target(t.Context(), "https://127.0.0.1/"); err == nil || !strings.Contains(err.Error(), "the certificate expired at") {
		t.Error(err)
	}
	early := &x509.Certificate{NotBefore: time.Now().Add(time.Hour), NotAfter: time.Now().Add(2 * time.Hour)}
	if err := timely("me.pem", early); err == nil || !strings.Contains(err.Error(), "is not valid before") {
		t.Error(err)
	}
}

// TestPlainBesideSecure: a root is for the one of two servers that speaks TLS, and of no use where none does.
func TestPlainBesideSecure(t *testing.T) {
	plain, secure := server(t, nil), server(t, func(s *httptest.Server) { s.TLS = &tls.Config{} })
	o := usual()
	o.CA = inFile(t, "CERTIFICATE", secure.Certificate().Raw)
	for _, urls := range [][]string{{plain.URL, secure.URL}, {secure.URL, plain.URL}, {secure.URL}} {
		all, err := o.Targets(t.Context(), urls)
		if err != nil || len(all) != len(urls) {
			t.Fatalf("%v: %v", urls, err)
		}
		for _, made := range all {
			if r := measured(t, made, 2); r.Right != 2 {
				t.Errorf("%s: %v", made.Name(), r.Examples)
			}
		}
	}
	for _, urls := range [][]string{{plain.URL}, {plain.URL, plain.URL}} {
		if all, err := o.Targets(t.Context(), urls); err == nil {
			t.Errorf("%v: %d targets with a root that none of them uses", urls, len(all))
		}
	}
}

// TestSessionsAreResumed: with --connect resumed each connection but the first resumes a session.
func TestSessionsAreResumed(t *testing.T) {
	right := issue(t, time.Now().Add(time.Hour))
	for connect, want := range map[Connect]int64{New: 0, Resumed: 3} {
		var resumed atomic.Int64
		s := server(t, func(s *httptest.Server) {
			s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.TLS.DidResume {
					resumed.Add(1)
				}
				fmt.Fprint(w, page)
			})
			s.TLS = &tls.Config{Certificates: []tls.Certificate{right.pair()}}
		})
		o := usual()
		o.Connect, o.CA = string(connect), inFile(t, "CERTIFICATE", right.root.Raw)
		if r := measured(t, target(t, o, s.URL), 4); r.Right != 4 || resumed.Load() != want {
			t.Errorf("%s: %d right, %d resumed, %v", connect, r.Right, resumed.Load(), r.Examples)
		}
	}
}

func TestNobodyListens(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	if r := measured(t, target(t, usual(), "http://"+l.Addr().String()), 2); r.Failures[Refused] != 2 {
		t.Errorf("%v", r.Examples)
	}
}

// TestServerThatDies: its connections break, and then nobody listens.
func TestServerThatDies(t *testing.T) {
	s := server(t, nil)
	made := target(t, usual(), s.URL)
	g := NewGenerator(made)
	defer g.Close()
	if err := g.Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.Close()
	r := g.Measure(t.Context(), Plan{Connections: 2, Lasts: 50 * time.Millisecond})
	if r.Right != 0 || r.Failures[Refused] == 0 || r.Failures[Refused]+r.Failures[Reset] != r.Failed() || r.Failed() != r.Due {
		t.Errorf("%d right, %v", r.Right, r.Failures)
	}
}

// TestMeasures: every request of a schedule and of a closed loop is counted once, and compared in turns.
func TestMeasures(t *testing.T) {
	one, other := server(t, nil), server(t, nil)
	pair := [2]*Generator{NewGenerator(target(t, usual(), one.URL)), NewGenerator(target(t, usual(), other.URL))}
	defer pair[0].Close()
	defer pair[1].Close()
	r := pair[0].Measure(t.Context(), Plan{Rate: 500, Connections: 4, Lasts: 200 * time.Millisecond})
	if r.Due != 100 || r.Right != 100 || r.Latency.TotalCount() != 100 || r.Late.TotalCount()+r.Waited != 100 || r.Dialled > 4 {
		t.Errorf("%+v", r)
	}
	r = pair[0].Measure(t.Context(), Plan{Connections: 3, Lasts: 100 * time.Millisecond})
	if r.Due == 0 || r.Right != r.Due || r.Bytes != r.Right*int64(len(page)) || r.Stopped {
		t.Errorf("%+v", r)
	}
	turns := InTurns(t.Context(), drawn(1), pair, Plan{Connections: 1, Lasts: 300 * time.Millisecond}, func(float64) {})
	for _, r := range turns.Results {
		if r.Right == 0 || r.Failed() > 0 {
			t.Errorf("%+v", r)
		}
	}
	// Latencies are compared too, where they are not the generator's own delay: that is for TestOwnDelayIsNotCompared.
	if len(turns.Compared) == 0 || len(turns.Compared) > 2 || turns.Compared[0].Metric != Answers || turns.Compared[0].Blocks != Blocks {
		t.Errorf("%+v", turns.Compared)
	}
}

// TestInterruptedMeasurementKeepsWhatItSaw: and what the interrupt cut off is no failure.
func TestInterruptedMeasurementKeepsWhatItSaw(t *testing.T) {
	for _, plan := range []Plan{{Rate: 1000, Connections: 4, Lasts: time.Minute}, {Connections: 4, Lasts: time.Minute}} {
		var n atomic.Int64
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		s := server(t, func(s *httptest.Server) {
			s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if n.Add(1) > 10 {
					cancel()
					<-r.Context().Done()
				}
				fmt.Fprint(w, page)
			})
		})
		g := NewGenerator(target(t, usual(), s.URL))
		if r := g.Measure(ctx, plan); !r.Stopped || r.Right == 0 || r.Right > 10 || r.Failed() != 0 {
			t.Errorf("%+v: %d right, %v", plan, r.Right, r.Failures)
		}
		g.Close()
	}
}
