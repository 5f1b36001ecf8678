package service

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"syscall"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// Order is what the client is told, a line of JSON. The first one to a service says what to ask, each after
// it how many requests to send.
type Order struct {
	URL         string        `json:"url"`
	Connect     string        `json:"connect,omitempty"` // kept, new or resumed
	Connections int           `json:"connections,omitempty"`
	Patience    time.Duration `json:"patience,omitempty"`    // with a request, connecting included
	TLCP        bool          `json:"tlcp,omitempty"`        // in the place of TLS
	Suite       uint16        `json:"suite,omitempty"`       // that alone is offered; 0: those that crypto/tls offers
	Name        string        `json:"name,omitempty"`        // of the server's certificate
	Root        []byte        `json:"root,omitempty"`        // DER
	Certificate []byte        `json:"certificate,omitempty"` // the client's, DER
	Key         []byte        `json:"key,omitempty"`         // PKCS #8
	Body        []byte        `json:"body,omitempty"`        // of a right answer, once it is opened
	Bytes       int64         `json:"bytes,omitempty"`       // that such bodies behind each other have, cut at the end; 0: one
	Sealed      *Sealed       `json:"sealed,omitempty"`      // how; nil: it is not
	CPUs        []int         `json:"cpus,omitempty"`        // that the client keeps to; none: all

	Requests int64         `json:"requests,omitempty"`
	Lasts    time.Duration `json:"lasts,omitempty"` // of a measurement in the place of requests that are counted
	Rate     float64       `json:"rate,omitempty"`  // of it, a second; 0: each connection sends when it has its answer
	Prove    bool          `json:"prove,omitempty"` // the last body right, by the reference
	Done     bool          `json:"done,omitempty"`  // with that service
}

// Answer is what the client says to each order, a line of JSON.
type Answer struct {
	Right  int64  `json:"right"`
	Failed string `json:"failed,omitempty"` // what the first failure said; empty where nothing failed
	Kind   string `json:"kind,omitempty"`   // of it, in the words of package traffic
	Wrong  bool   `json:"wrong,omitempty"`  // it was an answer, with another status or body than the right one

	CPU time.Duration `json:"cpu,omitempty"` // of the client's process

	// Of a measurement:
	Took     time.Duration    `json:"took,omitempty"`
	Asked    float64          `json:"asked,omitempty"`    // requests a second that were due
	Kept     bool             `json:"kept,omitempty"`     // the schedule was, and the rate was reached
	Behind   float64          `json:"behind,omitempty"`   // the share of the schedule by which it was overrun
	Failures map[string]int64 `json:"failures,omitempty"` // by kind
	Said     string           `json:"said,omitempty"`     // what failed, in words
	Latency  [][2]int64       `json:"latency,omitempty"`  // from when each was due: values in ns and their counts
	Late     [][2]int64       `json:"late,omitempty"`     // how late the client was itself
}

type client struct {
	io.ReadWriteCloser
	orders  *json.Encoder
	answers *json.Decoder
}

func newClient(pipe io.ReadWriteCloser) *client {
	return &client{pipe, json.NewEncoder(pipe), json.NewDecoder(bufio.NewReader(pipe))}
}

// tell gives an order, and waits for its answer.
func (c *client) tell(o Order) (Answer, error) {
	var a Answer
	if err := c.orders.Encode(o); err != nil {
		return a, gone(err)
	}
	if err := c.answers.Decode(&a); err != nil {
		return a, gone(err)
	}
	switch {
	case a.Wrong:
		return a, provider.Incorrect("client-says", a.said())
	case a.Failed != "":
		return a, reason.New("client-says", a.said())
	}
	return a, nil
}

func (a Answer) said() error {
	said := map[string]error{
		"refused":     reason.New("asked-refused", a.Failed),
		"reset":       reason.New("asked-reset", a.Failed),
		"timeout":     reason.New("asked-timeout", a.Failed),
		"status":      reason.New("asked-status", a.Failed),
		"wrong_body":  reason.New("asked-body", a.Failed),
		"cut_short":   reason.New("asked-short", a.Failed),
		"tls":         reason.New("asked-tls", a.Failed),
		"descriptors": reason.New("asked-descriptors", a.Failed),
		"ports":       reason.New("asked-ports", a.Failed),
	}[a.Kind]
	if said == nil {
		said = reason.New("asked-other", a.Failed)
	}
	return said
}

func gone(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.EPIPE) {
		return reason.New("client-ended")
	}
	return reason.New("client-pipe", err)
}
