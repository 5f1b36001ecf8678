package gobench

import (
	"context"
	"errors"
	"io"
	"path"
	"regexp"
	"sync"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/clock"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// Serve answers requests as a worker whose cases are the benchmarks.
func (t Tests) Serve(in io.Reader, out io.Writer) error {
	return worker.Serve(in, out, func(provider.Setting) worker.Bench { return t.bench() })
}

const callPath = "go test -bench"

func (t Tests) subject() result.Subject {
	return result.Subject{Library: t.Library, Version: t.Version, CallPath: callPath}
}

func (t Tests) bench() worker.Bench {
	l := result.Library{Library: t.Library, Version: t.Version, CallPath: callPath}
	s, err := t.surveyed(context.Background())
	if err != nil {
		l.Missing, l.Cause = err.Error(), reason.Of(err)
		return worker.Bench{Libraries: []result.Library{l}, Judge: nobody{}}
	}
	if s.Package != "" {
		t.Library, l.Library = Shortly(s.Package), Shortly(s.Package)
	}
	p := &tests{t, s}
	b := worker.Bench{Libraries: []result.Library{l}, Providers: []provider.Provider{p}, Judge: nobody{}}
	for _, of := range s.Benchmarks {
		b.Cases = append(b.Cases, result.Case{Algorithm: of.Name, Operation: algorithm.Bench})
	}
	return b
}

// Shortly is a package by the end of its path, as tables have room for.
func Shortly(pkg string) string {
	short := path.Base(pkg)
	if dir := path.Dir(pkg); majorVersion().MatchString(short) && dir != "." {
		return path.Base(dir) + "/" + short
	}
	return short
}

var majorVersion = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^v[0-9]+$`) })

// nobody judges benchmarks: they have no output.
type nobody struct{}

func (nobody) Prove(result.Case, string) error   { return nil }
func (nobody) Digest(result.Case) (string, bool) { return "", false }
func (nobody) Block(int)                         {}
func (nobody) Release()                          {}

// tests offers the benchmarks of a binary.
type tests struct {
	Tests
	survey
}

func (p *tests) Subject() result.Subject { return p.subject() }

func (p *tests) Open(c result.Case) (provider.Operation, error) {
	for i, b := range p.Benchmarks {
		if c != (result.Case{Algorithm: b.Name, Operation: algorithm.Bench}) {
			continue
		}
		if b.Lacks != "" {
			return nil, &worker.Fault{Kind: worker.Failed, Text: b.Lacks, Cause: b.Cause}
		}
		return &operation{Tests: p.Tests, benchmark: &p.Benchmarks[i], onCPU: p.OnCPU}, nil
	}
	return nil, provider.Absent("not-offered", p.Library, c.Algorithm)
}

// operation is a benchmark. What it does runs elsewhere.
type operation struct {
	Tests
	*benchmark
	onCPU bool
}

var errElsewhere = errors.New("gobench: a benchmark runs in a process of its own")

func (o *operation) Run(int) error { return errElsewhere }
func (o *operation) Check() error  { return nil }
func (o *operation) Close() error  { return nil }
func (o *operation) Unchecked()    {}
func (o *operation) Loop() string  { return "process" }

func (o *operation) Clock() result.Clock {
	if o.Waits {
		return result.WallClock
	}
	return result.ProcessClock
}

// clock is what the binary is asked to read.
func (o *operation) clock() clockOf {
	if o.Waits || !o.onCPU {
		return onWall
	}
	return onCPU
}

// longestSample is how long a process may take: so many times what it should, where neighbours are busy.
func (o *operation) longestSample(calls int64, ns float64) time.Duration {
	const patience = 8
	return 4*longestCall + patience*time.Duration(ns*float64(calls))
}

// Sample calls it so often.
func (o *operation) Sample(calls int64) (s result.Sample, err error) {
	s = result.Sample{Calls: calls, Cycles: clock.NoCycles, SpinBefore: clock.Spin()}
	r, err := o.run(o.Name, calls, o.clock(), o.longestSample(calls, o.First))
	if err != nil {
		return s, err
	}
	own := r.Ns * float64(calls)
	s.Wall = max(1, int64(own))
	s.Process = max(1, int64(own*r.share()))
	if o.clock() == onCPU {
		// How long the wall saw the part that counts is not known; the process as a whole tells.
		s.Process = s.Wall
		s.Wall = int64(min(own/r.share(), max(own, float64(r.wall))))
	}
	s.Thread = s.Process
	s.SpinAfter = clock.Spin()
	return s, nil
}

// Ready finds how many calls last about target.
func (o *operation) Ready(calls, target int64) (worker.Ready, error) {
	if calls > 0 { // as found before; each sample begins afresh, and nothing is warmed for it
		return worker.Ready{Calls: calls, Uncounted: true}, nil
	}
	const (
		growth = 100 // at most, as the first call of a process costs more than others
		most   = 1 << 30
		goes   = 8
	)
	want := float64(max(target, int64(leastSample)))
	calls = 1
	for range goes {
		r, err := o.run(o.Name, calls, o.clock(), o.longestSample(calls, o.First))
		if err != nil {
			return worker.Ready{}, err
		}
		took := r.Ns * float64(calls)
		next := min(float64(calls)*growth, max(1, want/max(r.Ns, 1e-3)), most)
		if took >= want/2 || next == most {
			return worker.Ready{Calls: int64(next), Allocs: r.Allocs, AllocBytes: r.AllocBytes}, nil
		}
		if r.wall > longestCall/2 { // it waits, and would keep the others waiting
			return worker.Ready{Calls: calls, Allocs: r.Allocs, AllocBytes: r.AllocBytes}, nil
		}
		calls = max(calls+1, int64(next))
	}
	return worker.Ready{Calls: calls, Uncounted: true}, nil
}
