package service

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/handshake"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// patience is how long the client waits for an answer: far longer than any takes, and less than a run waits for a
// worker that hangs.
const patience = 10 * time.Second

// Connections is over how many the client asks at once: so many that the server has no pause.
const Connections = 16

type operation struct {
	maker  Maker
	shape  Shape
	vector *provider.Vector
	start  func() (io.ReadWriteCloser, error)
	listen func() (net.Listener, error)

	server *server // nil until the first Run
	client *client
	home   *home

	asked   int64 // since the last Check, and answered right
	refused int64 // that had no right answer
	opened  int64 // connections so far
	failed  error

	most int       // requests of an order since the last Record
	each []float64 // the client's CPU time of a request, by orders of so many
}

func (o *operation) Loop() string        { return "service" }
func (o *operation) Clock() result.Clock { return result.ProcessClock }

func (o *operation) Run(n int) error {
	if n < 1 {
		return nil
	}
	if o.server == nil {
		if err := o.prepare(); err != nil {
			return errors.Join(err, o.Close())
		}
	}
	answer, err := o.client.tell(Order{URL: o.server.url, Requests: int64(n)})
	if err == nil && answer.Right != int64(n) {
		err = reason.New("client-count", answer.Right, n)
	}
	if n > o.most { // a few tell more of the order than of its requests
		o.most, o.each = n, o.each[:0]
	}
	if n == o.most {
		o.each = append(o.each, float64(answer.CPU)/float64(n))
	}
	return o.count(int64(n), 0, err)
}

// secure is what the server's connections are secured by, nil for nothing; and tells the client of it.
func (o *operation) secure(order *Order) (securing, error) {
	switch o.shape.Protection {
	case algorithm.Cleartext:
		return nil, nil
	case algorithm.ByTLCP:
		made, err := o.maker.Secure(o.vector)
		order.TLCP, order.Name, order.Root = true, made.Name, made.Root
		return func(v *server, l net.Listener) net.Listener { return made.Listen(l, v.seen.right, v.seen.wrong) }, err
	}
	made, err := handshake.Certify(o.vector)
	if err != nil {
		return nil, err
	}
	order.Name, order.Root = handshake.Name, made.Root.Raw
	if o.shape.Protection == algorithm.ByMutual {
		order.Certificate = made.Client.Certificate[0]
		order.Key, err = x509.MarshalPKCS8PrivateKey(made.Client.PrivateKey)
	}
	return func(v *server, l net.Listener) net.Listener { return tls.NewListener(l, v.configure(o.shape, &made)) }, err
}

// count notes what the client says of requests. What a library said of a body the client knows as no right answer.
func (o *operation) count(right, refused int64, err error) error {
	if s := o.server.sealing; s != nil && s.failed.Load() != nil {
		err = *s.failed.Load()
	}
	o.asked, o.refused, o.failed = o.asked+right, o.refused+refused, err
	return err
}

// Record gives the client's CPU time of a request, in the median of orders, since in the first ones connections are
// made; and that none has failed: one that fails ends the row.
func (o *operation) Record() (r result.Record, err error) {
	if n := len(o.each); n > 0 {
		slices.Sort(o.each)
		r.Metrics = append(r.Metrics, result.Metric{Name: "client_cpu_ns", Value: o.each[n/2], Unit: "ns"})
		Answer{}.addErrors(&r, Answer{})
	}
	o.most, o.each = 0, o.each[:0]
	return r, nil
}

func (o *operation) prepare() error {
	order, err := o.stand()
	if err != nil {
		return err
	}
	pipe, err := o.start()
	if err != nil {
		return reason.New("client-start", err)
	}
	o.client = newClient(pipe)
	_, err = o.client.tell(order)
	return err
}

// stand starts the server, and returns what its client is to be told.
func (o *operation) stand() (order Order, err error) {
	order = Order{Connect: string(o.shape.Connections), Connections: o.shape.atOnce(), Patience: patience, Body: o.vector.Plaintext}
	if o.shape.Download {
		order.Bytes, order.Suite = o.shape.Bytes, suites[o.shape.Suite]
	}
	var sealing *sealing
	secure, err := o.secure(&order)
	if err == nil {
		sealing, err = o.maker.newSealing(o.shape, o.vector)
	}
	if err != nil {
		return order, err
	}
	if sealing != nil {
		order.Sealed = &sealing.Sealed
	}
	if err := roomFor(o.shape.mostAtOnce()); err != nil {
		return order, err
	}
	listener, err := o.listen()
	if err != nil {
		return order, provider.Unsupported("no-listening", err)
	}
	o.home = settle()
	o.server = newServer(listener, secure, sealing)
	o.server.answer(o.shape, o.vector.Plaintext)
	order.URL, order.CPUs = o.server.url, o.home.others
	return order, nil
}

// Check judges what both sides saw. The client has compared every answer; the server has counted requests and
// connections, and refused those that are not protected as they should be. A body that was sealed and signed the
// client has judged by the reference, too.
func (o *operation) Check() error { return o.judge(int64(o.shape.atOnce())) }

// judge is Check for a client that has at most so many connections at once.
func (o *operation) judge(most int64) error {
	asked, refused := o.asked, o.refused
	o.asked, o.refused = 0, 0
	if asked == 0 || o.server == nil {
		return provider.ErrNotRun
	}
	if o.failed != nil {
		return o.failed
	}
	seen := &o.server.seen
	answered, connected := seen.answered.Swap(0), seen.connected.Swap(0)
	shaken, resumed, strange := seen.shaken.Swap(0), seen.resumed.Swap(0), seen.strange.Swap(0)
	o.opened += connected
	switch kept := o.shape.Connections == parameter.KeptOnes; {
	case strange > 0:
		return reason.New("connection-strange")
	case answered < asked, answered > asked+refused: // one that was answered may have failed on its way
		return reason.New("service-count", answered, asked)
	case kept && o.opened > most+refused, !kept && connected < asked:
		return reason.New("service-connections", o.opened, asked)
	case o.shape.Protection != algorithm.Cleartext && (shaken > connected || shaken < connected-refused):
		return reason.New("service-connections", shaken, connected)
	case o.shape.Connections != parameter.ResumedOnes && resumed > 0,
		o.shape.Connections == parameter.ResumedOnes && resumed < shaken-most:
		return reason.New("service-resumed", resumed, shaken)
	}
	if o.server.sealing == nil {
		return nil
	}
	_, err := o.client.tell(Order{URL: o.server.url, Prove: true})
	return err
}

func (o *operation) Close() (err error) {
	if o.client != nil {
		if o.server != nil {
			_, _ = o.client.tell(Order{URL: o.server.url, Done: true}) // it may have ended, which was said
		}
		err = o.client.Close()
	}
	if o.server != nil {
		err = errors.Join(err, o.server.Close())
	}
	if o.home != nil {
		o.home.leave()
	}
	o.client, o.server, o.home = nil, nil, nil
	return err
}
