package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/machine"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// slowVariable names a library whose samples take longer, and how many times as long:
// "gmsm=1.15".
const slowVariable = "CRYPTOGAUGE_TEST_SLOW"

// clocked is the program whose workers read a clock that no other program moves: a
// call takes the same time whenever it is made, and nobody else uses the machine. It
// computes what it should, so that outputs are judged as ever, and what a check says
// of speed is no matter of chance.
//
// The benchmarks of a user's package report times of their own, and these stay.
func clocked() {
	here := streams{Session: command.Session{Args: os.Args[1:], In: os.Stdin, Out: os.Stdout, Err: os.Stderr},
		state: func() machine.State { return machine.State{} }}
	switch {
	case len(os.Args) > 1 && os.Args[1] == "benchworker":
		here.Out = &samples{os.Stdout, steadySpins}
		os.Exit(run(here))
	case len(os.Args) < 2 || os.Args[1] != "worker" || slices.Contains(os.Args, "--ask"):
		os.Exit(run(here))
	}
	onSteadyClock(withClient)
}

// onSteadyClock is the life of a worker whose clock nothing disturbs.
func onSteadyClock(b benchOf) {
	c := &steadyClock{in: bufio.NewReader(worker.Quiet(os.Stdin)), opened: map[int]result.Trial{}}
	serve(c, &samples{os.Stdout, c.steady}, b)
}

func serve(in io.Reader, out io.Writer, bench benchOf) {
	worker.EndWith(os.Stdin, func() { os.Exit(command.ExitOK) })
	if err := worker.Serve(in, out, bench); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// steadyClock stands between the laboratory and a worker of its protocol. It shortens
// every batch to a call and every window of a scenario to an eighth, and puts its own times into the answers.
type steadyClock struct {
	in      *bufio.Reader
	pending []byte
	opened  map[int]result.Trial
	runs    result.Trial // of the request being answered
	round   int
}

func (c *steadyClock) Read(p []byte) (int, error) {
	if len(c.pending) == 0 {
		line, err := c.in.ReadBytes('\n')
		if err != nil {
			return 0, err
		}
		c.pending = c.request(line)
	}
	n := copy(p, c.pending)
	c.pending = c.pending[n:]
	return n, nil
}

func (c *steadyClock) request(line []byte) []byte {
	var q struct {
		Do      string
		Handle  int
		Calls   int64
		Seconds float64
		Subject result.Subject
		Case    result.Case
	}
	if err := json.Unmarshal(line, &q); err != nil {
		return line // which Serve refuses
	}
	switch q.Do {
	case "open":
		c.opened[q.Handle] = result.Trial{Subject: q.Subject, Case: q.Case}
	case "run":
		c.runs = c.opened[q.Handle]
	case "ready":
		if q.Calls == 0 {
			return []byte(strings.Replace(string(line), `"do":"ready"`, `"do":"ready","calls":1`, 1))
		}
	case "measure":
		return window.ReplaceAll(line, fmt.Appendf(nil, `"seconds":%g`, q.Seconds/8))
	}
	return line
}

// steady puts the clock's time into a sample.
func (c *steadyClock) steady(fields []int64) {
	ns := c.time() * fields[0]
	copy(fields[1:], []int64{ns, ns, ns, -1})
	steadySpins(fields)
	clear(fields[7:])
}

// steadySpins gives a sample the readings of a CPU whose frequency never moves.
func steadySpins(fields []int64) { fields[5], fields[6] = 40000, 40000 }

// window is what a request says of a window of a scenario.
var window = regexp.MustCompile(`"seconds":[^,}]*`)

// samples hands on a worker's answers, each sample as change leaves its fields.
type samples struct {
	out    io.Writer
	change func(fields []int64)
}

func (w *samples) Write(p []byte) (int, error) {
	var r struct{ Run []int64 }
	if err := json.Unmarshal(p, &r); err != nil || r.Run == nil {
		return w.out.Write(p)
	}
	line := map[string]json.RawMessage{}
	if err := json.Unmarshal(p, &line); err != nil {
		return 0, err
	}
	w.change(r.Run)
	fields, err := json.Marshal(r.Run)
	if err != nil {
		return 0, err
	}
	line["run"] = fields
	answer, err := json.Marshal(line)
	if err != nil {
		return 0, err
	}
	if _, err := w.out.Write(append(answer, '\n')); err != nil {
		return 0, err
	}
	return len(p), nil
}

// time is that of one call in ns, less than the laboratory waits for an answer. It
// differs a little from sample to sample, as of all clocks. Where bcrypt's cost is one
// more it is twice as long.
func (c *steadyClock) time() int64 {
	ns := 4000.0
	if parameters := c.runs.Case.Parameters; parameter.Cost.Has(parameters) {
		ns = math.Exp2(float64(parameter.Cost.In(parameters))) * 10_000
	}
	if c.runs.Subject.Library == "tjfoc" {
		ns = 6000
	}
	if name, factor, ok := strings.Cut(os.Getenv(slowVariable), "="); ok && name == c.runs.Subject.Library {
		if f, err := strconv.ParseFloat(factor, 64); err == nil {
			ns *= f
		}
	}
	c.round++
	return int64(ns) + int64(c.round*7%11)
}
