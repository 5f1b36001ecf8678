// Package harness offers the laboratory itself as a subject: loops around
// nothing, whose cost is the laboratory's own, and work of known cost, which
// the self-test must find again.
package harness

import (
	"crypto/aes"
	"crypto/cipher"
	"fmt"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/kernel/chain"
	"github.com/cryptogauge/cryptogauge/internal/kernel/yardstick"
	"github.com/cryptogauge/cryptogauge/internal/library/gostd"
	"github.com/cryptogauge/cryptogauge/internal/library/handshake"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

// Providers lists the one provider there is. Its cases are
//
//	empty    mode KIND of loop (loop.Loops), operation call, 0 bytes
//	empty    mode crossing, operation call: a call of a function in assembly, 0 bytes
//	empty    operation handshake, 0 bytes, parameter transport=memory or tcp
//	chain    mode add or imul, operation steps, parameter steps=N
//	yardstick mode wide or loads, operation steps, parameter steps=N
//	planted  mode AES-128-CBC, operation encrypt, 1024 bytes, parameter calls=C
//
// and the scenario
//
//	empty    operation arrival, 0 bytes, parameter rate=REQUESTS a second
func Providers(v provider.Vectors) []provider.Provider { return []provider.Provider{harness{v}} }

type harness struct{ vectors provider.Vectors }

func (harness) Subject() result.Subject {
	return result.Subject{Library: subject.Harness, Version: "1", CallPath: subject.Direct}
}

func (h harness) Open(c result.Case) (provider.Operation, error) {
	switch {
	case c == result.Case{Algorithm: algorithm.Empty, Mode: "crossing", Operation: algorithm.Call}:
		return &steady{steps: 1, loop: "crossing", walk: chain.Pass, want: 1}, nil // the path that crosses nothing
	case c == result.Case{Algorithm: algorithm.Empty, Mode: c.Mode, Operation: algorithm.Call}:
		return loop.NewEmpty(c.Mode)
	case (c.Algorithm == algorithm.Chain || c.Algorithm == algorithm.Yardstick) && c.Operation == algorithm.Steps && c.Bytes == 0:
		return openWalk(c)
	case c.Algorithm == algorithm.Empty && c.Operation == algorithm.Handshake:
		return handshake.NewEmpty(c)
	case c.Algorithm == algorithm.Planted && c.Mode == cbc(0).Name() && c.Operation == algorithm.Encrypt:
		return h.openPlanted(c)
	}
	return nil, provider.Absent("not-offered", "harness", c.Name()+" "+c.Operation)
}

// OpenScenario opens requests around nothing.
func (harness) OpenScenario(c result.Case) (provider.Scenario, error) {
	rate := parameter.Rate.In(c.Parameters)
	asked := result.Case{Algorithm: algorithm.Empty, Operation: algorithm.Arrival, Parameters: parameter.Rate.Is(rate)}
	if rate == 0 || c != asked {
		return nil, provider.Absent("not-offered", subject.Harness, c.Name()+" "+c.Operation)
	}
	return loop.NewEmptyArrival(float64(rate)), nil
}

// Implementation names the chain's kernel; an assembly one can't be folded by a compiler.
func (harness) Implementation(c result.Case) string {
	switch c.Algorithm {
	case algorithm.Chain:
		return chain.Implementation
	case algorithm.Empty:
		if c.Mode == "crossing" {
			return chain.Implementation
		}
	case algorithm.Yardstick:
		return "go"
	case algorithm.Planted:
		return gostd.Providers(nil)[0].(provider.Kernel).Implementation(cbc(c.Bytes))
	}
	return ""
}

func (harness) ConstantTime(result.Case) result.ConstantTime {
	return reason.Timing("unknown", "no-secret-involved")
}

func (harness) Note(c result.Case) string {
	if c.Algorithm == algorithm.Planted {
		return fmt.Sprintf("for every call asked for, %d are made", parameter.Calls.In(c.Parameters))
	}
	return ""
}

// openWalk opens a loop of steps that are always the same.
func openWalk(c result.Case) (provider.Operation, error) {
	steps := uint64(parameter.Steps.In(c.Parameters))
	if steps == 0 || !parameter.Are(c.Parameters, parameter.Steps) {
		return nil, provider.Absent("parameters", c.Algorithm, "steps=N", c.Parameters)
	}
	o := &steady{steps: steps, loop: c.Algorithm}
	switch c.Name() {
	case "chain-add":
		o.walk = chain.Add
	case "chain-imul":
		o.walk = chain.Mul
	case "yardstick-wide":
		o.walk = yardstick.Wide
	case "yardstick-loads":
		o.walk = new(yardstick.Table).Loads
	default:
		return nil, provider.Absent("not-offered", "harness", c.Name())
	}
	o.want = o.walk(steps)
	return o, nil
}

type steady struct {
	steps     uint64
	loop      string
	walk      func(uint64) uint64
	got, want uint64
	ran       bool
}

func (o *steady) Run(n int) error {
	o.ran = n > 0
	for range n {
		o.got = o.walk(o.steps)
	}
	return nil
}

// Check can prove no more than that the steps were walked: it ends where it ended
// when it was opened.
func (o *steady) Check() error {
	right := o.ran && o.got == o.want
	o.ran, o.got = false, ^o.want
	if !right {
		return errWalk
	}
	return nil
}

func (o *steady) Close() error { return nil }
func (o *steady) Loop() string { return o.loop }

var errWalk = reason.New("walk")

func cbc(n int64) result.Case {
	return result.Case{Algorithm: algorithm.AES128, Mode: algorithm.CBC, Operation: algorithm.Encrypt, Bytes: n}
}

// openPlanted opens AES-128-CBC that makes several calls each time it is asked for
// one. CBC encryption is one chain of dependent instructions: of all that a CPU
// does a neighbour on the same core disturbs this the least.
func (h harness) openPlanted(c result.Case) (provider.Operation, error) {
	calls := parameter.Calls.In(c.Parameters)
	if calls == 0 || !parameter.Are(c.Parameters, parameter.Calls) {
		return nil, provider.Unsupported("parameters", c.Algorithm, "calls=N", c.Parameters)
	}
	v, err := h.vectors.Vector(cbc(c.Bytes))
	if err != nil {
		return nil, err
	}
	b, err := aes.NewCipher(v.Key)
	if err != nil {
		return nil, err
	}
	inner := loop.NewBlockMode(b, reused(b, v.Nonce), loop.Encrypt, v)
	return &planted{Operation: inner, calls: calls}, nil
}

// reused gives one CBC mode again and again, its IV set anew, where the standard
// library's mode allows it: so nothing is allocated.
func reused(b cipher.Block, iv []byte) func(cipher.Block, []byte) cipher.BlockMode {
	mode := cipher.NewCBCEncrypter(b, iv)
	setter, ok := mode.(interface{ SetIV([]byte) })
	if !ok {
		return cipher.NewCBCEncrypter
	}
	return func(_ cipher.Block, iv []byte) cipher.BlockMode {
		setter.SetIV(iv)
		return mode
	}
}

type planted struct {
	provider.Operation
	calls int
}

func (o *planted) Run(n int) error { return o.Operation.Run(n * o.calls) }

func (o *planted) Loop() string { return "planted" }
