package gauge

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/judge"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

var (
	errNoOutput = language.Error("gauge: an operation that is compared needs a Call with Run and Output",
		"gauge：要核对的操作，其 Call 须有 Run 与 Output")
	errNoRun = language.Error("gauge: a Call needs Run", "gauge：Call 须有 Run")
)

// callPath tells a user's rows from those of the laboratory's own bindings.
const callPath = "gauge"

// bench offers the operations of a program. It is the judge, too: of the laboratory's cases by the reference,
// of others by what they are expected to leave.
type bench struct {
	*judge.Judge
	seed    uint64
	digests map[result.Case]string
}

func newBench(ops []Op, s provider.Setting) worker.Bench {
	b := &bench{judge.New(s), s.Seed, map[result.Case]string{}}
	out := worker.Bench{Judge: b}
	offers := map[result.Subject]*offer{}
	for _, o := range ops {
		s := result.Subject{Library: o.Library, Version: o.Version, CallPath: callPath}
		if offers[s] == nil {
			offers[s] = &offer{b, s, map[result.Case]Op{}}
			out.Providers = append(out.Providers, offers[s])
			out.Libraries = append(out.Libraries, result.Library{Library: o.Library, Version: o.Version, CallPath: callPath})
		}
		for _, c := range o.cases() {
			offers[s].ops[c] = o
			out.Cases = append(out.Cases, c)
		}
	}
	return out
}

// cases are what an operation is listed with.
func (o Op) cases() (all []result.Case) {
	sizes, goroutines := o.Sizes, o.Goroutines
	if len(sizes) == 0 {
		sizes = []int{0}
	}
	if len(goroutines) == 0 {
		goroutines = []int{0}
	}
	for _, n := range goroutines {
		for _, size := range sizes {
			c := result.Case{Algorithm: o.Algorithm, Mode: o.Mode, Operation: o.Operation, Bytes: int64(size)}
			if n > 0 {
				c.Parameters = parameter.Goroutines.Is(n)
			}
			all = append(all, c)
		}
	}
	return all
}

func (b *bench) Prove(c result.Case, digest string) error {
	if !known(c) {
		return nil
	}
	return b.Judge.Prove(alone(c), digest)
}

func (b *bench) Digest(c result.Case) (string, bool) {
	d, ok := b.digests[c]
	return d, ok
}

// alone is a case without the goroutines that ask for it at once.
func alone(c result.Case) result.Case {
	c.Parameters = ""
	return c
}

// known are the cases whose input and output the laboratory knows: its own.
func known(c result.Case) bool {
	if algorithm.Of(c.Algorithm).Kind == 0 || c.Bytes == 0 {
		return false
	}
	switch c.Operation {
	case algorithm.Encrypt, algorithm.Decrypt, algorithm.Hash:
		return true
	}
	return false
}

// input is what a case works on, and what it must leave, where the laboratory knows.
func (b *bench) input(c result.Case) (in Input, want []byte, err error) {
	in.Size = int(c.Bytes)
	if !known(c) {
		source := seeded.Source(b.seed, fmt.Sprint("gauge", alone(c)))
		in.Key, in.Nonce, in.Data = make([]byte, 32), make([]byte, 16), make([]byte, in.Size)
		for _, part := range [][]byte{in.Key, in.Nonce, in.Data} {
			_, _ = source.Read(part) // which never fails
		}
		if own := b.Setting().Own; own != nil {
			err = own.Fill(in.Data)
		}
		return in, nil, err
	}
	v, err := b.Vector(alone(c))
	if err != nil {
		return in, nil, err
	}
	in.Key, in.Nonce, in.AAD, in.Data = v.Key, v.Nonce, v.AAD, v.Plaintext
	switch c.Operation {
	case algorithm.Encrypt:
		want = v.Ciphertext
	case algorithm.Decrypt:
		in.Data, want = v.Ciphertext, v.Plaintext
	case algorithm.Hash:
		want = v.Digest
	}
	return in, want, nil
}

// offer is what one library of a program offers.
type offer struct {
	bench   *bench
	subject result.Subject
	ops     map[result.Case]Op
}

func (p *offer) Subject() result.Subject { return p.subject }

func (p *offer) Open(c result.Case) (provider.Operation, error) {
	o, ok := p.ops[c]
	if !ok {
		return nil, provider.Absent("not-offered", p.subject.Library, c.Name()+" "+c.Operation)
	}
	in, want, err := p.bench.input(c)
	if err != nil {
		return nil, err
	}
	if o.Expect != nil {
		if want, err = o.Expect(in); err != nil {
			return nil, fmt.Errorf("what is expected: %w", err)
		}
	}
	var all []provider.Operation
	checked := false
	for range max(1, parameter.Goroutines.In(c.Parameters)) {
		op, err := p.open(o, c, in, want)
		if err != nil {
			return nil, errors.Join(err, loop.NewBusy(all).Close())
		}
		all, checked = append(all, op), op.checked
	}
	op := all[0]
	if c.Parameters != "" {
		op = loop.NewBusy(all)
	}
	if !checked {
		return unchecked{op}, nil
	}
	return op, nil
}

// open gets one goroutine's calls ready, and makes the first, whose output tells what the case computes.
func (p *offer) open(o Op, c result.Case, in Input, want []byte) (*operation, error) {
	call, err := o.Prepare(in)
	if err != nil {
		return nil, err
	}
	op := operationOf(call, want)
	switch {
	case call.Run == nil:
		err = errNoRun
	case o.Expect != nil && call.Output == nil:
		err = errNoOutput
	case call.Output != nil:
		if err = op.Run(1); err == nil && call.Verify == nil {
			sum := sha256.Sum256(call.Output())
			p.bench.digests[c] = hex.EncodeToString(sum[:])
		}
	}
	if err != nil {
		return nil, errors.Join(err, op.Close())
	}
	return op, nil
}

// operation is a user's call as the laboratory's loops take it.
type operation struct {
	provider.Operation
	checked bool
}

func (operation) Loop() string { return "gauge" }

// operationOf holds a call's output against want, where that is known, and spoils it.
func operationOf(call Call, want []byte) *operation {
	run := func(n int) error {
		for range n {
			if err := call.Run(); err != nil {
				return err
			}
		}
		return nil
	}
	f := loop.Foreign{Run: run, Close: call.Close}
	switch {
	case call.Verify != nil:
		f.Accept = func([]byte) error { return call.Verify() }
	case want != nil && call.Output != nil:
		f.Accept = func([]byte) error {
			got := call.Output()
			err := loop.MustBe(want, 0)(got)
			for i := range got {
				got[i] ^= 0xff
			}
			return err
		}
	default:
		f.Blank = true
	}
	op, _ := loop.NewForeign(f) // which runs, and has its judge
	return &operation{op, !f.Blank}
}

// unchecked is an operation that is held against nothing.
type unchecked struct{ provider.Operation }

func (unchecked) Unchecked() {}

func (u unchecked) Clock() result.Clock {
	if c, ok := u.Operation.(provider.Clocked); ok {
		return c.Clock()
	}
	return result.ThreadClock
}
