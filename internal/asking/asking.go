// Package asking is the client of a service that is measured (internal/library/service), in a process of its
// own: it takes orders from a pipe, sends requests, compares every answer, and says how many were right.
package asking

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/clock"
	"github.com/cryptogauge/cryptogauge/internal/library/opening"
	"github.com/cryptogauge/cryptogauge/internal/library/service"
	"github.com/cryptogauge/cryptogauge/internal/library/tlcp"
	"github.com/cryptogauge/cryptogauge/internal/traffic"
)

// Serve takes orders until there are no more.
func Serve(orders io.Reader, answers io.Writer) error {
	in, out := json.NewDecoder(bufio.NewReader(orders)), json.NewEncoder(answers)
	asked := map[string]*asks{}
	for {
		var o service.Order
		if err := in.Decode(&o); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		begun := clock.Process()
		a, err := do(asked, o)
		a.CPU = time.Duration(clock.Process() - begun)
		if err != nil {
			kind := traffic.KindOf(err)
			if o.Prove {
				kind = traffic.WrongBody
			}
			a.Failed, a.Kind, a.Wrong = cmp.Or(traffic.Plain(err).EN, err.Error()), string(kind), slices.Contains(wrong, kind)
		}
		if err := out.Encode(a); err != nil {
			return err
		}
	}
}

// wrong are failures that are answers.
var wrong = []traffic.Failure{traffic.Status, traffic.WrongBody, traffic.CutShort}

// asks is what is sent to one service.
type asks struct {
	*traffic.Generator
	connections int
	opener      *opening.Opener // nil: bodies come as they are
	body        []byte          // that is right
	suite       uint16          // that is offered alone; 0: those of crypto/tls
}

// prove holds the last body against the reference.
func (a *asks) prove() error {
	last := a.Last()
	if last == nil || a.opener == nil {
		return errors.New("there is no body to prove")
	}
	return a.opener.Prove(last, a.body)
}

func do(asked map[string]*asks, o service.Order) (a service.Answer, err error) {
	of := asked[o.URL]
	if of != nil {
		offer(of.suite)
	}
	switch {
	case o.Requests > 0 && of != nil:
		a.Right, err = of.Send(context.Background(), of.connections, o.Requests)
	case o.Lasts > 0 && of != nil:
		return of.measure(o)
	case o.Prove && of != nil:
		return a, of.prove()
	case o.Done && of != nil:
		of.Close()
		delete(asked, o.URL)
	case o.Connections > 0:
		service.KeepTo(o.CPUs)
		asked[o.URL], err = prepared(o)
	default:
		return a, errors.New("an order about a service that is not known")
	}
	return a, err
}

// measure sends for a time: at a constant rate, or in a closed loop. One wrong answer is one too many.
func (a *asks) measure(o service.Order) (service.Answer, error) {
	p := traffic.Plan{Connections: a.connections, Lasts: o.Lasts}
	if o.Rate > 0 {
		p.Rate, p.Connections = o.Rate, service.MostAtOnce
		traffic.Roomy()
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) - 1)
	}
	r := a.Measure(context.Background(), p)
	said := service.Answer{Right: r.Right, Took: max(r.Took, r.Ended), Asked: o.Rate, Kept: r.Kept() && !r.Missed(), Behind: max(0, r.Behind()),
		Failures: map[string]int64{}, Latency: r.Latency.Pairs(), Late: r.Late.Pairs()}
	for kind, n := range r.Failures {
		said.Failures[string(kind)] = n
		said.Kind, said.Said = string(kind), fmt.Sprintf("%d of %d requests: %s", n, r.Due, r.Examples[kind].EN)
		if slices.Contains(wrong, kind) {
			said.Failed, said.Wrong = said.Said, true
			break
		}
	}
	return said, nil
}

// prepared is what sends to a service.
func prepared(o service.Order) (made *asks, err error) {
	made = &asks{connections: o.Connections, body: o.Body, suite: o.Suite}
	target := &traffic.Target{Method: http.MethodGet, Header: http.Header{}, Protocol: traffic.HTTP1, Connect: traffic.Connect(o.Connect),
		Timeout: o.Patience, Idle: time.Hour, Want: o.Body, Repeats: o.Bytes}
	if target.URL, err = url.Parse(o.URL); err != nil {
		return nil, err
	}
	if o.Sealed != nil {
		if made.opener, err = opening.New(*o.Sealed); err != nil {
			return nil, err
		}
		target.Open = made.opener.Open
	}
	if o.TLCP {
		if target.Secure, err = tlcp.Client(o.Root, o.Name); err != nil {
			return nil, err
		}
	} else if o.Root != nil {
		root, err := x509.ParseCertificate(o.Root)
		if err != nil {
			return nil, err
		}
		target.TLS = &tls.Config{MinVersion: tls.VersionTLS13, RootCAs: x509.NewCertPool(), ServerName: o.Name}
		target.TLS.RootCAs.AddCert(root)
	}
	if o.Certificate != nil {
		key, err := x509.ParsePKCS8PrivateKey(o.Key)
		if err != nil {
			return nil, err
		}
		target.TLS.Certificates = []tls.Certificate{{Certificate: [][]byte{o.Certificate}, PrivateKey: key}}
	}
	if err := target.Prepare(); err != nil {
		return nil, err
	}
	made.Generator = traffic.NewGenerator(target)
	return made, nil
}

// InProcess is a client on goroutines of this process, for tests: its CPU time counts as the server's.
func InProcess() (io.ReadWriteCloser, error) {
	childIn, parentOut := io.Pipe()
	parentIn, childOut := io.Pipe()
	go func() { childOut.CloseWithError(Serve(childIn, childOut)) }()
	return pipe{parentIn, parentOut}, nil
}

type pipe struct {
	io.Reader
	io.WriteCloser
}
