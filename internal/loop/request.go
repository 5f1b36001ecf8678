package loop

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// requests is an HTTP service and its clients, in this process over loopback, a connection for each
// server of the transactions. What transactions take in its handlers, over what the same requests
// take without them, is more than they take in a loop: the code of a request and of the network
// and that of the transaction push each other out of the caches.
type requests struct {
	servers  []*transacting
	service  *http.Server
	address  string
	clients  []*client
	accepted atomic.Int64
	answered atomic.Int64
}

// The paths of the service: its handler does a transaction, or none.
const (
	withSteps    = "/with"
	withoutSteps = "/without"
	requestBytes = 256 // of a body, and about of an answer
)

// openRequests starts the service; nil where loopback can't be used.
func openRequests(servers []*transacting) *requests {
	q := &requests{servers: servers}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+withSteps, func(w http.ResponseWriter, r *http.Request) {
		q.answer(w, r, func(s *transacting) error { s.several(1); return s.failed })
	})
	mux.HandleFunc("POST "+withoutSteps, func(w http.ResponseWriter, r *http.Request) {
		q.answer(w, r, func(*transacting) error { return nil })
	})
	q.service = &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute, ErrorLog: log.New(io.Discard, "", 0),
		ConnContext: func(ctx context.Context, _ net.Conn) context.Context {
			return context.WithValue(ctx, connection{}, int(q.accepted.Add(1)-1))
		}}
	q.address = l.Addr().String()
	go q.service.Serve(l) // ends with Close
	for range servers {
		c, err := q.connect()
		if err != nil {
			q.close()
			return nil
		}
		q.clients = append(q.clients, c)
	}
	return q
}

func (q *requests) connect() (*client, error) {
	c, err := net.Dial("tcp", q.address)
	if err != nil {
		return nil, err
	}
	return &client{Conn: c, answers: bufio.NewReader(c), body: make([]byte, requestBytes)}, nil
}

// connection is the key of a connection's number.
type connection struct{}

// answer has the server of its own do the work of a connection's request.
func (q *requests) answer(w http.ResponseWriter, r *http.Request, work func(*transacting) error) {
	n, err := io.Copy(io.Discard, r.Body)
	i, known := r.Context().Value(connection{}).(int)
	switch {
	case err != nil:
	case !known || i >= len(q.servers): // somebody else has connected: no answer goes without its work
		err = fmt.Errorf("connection %d of %d", i+1, len(q.servers))
	default:
		err = work(q.servers[i])
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	q.answered.Add(1)
	fmt.Fprintf(w, "%*d\n", requestBytes, n)
}

// run has every client send its next request when it has its answer, and counts the answers.
func (q *requests) run(path string, lasts time.Duration) (int64, error) {
	before, end := q.answered.Load(), time.Now().Add(lasts)
	err := atOnce(len(q.clients), func(i int) (err error) {
		for err = q.clients[i].ask(path); err == nil && time.Now().Before(end); {
			err = q.clients[i].ask(path)
		}
		return err
	})
	return q.answered.Load() - before, err
}

func (q *requests) close() {
	q.service.Close()
	for _, c := range q.clients {
		c.Close()
	}
}

// client is one connection, by itself: a pool of connections would cost CPU of its own.
type client struct {
	net.Conn
	answers *bufio.Reader
	body    []byte
}

func (c *client) ask(path string) error {
	ask, err := http.NewRequest(http.MethodPost, "http://service"+path, bytes.NewReader(c.body))
	if err != nil {
		return err
	}
	if err := ask.Write(c); err != nil {
		return err
	}
	r, err := http.ReadResponse(c.answers, ask)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	said, err := io.ReadAll(r.Body)
	if err == nil && r.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", r.Status, said)
	}
	return err
}
