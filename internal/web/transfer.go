package web

import (
	"compress/gzip"
	"fmt"
	"log"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/render"
)

// leastZipped is how long a page is that compressing pays for.
const leastZipped = 1 << 10

var zippers = sync.Pool{New: func() any {
	w, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // which is a level
	return w
}}

// takesGzip says whether a client reads gzip. It may refuse it by q=0.
func takesGzip(r *http.Request) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, quality, _ := strings.Cut(strings.ReplaceAll(strings.TrimSpace(part), " ", ""), ";")
		if name == "gzip" || name == "*" {
			return quality != "q=0" && quality != "q=0.0" && quality != "q=0.00" && quality != "q=0.000"
		}
	}
	return false
}

// zipped compresses text, unless the handler has done so.
func zipped(behind http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Accept-Encoding")
		if !takesGzip(r) || r.Method == http.MethodHead {
			behind.ServeHTTP(w, r)
			return
		}
		z := &zipWriter{ResponseWriter: w}
		defer z.end()
		behind.ServeHTTP(z, r)
	})
}

// zipWriter decides at the first byte whether to compress.
type zipWriter struct {
	http.ResponseWriter
	gz      *gzip.Writer
	decided bool
}

func (z *zipWriter) WriteHeader(status int) {
	z.decide(status, leastZipped)
	z.ResponseWriter.WriteHeader(status)
}

func (z *zipWriter) decide(status, length int) {
	if z.decided {
		return
	}
	z.decided = true
	h := z.Header()
	isText := strings.HasPrefix(h.Get("Content-Type"), "text/html") || strings.HasPrefix(h.Get("Content-Type"), "application/x-ndjson")
	if status != http.StatusOK || !isText || length < leastZipped || h.Get("Content-Encoding") != "" {
		return
	}
	h.Set("Content-Encoding", "gzip")
	h.Del("Content-Length")
	z.gz = zippers.Get().(*gzip.Writer)
	z.gz.Reset(z.ResponseWriter)
}

func (z *zipWriter) Write(b []byte) (int, error) {
	z.decide(http.StatusOK, len(b))
	if z.gz != nil {
		return z.gz.Write(b)
	}
	return z.ResponseWriter.Write(b)
}

// Unwrap is for http.ResponseController.
func (z *zipWriter) Unwrap() http.ResponseWriter { return z.ResponseWriter }

// end writes what is left, unless the answer is cut off: an end would make it look whole.
func (z *zipWriter) end() {
	if cut := recover(); cut != nil {
		panic(cut)
	}
	if z.gz != nil {
		_ = z.gz.Close() // the reader has gone away
		z.gz.Reset(nil)
		zippers.Put(z.gz)
	}
}

// logged writes a line a request: who, what, what became of it. Queries are left out, since they hold what was typed.
func (s *Server) logged(behind http.Handler) http.Handler {
	if s.Log == nil {
		return behind
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began, counted := s.Now(), &countWriter{ResponseWriter: w, status: http.StatusOK}
		defer func() {
			s.Log(fmt.Sprintf("%s %s %s %d %d B %s", r.RemoteAddr, render.Clean(r.Method), render.Clean(r.URL.EscapedPath()), counted.status,
				counted.bytes, s.Now().Sub(began).Round(100*time.Microsecond)))
		}()
		behind.ServeHTTP(counted, r)
	})
}

type countWriter struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (c *countWriter) WriteHeader(status int) {
	c.status = status
	c.ResponseWriter.WriteHeader(status)
}

func (c *countWriter) Write(b []byte) (int, error) {
	n, err := c.ResponseWriter.Write(b)
	c.bytes += int64(n)
	return n, err
}

func (c *countWriter) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// discarded drops what package http says of connections: a scanner of ports would fill a log.
func discarded() *log.Logger { return log.New(nothing{}, "", 0) }

type nothing struct{}

func (nothing) Write(b []byte) (int, error) { return len(b), nil }
