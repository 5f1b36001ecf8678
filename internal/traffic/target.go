package traffic

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"fmt"
	"hash"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// Protocol is the version of HTTP that is spoken.
type Protocol string

const (
	HTTP1 Protocol = "1.1"
	HTTP2 Protocol = "2"
)

// Connect says which connections requests go over.
type Connect string

const (
	Kept    Connect = "kept"    // one after the other over the same
	New     Connect = "new"     // each over one of its own, with a full handshake
	Resumed Connect = "resumed" // each over one of its own that resumes a session of TLS
)

// Target is what is sent to a server, and which answers are right.
type Target struct {
	URL      *url.URL
	Method   string
	Header   http.Header
	Body     []byte
	Protocol Protocol
	Connect  Connect
	Timeout  time.Duration // of a request, connecting included
	Idle     time.Duration // after which a connection is replaced, [MostIdle] as a rule
	TLS      *tls.Config   // nil for http
	// Secure protects a connection in the place of TLS, within its deadline; nil: nothing does.
	Secure func(context.Context, net.Conn) (net.Conn, error)

	Status  int    // of a right answer; 0 for any of 2xx
	Want    []byte // body of a right answer; nil for any
	Repeats int64  // bytes of a right body that is Want again and again; 0 for Want itself
	WantSum []byte // its SHA-256; nil for any
	// Open makes of a body what Want is compared with, in the room of dst; nil where bodies are compared as they
	// are. What it refuses is a wrong body. Connections call it at once.
	Open func(dst, body []byte) ([]byte, error)

	request *http.Request // which is never changed, and which all connections share
	wire    []byte        // it in HTTP/1.1
	address string
	dialled atomic.Int64

	asked    atomic.Bool // for a client's certificate, of which there is none
	spoke    atomic.Bool // HTTP/2: an answer has come in it
	withheld atomic.Bool // the client's certificate, which the server has no use for
}

// Prepare makes of a target's fields what all connections send.
func (t *Target) Prepare() error {
	request, err := http.NewRequest(t.Method, t.URL.String(), bytes.NewReader(t.Body))
	if err != nil {
		return err
	}
	request.Header = t.Header.Clone()
	if host := t.Header.Get("Host"); host != "" {
		request.Host = host
		request.Header.Del("Host")
	}
	if t.Protocol == HTTP1 && t.Connect != Kept {
		request.Close = true
	}
	var wire bytes.Buffer
	if err := request.Write(&wire); err != nil {
		return err
	}
	port := t.URL.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[t.URL.Scheme]
	}
	t.request, t.wire, t.address = request, wire.Bytes(), net.JoinHostPort(t.URL.Hostname(), port)
	if t.TLS != nil {
		t.TLS = t.TLS.Clone()
		t.TLS.ServerName = cmp.Or(t.TLS.ServerName, t.URL.Hostname())
		t.TLS.NextProtos = []string{map[Protocol]string{HTTP1: "http/1.1", HTTP2: "h2"}[t.Protocol]}
		if t.Protocol == HTTP2 {
			t.TLS.VerifyConnection = agreed
		}
		if t.Connect == Resumed {
			t.TLS.ClientSessionCache = tls.NewLRUClientSessionCache(0)
		}
	}
	return nil
}

// agreed refuses a server that left the protocol open: package net/http would go on in HTTP/1.1.
func agreed(c tls.ConnectionState) error {
	if c.NegotiatedProtocol != "h2" {
		return &failure{NoHTTP2, language.Error("it names no protocol (ALPN)", "其未选定协议（ALPN）")}
	}
	return nil
}

// Name is the target's URL without what may be secret in it.
func (t *Target) Name() string {
	name := t.URL.Scheme + "://" + t.URL.Host + t.URL.EscapedPath()
	if t.URL.RawQuery != "" {
		name += "?…"
	}
	return name
}

// judge reads an answer to its end and says what is wrong with it.
type judge struct {
	target *Target
	buffer []byte
	sum    hash.Hash
	whole  []byte // the last body, where it is opened
	opened []byte
}

func newJudge(t *Target) judge {
	const room = 32 << 10
	return judge{target: t, buffer: make([]byte, room), sum: sha256.New()}
}

// read returns the length of a right answer's body.
func (j *judge) read(answer *http.Response) (n int64, err error) {
	compare := j.body
	if j.target.Open != nil {
		compare = j.open
	}
	n, right, err := compare(answer.Body)
	switch status := answer.StatusCode; {
	case j.target.Status == 0 && (status < 200 || status > 299), j.target.Status != 0 && status != j.target.Status:
		return n, &failure{Status, fmt.Errorf("%s", answer.Status)}
	case err != nil:
		return n, err
	case !right:
		return n, &failure{WrongBody, language.Errorf("%d bytes", "%d 字节", n)}
	}
	return n, nil
}

// open reads a body to its end and compares what is in it.
func (j *judge) open(body io.Reader) (n int64, right bool, err error) {
	whole := bytes.NewBuffer(j.whole[:0])
	_, err = whole.ReadFrom(io.LimitReader(body, MostBody))
	if j.whole = whole.Bytes(); err != nil {
		return int64(len(j.whole)), false, err
	}
	opened, err := j.target.Open(j.opened[:0], j.whole)
	if err != nil {
		return int64(len(j.whole)), false, &failure{WrongBody, err}
	}
	j.opened = opened
	return int64(len(j.whole)), j.target.Want == nil || bytes.Equal(opened, j.target.Want), nil
}

// body compares a body with the one wanted as it comes.
func (j *judge) body(body io.Reader) (n int64, right bool, err error) {
	right, whole := true, int64(len(j.target.Want))
	if j.target.Repeats > 0 {
		whole = j.target.Repeats
	}
	j.sum.Reset()
	for {
		m, err := body.Read(j.buffer)
		piece := j.buffer[:m]
		if j.target.Want != nil {
			right = right && n+int64(m) <= whole && j.target.matches(piece, n)
		}
		n += int64(m)
		if j.target.WantSum != nil {
			j.sum.Write(piece)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return n, false, err
		}
	}
	if j.target.WantSum != nil {
		right = right && bytes.Equal(j.sum.Sum(nil), j.target.WantSum)
	}
	return n, right && (j.target.Want == nil || n == whole), nil
}

// matches says whether a piece of a body is that of the one wanted, which has no end, at a place.
func (t *Target) matches(piece []byte, at int64) bool {
	for len(piece) > 0 {
		if len(t.Want) == 0 {
			return false
		}
		want := t.Want[at%int64(len(t.Want)):]
		if n := min(len(want), len(piece)); bytes.Equal(want[:n], piece[:n]) {
			piece, at = piece[n:], at+int64(n)
		} else {
			return false
		}
	}
	return true
}
