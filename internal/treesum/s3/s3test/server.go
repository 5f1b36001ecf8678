// Package s3test is a store of objects for tests: one in this process, with a front at which things go wrong.
package s3test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// A Server is a store at URL, of this machine alone.
type Server struct {
	URL      string
	Requests atomic.Int64

	backend *s3mem.Backend
	store   http.Handler
	front   atomic.Pointer[Front]
	http    *httptest.Server
}

// A Front answers a request in the place of the store, or has the store do it.
type Front func(w http.ResponseWriter, r *http.Request, store http.Handler)

// Start starts a server with some buckets.
func Start(buckets ...string) (*Server, error) {
	s := &Server{backend: s3mem.New()}
	s.store = gofakes3.New(s.backend, gofakes3.WithLogger(gofakes3.DiscardLog())).Server()
	for _, bucket := range buckets {
		if err := s.backend.CreateBucket(bucket); err != nil {
			return nil, err
		}
	}
	s.http = httptest.NewServer(s)
	s.URL = s.http.URL
	return s, nil
}

// Close ends it.
func (s *Server) Close() {
	s.http.CloseClientConnections()
	s.http.Close()
}

// ServeHTTP is http.Handler's.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.Requests.Add(1)
	if front := s.front.Load(); front != nil {
		(*front)(w, r, s.store)
		return
	}
	s.store.ServeHTTP(w, r)
}

// Break has a front stand before the store; nil takes it away.
func (s *Server) Break(front Front) {
	if front == nil {
		s.front.Store(nil)
		return
	}
	s.front.Store(&front)
}

// Put puts an object into the store.
func (s *Server) Put(bucket, key string, contents []byte) error {
	now := time.Now().UTC()
	_, err := s.backend.PutObject(bucket, key, map[string]string{"Last-Modified": now.Format(http.TimeFormat)}, bytes.NewReader(contents), int64(len(contents)), nil)
	return err
}

// Remove takes an object out of the store.
func (s *Server) Remove(bucket, key string) error {
	_, err := s.backend.DeleteObject(bucket, key)
	return err
}

// What a client says who it is; no other credentials are ever sent to a Server.
const (
	AccessKey = "AKIAPLANTEDACCESSKEY"
	SecretKey = "planted/secret+key/that/nobody/may/see"
)

// Environment is what makes a client speak to the server, and to nobody else.
func (s *Server) Environment() []string {
	return []string{"AWS_ENDPOINT_URL_S3=" + s.URL, "AWS_ENDPOINT_URL=", "AWS_REGION=us-east-1", "AWS_ACCESS_KEY_ID=" + AccessKey,
		"AWS_SECRET_ACCESS_KEY=" + SecretKey, "AWS_SESSION_TOKEN=", "AWS_EC2_METADATA_DISABLED=true"}
}

// Getenv looks a variable up in Environment.
func (s *Server) Getenv(name string) string {
	for _, pair := range s.Environment() {
		if key, value, _ := strings.Cut(pair, "="); key == name {
			return value
		}
	}
	return ""
}

// IsRead says whether a request reads an object, and which: /bucket/key.
func IsRead(r *http.Request) bool {
	bucket, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	return r.Method == http.MethodGet && bucket != "" && key != ""
}

// Refuse answers as a store does that refuses.
func Refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	fmt.Fprintf(w, "<?xml version=\"1.0\"?>\n<Error><Code>%s</Code><Message>planted %s</Message></Error>", code, SecretKey)
}

// Throttled refuses the first tries of each request, as busy stores do.
func Throttled(tries int) Front {
	var counts counter
	return func(w http.ResponseWriter, r *http.Request, store http.Handler) {
		if counts.next(r.URL.String()) <= tries {
			Refuse(w, http.StatusServiceUnavailable, "SlowDown")
			return
		}
		store.ServeHTTP(w, r)
	}
}

// Cut cuts the first bodies of each object off after so many bytes.
func Cut(after, tries int) Front {
	var counts counter
	return func(w http.ResponseWriter, r *http.Request, store http.Handler) {
		if IsRead(r) && counts.next(r.URL.Path) <= tries {
			w = &cutting{w, after}
		}
		store.ServeHTTP(w, r)
	}
}

// cutting ends the connection after so many bytes.
type cutting struct {
	http.ResponseWriter
	left int
}

func (c *cutting) Write(p []byte) (int, error) {
	n, err := c.ResponseWriter.Write(p[:min(len(p), c.left)])
	if c.left -= n; n < len(p) {
		if f, ok := c.ResponseWriter.(http.Flusher); ok {
			f.Flush()
		}
		panic(http.ErrAbortHandler)
	}
	return n, err
}

// A counter counts how often there was each of several things.
type counter struct {
	mu sync.Mutex
	n  map[string]int
}

func (c *counter) next(of string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n == nil {
		c.n = map[string]int{}
	}
	c.n[of]++
	return c.n[of]
}
