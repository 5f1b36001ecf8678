//go:build linux && (amd64 || arm64)

package native

import (
	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/cbinding"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// Harness is the name under which the worker offers the boundary itself, without a
// library behind it.
const Harness = "harness"

// Crossing is the case of an empty call.
var Crossing = result.Case{Algorithm: algorithm.Empty, Mode: "crossing", Operation: algorithm.Call}

// crossing is a provider of calls that do nothing: what it takes is what a path takes.
type crossing struct {
	path    call.Path
	subject result.Subject
}

func (x crossing) Subject() result.Subject { return x.subject }

func (x crossing) Open(c result.Case) (provider.Operation, error) {
	if c != Crossing {
		return nil, provider.Absent("not-offered", "harness", c.Name()+" "+c.Operation)
	}
	nothing, err := call.Nothing()
	if err != nil {
		return nil, err
	}
	return calling(x.path, call.Program{nothing})
}

// calling is the operation of an empty call. Check demands its result, and forgets it.
func calling(path call.Path, empty call.Program) (provider.Operation, error) {
	return loop.NewForeign(loop.Foreign{
		Run: func(n int) error { return path.Run(empty, n) },
		Accept: func([]byte) error {
			got := int32(empty[0].Result)
			if empty[0].Result = 0; got != 1 {
				return reason.New("not-called")
			}
			return nil
		},
	})
}

func (crossing) ConstantTime(result.Case) result.ConstantTime {
	return reason.Timing("unknown", "no-secret-involved")
}

func (crossing) Note(result.Case) string { return "abs of the C library, called with -1" }

// inBatches lets a path that crosses once a call take several messages in one crossing,
// by the parameter batch (provider.Handed): the loop over them is in C.
type inBatches struct {
	cbinding.Described
	loop provider.Provider // the same library by the loop in C; nil where there are no batches
}

// batching gives a path batches: cgo, which has a loop in C to make them, where that
// loop is no path of its own.
func batching(p cbinding.Described, path call.Path, lib opened) cbinding.Described {
	b := inBatches{Described: p}
	for _, other := range call.Paths() {
		if path.Name == "cgo" && other.InC() {
			s := p.Subject()
			s.CallPath = other.Name
			b.loop = lib.On(other, s)
		}
	}
	return b
}

func (b inBatches) Open(c result.Case) (provider.Operation, error) {
	alone, messages := provider.Handed(c)
	if !parameter.Batch.Has(c.Parameters) {
		return b.Described.Open(c)
	}
	if b.loop == nil {
		return nil, provider.Absent("not-offered", "native", c.Parameters)
	}
	if alone.Parameters != "" {
		return nil, provider.Absent("parameters", c.Name(), "batch=MESSAGES", c.Parameters)
	}
	op, err := b.loop.Open(alone)
	if err != nil {
		return nil, err
	}
	return &batch{op, int(messages)}, nil
}

// batch is an operation of several messages, each as the one that it repeats.
type batch struct {
	provider.Operation
	messages int
}

func (o *batch) Run(n int) error {
	for range n {
		if err := o.Operation.Run(o.messages); err != nil {
			return err
		}
	}
	return nil
}

func (o *batch) Loop() string { return loop.LoopForeign }
