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
	"github.com/cryptogauge/cryptogauge/internal/library/gobinding"
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
func Providers(v provider.Vectors) []provider.Provider {
	harness := result.Subject{Library: subject.Harness, Version: "1", CallPath: subject.Direct}
	return []provider.Provider{gobinding.New(harness, v, empty, walked(algorithm.Chain, chain.Implementation),
		walked(algorithm.Yardstick, "go"), multiplied)}
}

var noSecret = gobinding.Always(reason.Timing("unknown", "no-secret-involved"))

var empty = gobinding.Offer{
	Has: func(c result.Case) bool { return c.Algorithm == algorithm.Empty },
	Open: func(c result.Case, _ provider.Vectors) (provider.Operation, error) {
		switch {
		case c.Operation == algorithm.Handshake:
			return handshake.NewEmpty(c)
		case c == result.Case{Algorithm: algorithm.Empty, Mode: algorithm.Crossing, Operation: algorithm.Call}:
			return steady(algorithm.Crossing, 1, chain.Pass, 1) // the path that crosses nothing
		case c == result.Case{Algorithm: algorithm.Empty, Mode: c.Mode, Operation: algorithm.Call}:
			return loop.NewEmpty(c.Mode)
		}
		return nil, provider.Absent("not-offered", subject.Harness, c.Name()+" "+c.Operation)
	},
	OpenScenario: func(c result.Case, _ provider.Vectors) (provider.Scenario, error) {
		rate := parameter.Rate.In(c.Parameters)
		asked := result.Case{Algorithm: algorithm.Empty, Operation: algorithm.Arrival, Parameters: parameter.Rate.Is(rate)}
		if rate == 0 || c != asked {
			return nil, provider.Absent("not-offered", subject.Harness, c.Name()+" "+c.Operation)
		}
		return loop.NewEmptyArrival(float64(rate)), nil
	},
	Kernel: func(c result.Case) string {
		if c.Mode == algorithm.Crossing {
			return chain.Implementation
		}
		return ""
	},
	Timing: noSecret,
}

// walks make the loops of steps that are always the same; each has a table of its own.
var walks = map[string]func() func(steps uint64) uint64{
	"chain-add":       func() func(uint64) uint64 { return chain.Add },
	"chain-imul":      func() func(uint64) uint64 { return chain.Mul },
	"yardstick-wide":  func() func(uint64) uint64 { return yardstick.Wide },
	"yardstick-loads": func() func(uint64) uint64 { return new(yardstick.Table).Loads },
}

// walked offers such loops, by a kernel that a compiler can't fold where it is assembly.
func walked(name algorithm.Name, kernel string) gobinding.Offer {
	return gobinding.Offer{
		Has: func(c result.Case) bool { return c.Algorithm == name },
		Open: func(c result.Case, _ provider.Vectors) (provider.Operation, error) {
			steps, open := uint64(parameter.Steps.In(c.Parameters)), walks[c.Name()]
			switch {
			case open == nil || c.Operation != algorithm.Steps || c.Bytes != 0:
				return nil, provider.Absent("not-offered", subject.Harness, c.Name()+" "+c.Operation)
			case steps == 0 || !parameter.Are(c.Parameters, parameter.Steps):
				return nil, provider.Absent("parameters", c.Algorithm, "steps=N", c.Parameters)
			}
			walk := open()
			return steady(name, steps, walk, walk(steps))
		},
		Kernel: gobinding.Always(kernel),
		Timing: noSecret,
	}
}

// steady walks steps that lead to what is wanted, in one call of a loop with a name.
func steady(name string, steps uint64, walk func(steps uint64) uint64, want uint64) (provider.Operation, error) {
	got := ^want
	return loop.NewForeign(loop.Foreign{
		Loop: name,
		Run: func(n int) error {
			for range n {
				got = walk(steps)
			}
			return nil
		},
		// It can prove no more than that the steps were walked: they end where they ended
		// when the operation was opened.
		Accept: func([]byte) error {
			right := got == want
			if got = ^want; !right {
				return reason.New("walk")
			}
			return nil
		},
	})
}

func cbc(n int64) result.Case {
	return result.Case{Algorithm: algorithm.AES128, Mode: algorithm.CBC, Operation: algorithm.Encrypt, Bytes: n}
}

// multiplied is AES-128-CBC that makes several calls each time it is asked for one. CBC
// encryption is one chain of dependent instructions: of all that a CPU does a neighbour
// on the same core disturbs this the least.
var multiplied = gobinding.Offer{
	Has: func(c result.Case) bool {
		return c.Algorithm == algorithm.Planted && c.Mode == cbc(0).Name() && c.Operation == algorithm.Encrypt
	},
	Open: func(c result.Case, vs provider.Vectors) (provider.Operation, error) {
		calls := parameter.Calls.In(c.Parameters)
		if calls == 0 || !parameter.Are(c.Parameters, parameter.Calls) {
			return nil, provider.Unsupported("parameters", c.Algorithm, "calls=N", c.Parameters)
		}
		v, err := vs.Vector(cbc(c.Bytes))
		if err != nil {
			return nil, err
		}
		b, err := aes.NewCipher(v.Key)
		if err != nil {
			return nil, err
		}
		return &planted{loop.NewBlockMode(b, reused(b, v.Nonce), loop.Encrypt, v), calls}, nil
	},
	Kernel: func(c result.Case) string {
		return gostd.Providers(nil)[0].(provider.Describer).Implementation(cbc(c.Bytes))
	},
	Timing: noSecret,
	Note: func(c result.Case) string {
		return fmt.Sprintf("for every call asked for, %d are made", parameter.Calls.In(c.Parameters))
	},
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

// Clock is the thread's, whatever others of the worker's threads do: none works for it.
func (o *planted) Clock() result.Clock { return result.ThreadClock }
