package traffic

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// sender sends one request after the other, and judges the answers. It belongs to one goroutine at a time.
type sender interface {
	// send returns the length of the body of a right answer.
	send(ctx context.Context) (int64, error)
	close()
}

// newSender is a sender that has no connection yet.
func newSender(t *Target) sender {
	if t.Protocol == HTTP2 {
		return newStream(t)
	}
	return &connection{judge: newJudge(t)}
}

// connection is one of HTTP/1.1. The request is the same each time, so its bytes are made once: a
// transport of net/http would hand each one from goroutine to goroutine, which costs more than all else.
type connection struct {
	judge
	conn    net.Conn // nil before it is dialled
	stop    func() bool
	header  io.LimitedReader // of the connection: the header of an answer, and then all of its body
	answers *bufio.Reader
	used    time.Time
}

// MostHeader is the longest header of an answer, that of interim answers before it included.
const MostHeader = 256 << 10

// MostIdle is how long a connection may lie idle before it is replaced: servers close those that do, many
// of them after 5 s, and a request on a closed one would count as the server's failure.
const MostIdle = 4 * time.Second

func (c *connection) send(ctx context.Context) (n int64, err error) {
	now := time.Now()
	if c.conn != nil && now.Sub(c.used) > c.target.Idle {
		c.close()
	}
	deadline := now.Add(c.target.Timeout)
	if c.conn == nil {
		if err := c.dial(ctx, deadline); err != nil {
			return 0, err
		}
	} else if err := c.conn.SetDeadline(deadline); err != nil {
		return 0, err
	}
	if err := ctx.Err(); err != nil { // which may have set a deadline just before
		c.close()
		return 0, err
	}
	n, again, err := c.exchange()
	c.used = time.Now()
	if err != nil || !again || c.target.Connect != Kept {
		c.close()
	}
	return n, err
}

func (c *connection) dial(ctx context.Context, deadline time.Time) error {
	dialer := net.Dialer{Deadline: deadline, KeepAlive: -1}
	conn, err := dialer.DialContext(ctx, "tcp", c.target.address)
	if err != nil {
		return err
	}
	c.target.dialled.Add(1)
	if tcp, ok := conn.(*net.TCPConn); ok && c.target.Connect != Kept {
		_ = tcp.SetLinger(0) // else every connection would keep a local port for a minute
	}
	c.stop = context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	c.conn = conn
	if err := conn.SetDeadline(deadline); err != nil {
		return err
	}
	if secure := c.target.securing(); secure != nil {
		secured, err := secure(ctx, conn)
		if err != nil {
			c.close()
			return handshaking(err)
		}
		c.conn = secured
	}
	c.header.R = c.conn
	if c.answers == nil {
		c.answers = bufio.NewReader(&c.header)
	} else {
		c.answers.Reset(&c.header)
	}
	return nil
}

// securing is what protects a connection; nil where nothing does.
func (t *Target) securing() func(context.Context, net.Conn) (net.Conn, error) {
	if t.TLS == nil {
		return t.Secure
	}
	return func(ctx context.Context, conn net.Conn) (net.Conn, error) {
		secure := tls.Client(conn, t.TLS)
		return secure, secure.HandshakeContext(ctx)
	}
}

// handshaking names a handshake that failed by what was said in it, which crypto/tls puts into words alone.
func handshaking(err error) error {
	if KindOf(err) == Other {
		return &failure{Untrusted, err}
	}
	return err
}

// exchange sends the request and reads its answer; again says whether the connection can be used again.
func (c *connection) exchange() (n int64, again bool, err error) {
	if _, err := c.conn.Write(c.target.wire); err != nil {
		return 0, false, err
	}
	c.header.N = MostHeader
	if _, err := c.answers.Peek(1); err != nil { // no answer is another failure than half of one
		return 0, false, err
	}
	answer, err := http.ReadResponse(c.answers, c.target.request)
	for err == nil && answer.StatusCode < 200 && answer.StatusCode != http.StatusSwitchingProtocols {
		answer, err = http.ReadResponse(c.answers, c.target.request)
	}
	switch {
	case err != nil && c.header.N <= 0:
		return 0, false, tooLong()
	case err != nil:
		return 0, false, malformed(err)
	}
	c.header.N = math.MaxInt64
	n, err = c.read(answer)
	_ = answer.Body.Close()
	return n, err == nil && !answer.Close && c.answers.Buffered() == 0, err
}

// tooLong names a header that has no end within what is read of one.
func tooLong() error {
	said := LongHeader.Text()
	return &failure{LongHeader, language.Error(said.EN, said.ZH)}
}

// malformed names an answer that isn't HTTP, which net/http says in words alone.
func malformed(err error) error {
	if KindOf(err) == Other {
		return &failure{Other, fmt.Errorf("not an answer of HTTP/1.1: %w", err)}
	}
	return err
}

func (c *connection) close() {
	if c.conn != nil {
		c.stop()
		_ = c.conn.Close()
		c.conn = nil
	}
}

// stream is a connection of HTTP/2 that carries one request at a time.
type stream struct {
	judge
	transport *http.Transport
}

func newStream(t *Target) *stream {
	s := &stream{judge: newJudge(t)}
	s.transport = &http.Transport{
		Protocols: new(http.Protocols), TLSClientConfig: t.TLS, DisableCompression: true, MaxResponseHeaderBytes: MostHeader,
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			t.dialled.Add(1)
			return (&net.Dialer{}).DialContext(ctx, network, t.address)
		},
	}
	if t.Connect == Kept {
		// A new connection is lent to others only after its first request has got it, perhaps after that was answered. The
		// next request is to wait for it, instead of dialling another.
		s.transport.MaxConnsPerHost = 1
	}
	if t.TLS == nil {
		s.transport.Protocols.SetUnencryptedHTTP2(true)
	} else {
		s.transport.Protocols.SetHTTP2(true)
	}
	return s
}

func (s *stream) send(ctx context.Context) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, s.target.Timeout)
	defer cancel()
	request := s.target.request.WithContext(ctx)
	if s.target.request.GetBody != nil {
		body, err := s.target.request.GetBody()
		if err != nil {
			return 0, err
		}
		request.Body = body
	}
	answer, err := s.transport.RoundTrip(request)
	if err != nil {
		s.close() // also what is still being dialled, for which the next request would wait
		return 0, s.failing(err)
	}
	s.target.spoke.Store(true)
	n, err := s.read(answer)
	if err != nil && KindOf(err) == Other && ended(err) {
		err = &failure{CutShort, err}
	}
	_, _ = io.Copy(io.Discard, answer.Body)
	_ = answer.Body.Close()
	if s.target.Connect != Kept || err != nil {
		s.close()
	}
	return n, err
}

// failing names by its kind what net/http and crypto/tls say in words alone.
func (s *stream) failing(err error) error {
	says := func(words string) bool { return strings.Contains(err.Error(), words) }
	early := says("http2: client conn could not be established") // what came, or the end, was there before the request
	switch {
	case early && (s.target.TLS != nil || s.target.spoke.Load()):
		return &failure{Reset, err}
	case early:
		return &failure{NoHTTP2, err}
	case s.target.TLS == nil && says("http2: frame too large"), // which the words of HTTP/1.1 look like
		s.target.TLS != nil && says("no application protocol"):
		return &failure{NoHTTP2, err}
	case says("header list larger than"):
		return tooLong()
	case errors.Is(err, io.ErrUnexpectedEOF), ended(err): // not of an answer: there was none
		return &failure{Reset, err}
	}
	return err
}

// ended says whether it was the server that ended a stream of HTTP/2, or the connection under it.
func ended(err error) bool {
	return strings.Contains(err.Error(), "received from peer") ||
		strings.Contains(err.Error(), "http2: server sent GOAWAY and closed the connection")
}

func (s *stream) close() { s.transport.CloseIdleConnections() }
