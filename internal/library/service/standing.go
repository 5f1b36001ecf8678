package service

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"io"
	"net"
	"os"
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/clock"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// Begun is what a server that stands by itself says when it begins, a line of JSON, and Ended when it ends.
type (
	Begun struct {
		URL         string `json:"url"`
		PID         int    `json:"pid"`
		Root        string `json:"root,omitempty"`        // of the server's certificate, PEM
		Certificate string `json:"certificate,omitempty"` // a client's that it accepts, where it wants one
		Key         string `json:"key,omitempty"`
	}
	Ended struct {
		Answered    int64 `json:"answered"`
		Connections int64 `json:"connections"`
		CPU         int64 `json:"cpu_ns"` // of the process, since the server began
	}
)

// Stand has an operation's server answer whoever asks at a port of 127.0.0.1, until ctx ends: the server that is
// measured, for another generator than its client. Port 0 is any that is free.
func Stand(ctx context.Context, op provider.Operation, port int, out io.Writer) error {
	o, is := op.(*operation)
	if !is {
		return reason.New("no-server")
	}
	defer o.Close()
	o.listen = func() (net.Listener, error) {
		return net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	}
	order, err := o.stand()
	if err != nil {
		return err
	}
	begun := Begun{URL: order.URL, PID: os.Getpid(), Root: inPEM("CERTIFICATE", order.Root),
		Certificate: inPEM("CERTIFICATE", order.Certificate), Key: inPEM("PRIVATE KEY", order.Key)}
	cpu, say := clock.Process(), json.NewEncoder(out)
	if err := say.Encode(begun); err != nil {
		return err
	}
	<-ctx.Done()
	seen := &o.server.seen
	return say.Encode(Ended{Answered: seen.answered.Load(), Connections: seen.connected.Load(), CPU: clock.Process() - cpu})
}

func inPEM(kind string, der []byte) string {
	if len(der) == 0 {
		return ""
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}
