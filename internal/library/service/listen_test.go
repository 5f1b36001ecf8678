package service

import (
	"errors"
	"io"
	"net"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/handshake"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
)

// TestNoListening: where a policy forbids it or the ports are used up, no client is started, and the case is
// unsupported.
func TestNoListening(t *testing.T) {
	for _, errno := range []syscall.Errno{syscall.EADDRINUSE, syscall.EPERM, syscall.EMFILE} {
		o := &operation{shape: Shape{Protection: algorithm.Cleartext, Connections: parameter.KeptOnes, Bytes: 1}, vector: &provider.Vector{Plaintext: []byte("7")},
			start: func() (io.ReadWriteCloser, error) {
				t.Error("a client is started")
				return nil, errors.ErrUnsupported
			},
			listen: func() (net.Listener, error) { return nil, &net.OpError{Op: "listen", Net: "tcp4", Err: errno} }}
		err := o.Run(1)
		if !errors.Is(err, errors.ErrUnsupported) || !strings.Contains(err.Error(), "no listening on 127.0.0.1: ") || !strings.Contains(err.Error(), errno.Error()) {
			t.Errorf("%v: %v", errno, err)
		}
		if err := o.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestTooFewDescriptors: as many as nobody has are refused before a client waits.
func TestTooFewDescriptors(t *testing.T) {
	if err := roomFor(1); err != nil {
		t.Errorf("one connection: %v", err)
	}
	if runtime.GOOS != "linux" {
		return // where nobody knows
	}
	if err := roomFor(1 << 40); err == nil || !errors.Is(err, errors.ErrUnsupported) || !strings.Contains(err.Error(), "raise ulimit -n") {
		t.Errorf("2^40 connections: %v", err)
	}
}

// TestClosedBeforeItServes: who closes a server whose goroutine has not come to serve yet leaves nobody listening.
func TestClosedBeforeItServes(t *testing.T) {
	listener, err := handshake.OnLoopback()
	if err != nil {
		t.Fatal(err)
	}
	v := newServer(listener, nil, nil)
	if err := v.Close(); err != nil {
		t.Error(err)
	}
	if _, err := listener.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("%v, want a closed listener", err)
	}
}
