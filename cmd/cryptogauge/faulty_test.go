package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/asking"
	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/library/service"
	"github.com/cryptogauge/cryptogauge/internal/machine"
	"github.com/cryptogauge/cryptogauge/internal/worker"
)

// faultVariable names what goes wrong with a service that wants a client's certificate; see plantFault.
const faultVariable = "CRYPTOGAUGE_TEST_FAULT"

// meddled is the program whose client finds something wrong with one service, and nothing with the others.
func meddled() {
	if !slices.Contains(os.Args, "--ask") {
		os.Exit(run(streams{Session: command.Session{Args: os.Args[1:], In: os.Stdin, Out: os.Stdout, Err: os.Stderr},
			state: func() machine.State { return machine.State{} }}))
	}
	worker.EndWith(os.Stdin, func() { os.Exit(command.ExitOK) })
	changed, orders := io.Pipe()
	go func() { orders.CloseWithError(meddle(os.Stdin, orders)) }()
	if err := asking.Serve(changed, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// meddle passes orders on, changed where they are about a service that wants a certificate. The answers tell
// nothing of it.
func meddle(in io.Reader, out io.Writer) error {
	read, write := json.NewDecoder(bufio.NewReader(in)), json.NewEncoder(out)
	instead := map[string]string{}
	for {
		var o service.Order
		if err := read.Decode(&o); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		url := o.URL
		if o.Certificate != nil {
			plantFault(os.Getenv(faultVariable), &o)
			instead[url] = o.URL
		} else if other, there := instead[url]; there {
			o.URL = other
		}
		if err := write.Encode(o); err != nil {
			return err
		}
	}
}

// plantFault changes an order: the client has no certificate, expects another body, has another root, or is sent to
// another server, which ends with the process.
func plantFault(fault string, o *service.Order) {
	switch fault {
	case "missing":
		o.Certificate, o.Key = nil, nil
	case "body":
		o.Body[0] ^= 1
	case "root":
		o.Root = o.Certificate
	case "short":
		o.URL, o.Root = plantedServer(func(conn net.Conn) {
			fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(o.Body), o.Body[:len(o.Body)/2])
			conn.Close()
		}), nil
	case "hangs":
		o.URL, o.Patience, o.Root = plantedServer(func(net.Conn) {}), 200*time.Millisecond, nil
	case "refuses":
		o.URL, o.Root = "http://127.0.0.1:1/", nil
	case "dies": // the worker, which is the server
		if parent, err := os.FindProcess(os.Getppid()); err == nil {
			_ = parent.Kill()
		}
	case "ends":
		os.Exit(7)
	}
	if o.Root == nil {
		o.Certificate, o.Key = nil, nil
	}
}

// plantedServer is one that reads a request's beginning, and does something else than answer it.
func plantedServer(then func(net.Conn)) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				_, _ = conn.Read(make([]byte, 1<<10))
				then(conn)
			}()
		}
	}()
	return "http://" + l.Addr().String() + "/"
}
