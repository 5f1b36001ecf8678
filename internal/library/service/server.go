package service

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/handshake"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

type server struct {
	http.Server
	listener net.Listener
	url      string
	sealing  *sealing // nil: bodies are sent as they are
	seen     seen
}

// seen is what the server saw since it was last asked.
type seen struct {
	answered, connected, shaken, resumed, strange atomic.Int64
}

// right and wrong note a handshake that made the connection that it should, or another.
func (s *seen) right() { s.shaken.Add(1) }
func (s *seen) wrong() { s.shaken.Add(1); s.strange.Add(1) }

// securing secures the connections that a server's listener accepts.
type securing func(*server, net.Listener) net.Listener

// newServer is one that does not answer yet. secure is nil where connections are not secured.
func newServer(listener net.Listener, secure securing, sealing *sealing) *server {
	v := &server{listener: listener, url: "http://" + listener.Addr().String() + "/", sealing: sealing}
	v.Server = http.Server{ErrorLog: log.New(io.Discard, "", 0), ReadHeaderTimeout: time.Minute,
		ConnState: func(_ net.Conn, state http.ConnState) {
			if state == http.StateNew {
				v.seen.connected.Add(1)
			}
		}}
	if secure != nil {
		v.url = "https://" + listener.Addr().String() + "/"
		v.listener = secure(v, listener)
	}
	return v
}

// answer begins to, with a body or with pieces of it.
func (v *server) answer(s Shape, body []byte) {
	v.Handler = v.inPieces(body, s.Bytes)
	if v.sealing != nil {
		v.Handler = v.sealed(body)
	}
	go v.Serve(v.listener) // ends with Close
}

// Close stops it. The listener is closed here too, since Serve may not have begun yet.
func (v *server) Close() error {
	err := v.Server.Close()
	_ = v.listener.Close() // which has been closed otherwise
	return err
}

// inPieces answers with so many bytes, of a piece again and again.
func (v *server) inPieces(piece []byte, bytes int64) http.Handler {
	length := strconv.FormatInt(bytes, 10)
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		header := w.Header()
		header.Set("Content-Type", "application/json")
		header.Set("Content-Length", length)
		v.seen.answered.Add(1) // before the client can have the answer
		for left := bytes; left > 0; left -= int64(len(piece)) {
			if _, err := w.Write(piece[:min(left, int64(len(piece)))]); err != nil {
				return // what does not arrive the client says
			}
		}
	})
}

func (v *server) sealed(plain []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		buffer := v.sealing.buffers.Get().(*[]byte)
		defer v.sealing.buffers.Put(buffer)
		body, err := v.sealing.appendBody((*buffer)[:0], plain)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		*buffer = body
		header := w.Header()
		header.Set("Content-Type", "application/octet-stream")
		header.Set("Content-Length", strconv.Itoa(len(body)))
		v.seen.answered.Add(1)
		_, _ = w.Write(body)
	})
}

// suites are the numbers of TLS 1.3's, by their cipher.
var suites = map[algorithm.Name]uint16{
	algorithm.Suites()[0]: tls.TLS_AES_128_GCM_SHA256, algorithm.Suites()[1]: tls.TLS_AES_256_GCM_SHA384,
	algorithm.ChaCha20Poly1305: tls.TLS_CHACHA20_POLY1305_SHA256,
}

// configure leaves a connection no choice but the shape's, and notes those that are something else.
func (v *server) configure(s Shape, c *handshake.Certified) *tls.Config {
	group := tls.X25519
	if s.Protection == algorithm.ByHybrid {
		group = tls.X25519MLKEM768
	}
	config := &tls.Config{MinVersion: tls.VersionTLS13, CurvePreferences: []tls.CurveID{group},
		Certificates: []tls.Certificate{c.Server}, NextProtos: []string{"http/1.1"}}
	if s.Protection == algorithm.ByMutual {
		config.ClientAuth, config.ClientCAs = tls.RequireAndVerifyClientCert, x509.NewCertPool()
		config.ClientCAs.AddCert(c.Root)
	}
	config.VerifyConnection = func(state tls.ConnectionState) error {
		if state.DidResume {
			v.seen.resumed.Add(1)
		}
		if state.Version != tls.VersionTLS13 || state.CurveID != group || (len(state.VerifiedChains) > 0) != (s.Protection == algorithm.ByMutual) ||
			s.Suite != "" && state.CipherSuite != suites[s.Suite] {
			v.seen.wrong()
			return reason.New("connection-strange")
		}
		v.seen.right()
		return nil
	}
	return config
}
