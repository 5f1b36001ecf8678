package access

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

const secret = "0123456789abcdef-the-token"

func tokenFile(t *testing.T, content string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
	return path
}

// certificate makes one, with its key, that nobody should believe.
func certificate(t *testing.T) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	of := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, of, of, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for path, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: pkcs8}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

// pipe is one with a name, into which nobody writes.
func pipe(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestRequests: what may be listened on, and what is refused in one line that never holds the token.
func TestRequests(t *testing.T) {
	good, cert, key := tokenFile(t, secret+"\n", 0o600), "", ""
	cert, key = certificate(t)
	for _, c := range []struct {
		r    Request
		want string // of the error; empty where there is none
	}{
		{Request{Listen: "127.0.0.1:0"}, ""},
		{Request{Listen: "localhost:0"}, ""},
		{Request{Listen: "[::1]:0"}, ""},
		{Request{Listen: "127.0.0.1:0", TokenFile: good}, ""},
		{Request{Listen: ":0", TokenFile: good, Certificate: cert, Key: key}, ""},
		{Request{Listen: "0.0.0.0:0", TokenFile: good, Insecure: true}, ""},
		{Request{Listen: "nonsense"}, "give an address and a port"},
		{Request{Listen: ""}, "give an address and a port"},
		{Request{Listen: "127.0.0.1:99999"}, "give an address and a port"},
		{Request{Listen: ":0"}, "others reach that address: give a file that holds a token with --token-file"},
		{Request{Listen: "0.0.0.0:0", Insecure: true}, "--token-file"},
		{Request{Listen: "[::]:0", Certificate: cert, Key: key}, "--token-file"},
		{Request{Listen: ":0", TokenFile: good}, "without TLS the token is seen on the way"},
		{Request{Listen: ":0", TokenFile: good, Certificate: cert}, "belong together"},
		{Request{Listen: ":0", TokenFile: good, Certificate: key, Key: key}, "--tls-cert"},
		{Request{Listen: "127.0.0.1:0", TokenFile: "/nowhere/token"}, "no such file"},
		{Request{Listen: "127.0.0.1:0", TokenFile: "/dev/null"}, "is no regular file"},
		{Request{Listen: "127.0.0.1:0", TokenFile: pipe(t)}, "is no regular file"},
		{Request{Listen: "127.0.0.1:0", TokenFile: tokenFile(t, secret, 0o604)}, "is open to others: chmod 600"},
		{Request{Listen: "127.0.0.1:0", TokenFile: tokenFile(t, "short", 0o600)}, "its first line has 5 characters, a token has at least 16"},
		{Request{Listen: "127.0.0.1:0", TokenFile: tokenFile(t, "\n"+secret, 0o600)}, "its first line has 0 characters"},
	} {
		err := c.r.Check()
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%+v: %v", c.r, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%+v: %v, want %q", c.r, err, c.want)
		case err != nil && (strings.Contains(err.Error(), secret) || strings.Contains(err.Error(), "\n") || language.Of(err).ZH == err.Error()):
			t.Errorf("the error is %+v", language.Of(err))
		}
	}
}

// TestListening: an address in use is one line; TLS is spoken where there is a certificate.
func TestListening(t *testing.T) {
	cert, key := certificate(t)
	r := Request{Listen: "127.0.0.1:0", Certificate: cert, Key: key}
	if err := r.Check(); err != nil {
		t.Fatal(err)
	}
	l, err := r.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if got := r.Address(l); got != "https://"+l.Addr().String()+"/" {
		t.Errorf("the address is %s", got)
	}
	again := Request{Listen: l.Addr().String()}
	if err := again.Check(); err != nil {
		t.Fatal(err)
	}
	if _, err := again.Open(); err == nil || !strings.Contains(err.Error(), "another program listens there; give another port") {
		t.Errorf("in use: %v", err)
	}
}

// pages are those of a test: what they were asked for.
type pages struct{ said []string }

func (p *pages) Login(w http.ResponseWriter, _ *http.Request, next string, refused Refusal) {
	if refused != 0 {
		w.WriteHeader(refused.Status())
	}
	p.said = append(p.said, fmt.Sprint("login ", next, " ", refused))
}

func (p *pages) Refused(w http.ResponseWriter, _ *http.Request, why Refusal) {
	w.WriteHeader(why.Status())
	p.said = append(p.said, fmt.Sprint("refused ", why))
}

// guarded is a guard with a token, and a clock that a test moves.
type guarded struct {
	*Guard
	pages
	at time.Time
}

func newGuarded(t *testing.T, token bool) *guarded {
	t.Helper()
	g := &guarded{at: time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)}
	r := &Request{Listen: "127.0.0.1:0"}
	if token {
		r.TokenFile = tokenFile(t, secret+"\n", 0o600)
	}
	if err := r.Check(); err != nil {
		t.Fatal(err)
	}
	behind := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "inside") })
	g.Guard = r.Guard(g, func(path string) bool { return path == "/healthz" }, func() time.Time { return g.at }, behind)
	return g
}

func (g *guarded) get(method, path, from string, change ...func(*http.Request)) *http.Response {
	r := httptest.NewRequest(method, "http://bench.example"+path, nil)
	r.RemoteAddr = from + ":5000"
	for _, f := range change {
		f(r)
	}
	w := httptest.NewRecorder()
	g.ServeHTTP(w, r)
	return w.Result()
}

func with(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

func form(values url.Values) func(*http.Request) {
	return func(r *http.Request) {
		typed := httptest.NewRequest(http.MethodPost, r.URL.String(), strings.NewReader(values.Encode()))
		r.Body, r.ContentLength = typed.Body, typed.ContentLength
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
}

// TestBearer: the token lets in, nothing else does, and no answer repeats what was sent.
func TestBearer(t *testing.T) {
	g := newGuarded(t, true)
	for sent, want := range map[string]int{"Bearer " + secret: 200, "": 401, "Bearer ": 401, "Bearer " + secret + "x": 401, "Basic " + secret: 401, secret: 401} {
		answer := g.get("GET", "/", "192.0.2.7", with("Authorization", sent))
		if answer.StatusCode != want {
			t.Errorf("%q: %s", sent, answer.Status)
		}
		if (answer.Header.Get("WWW-Authenticate") != "") != (want == 401) {
			t.Errorf("%q: %v", sent, answer.Header)
		}
	}
	if answer := g.get("GET", "/?token="+secret, "192.0.2.8"); answer.StatusCode != 401 {
		t.Errorf("a token in the address: %s", answer.Status)
	}
	if answer := g.get("GET", "/healthz", "192.0.2.8"); answer.StatusCode != 200 {
		t.Errorf("what is open: %s", answer.Status)
	}
	if strings.Contains(strings.Join(g.said, " "), secret) {
		t.Errorf("the token is repeated: %v", g.said)
	}
}

// TestGuessing: five wrong tokens and the address waits, with the right one too; others do not.
func TestGuessing(t *testing.T) {
	g := newGuarded(t, true)
	guess := func(from, token string) *http.Response {
		return g.get("GET", "/", from, with("Authorization", "Bearer "+token))
	}
	for range freeTries {
		if answer := guess("192.0.2.7", "guess"); answer.StatusCode != 401 {
			t.Fatal(answer.Status)
		}
	}
	for _, token := range []string{"guess", secret} {
		if answer := guess("192.0.2.7", token); answer.StatusCode != 429 || answer.Header.Get("Retry-After") != "10" {
			t.Errorf("%s: %s, after %s", token, answer.Status, answer.Header.Get("Retry-After"))
		}
	}
	if answer := g.get("GET", "/", "192.0.2.7", with("Authorization", "Bearer guess"), with("X-Forwarded-For", "198.51.100.1")); answer.StatusCode != 429 {
		t.Errorf("by what a proxy would say: %s", answer.Status)
	}
	if answer := guess("192.0.2.9", secret); answer.StatusCode != 200 {
		t.Errorf("another address: %s", answer.Status)
	}
	g.at = g.at.Add(eachTry)
	if answer := guess("192.0.2.7", "guess"); answer.StatusCode != 401 {
		t.Errorf("one more try: %s", answer.Status)
	}
	if answer := guess("192.0.2.7", secret); answer.StatusCode != 429 {
		t.Errorf("and no other: %s", answer.Status)
	}
	g.at = g.at.Add(time.Minute)
	for range 3 * freeTries { // the right token costs no try
		if answer := guess("192.0.2.7", secret); answer.StatusCode != 200 {
			t.Fatal(answer.Status)
		}
	}
}

// TestManyAddresses: what is remembered of addresses is bounded, and forgotten when it no longer counts; a network of
// IPv6 is one.
func TestManyAddresses(t *testing.T) {
	at := time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)
	tr := newTries(func() time.Time { return at })
	for i := range 2 * mostKept {
		tr.take(fmt.Sprintf("[2001:db8:%x:%x::1]:5", i>>16, i&0xffff))
	}
	if n := len(tr.used); n > mostKept+1 {
		t.Errorf("%d addresses are remembered", n)
	}
	if tr.take("198.51.100.1:5") == 0 {
		t.Error("those that are not remembered share one limit, which is used up")
	}
	at = at.Add(time.Hour)
	if tr.take("198.51.100.1:5") != 0 || len(tr.used) != 1 && len(tr.used) != 2 {
		t.Errorf("after an hour %d are remembered", len(tr.used))
	}
	for i := range freeTries {
		tr.take(fmt.Sprintf("[2001:db8::%x]:5", i))
	}
	if tr.take("[2001:db8::ffff]:5") == 0 {
		t.Error("one network guesses from many addresses")
	}
	if networkOf("[::ffff:192.0.2.1]:1") != networkOf("192.0.2.1:2") {
		t.Error("one address counts as two")
	}
}

// TestLogin: the form gives a cookie that lets in for twelve hours, is no token, and is of this process alone.
func TestLogin(t *testing.T) {
	g := newGuarded(t, true)
	answer := g.get("GET", "/history?case=SM4", "192.0.2.7", with("Accept", "text/html"))
	if to := answer.Header.Get("Location"); answer.StatusCode != http.StatusSeeOther || to != "/login?next=%2Fhistory%3Fcase%3DSM4" {
		t.Fatalf("%s to %s", answer.Status, to)
	}
	answer = g.get("POST", "/login", "192.0.2.7", form(url.Values{"token": {secret + " "}, "next": {"/history?case=SM4"}}))
	if answer.StatusCode != http.StatusSeeOther || answer.Header.Get("Location") != "/history?case=SM4" || len(answer.Cookies()) != 1 {
		t.Fatalf("%s, %v", answer.Status, answer.Header)
	}
	c := answer.Cookies()[0]
	if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || strings.Contains(c.Value, secret) || c.MaxAge <= 0 {
		t.Errorf("the cookie is %+v", c)
	}
	carried := with("Cookie", c.Name+"="+c.Value)
	if answer := g.get("GET", "/", "192.0.2.7", carried); answer.StatusCode != 200 {
		t.Errorf("with the cookie: %s", answer.Status)
	}
	later := regexp.MustCompile(`^\d`).ReplaceAllString(c.Value, "9")
	for _, forged := range []string{later, c.Value + "x", "x", "", ".", strings.Split(c.Value, ".")[0] + "."} {
		if answer := g.get("GET", "/", "192.0.2.7", with("Cookie", c.Name+"="+forged)); answer.StatusCode != 401 {
			t.Errorf("%q: %s", forged, answer.Status)
		}
	}
	if answer := newGuarded(t, true).get("GET", "/", "192.0.2.7", carried); answer.StatusCode != 401 {
		t.Errorf("in another process: %s", answer.Status)
	}
	g.at = g.at.Add(cookieTime)
	if answer := g.get("GET", "/", "192.0.2.7", carried); answer.StatusCode != 401 {
		t.Errorf("after twelve hours: %s", answer.Status)
	}
}

// TestLoginIsGuarded: the form counts tries as well, takes no other site's, and leads nowhere else.
func TestLoginIsGuarded(t *testing.T) {
	g := newGuarded(t, true)
	typed := func(token, next string, change ...func(*http.Request)) *http.Response {
		return g.get("POST", "/login", "192.0.2.7", append(change, form(url.Values{"token": {token}, "next": {next}}))...)
	}
	if answer := typed(secret, "/", with("Sec-Fetch-Site", "cross-site")); answer.StatusCode != http.StatusForbidden {
		t.Errorf("from another site: %s", answer.Status)
	}
	for _, next := range []string{"https://evil.example/", "//evil.example/", `/\evil.example`, "javascript:alert(1)", "evil", "", "/login", "http:/x", "/%2f/evil.example\n"} {
		if to := typed(secret, next).Header.Get("Location"); to != "/" {
			t.Errorf("%q leads to %q", next, to)
		}
	}
	if answer := g.get("PUT", "/login", "192.0.2.7"); answer.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("PUT: %s", answer.Status)
	}
	for range freeTries {
		if answer := typed("guess", "/"); answer.StatusCode != 401 {
			t.Fatal(answer.Status)
		}
	}
	if answer := typed(secret, "/"); answer.StatusCode != 429 {
		t.Errorf("after %d guesses: %s", freeTries, answer.Status)
	}
}

// TestLoopback: without a token this machine's names are let in, and no other: a page elsewhere may lead its name here.
func TestLoopback(t *testing.T) {
	g := newGuarded(t, false)
	for host, want := range map[string]int{"127.0.0.1:8473": 200, "localhost:8473": 200, "LOCALHOST": 200, "localhost.": 200, "[::1]:8473": 200, "[::1]": 200, "127.0.0.2": 200,
		"evil.example:8473": 421, "127.0.0.1.evil.example": 421, "localhost.evil.example": 421, "192.0.2.1:8473": 421, "": 421, "0.0.0.0:8473": 421, "xlocalhost": 421} {
		if answer := g.get("GET", "/", "127.0.0.1", func(r *http.Request) { r.Host = host }); answer.StatusCode != want {
			t.Errorf("%q: %s", host, answer.Status)
		}
	}
}
