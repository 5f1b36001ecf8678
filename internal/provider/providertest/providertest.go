// Package providertest is the conformance that every provider must pass. The
// laboratory trusts what it states: an operation that conforms writes its output
// in every Run, judges it truly, and can't pass twice on one Run.
//
// [Verify] returns what is wrong, so that the conformance itself can be tested
// on providers that lie; [Run] makes subtests of it.
package providertest

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// OneAtATime is why the operations side by side are left out, of a library that keeps
// state in globals.
type OneAtATime string

// Boundaries lists the lengths around which a block cipher's kernels change what
// they do: nothing, a block, and wide kernels' 4, 8, 16 and 32 blocks, each less
// one, exact and one more. In short tests these are a block and 16 alone.
func Boundaries(blockSize int) []int {
	sizes := []int{0, 1}
	counts := []int{1, 16, 2, 4, 8, 32}
	if testing.Short() {
		counts = counts[:2]
	}
	for _, blocks := range counts {
		n := blocks * blockSize
		sizes = append(sizes, n-1, n, n+1)
	}
	return slices.Compact(slices.Sorted(slices.Values(sizes)))
}

// Sizes returns the case at each size.
func Sizes(c result.Case, sizes ...int) []result.Case {
	cases := make([]result.Case, len(sizes))
	for i, n := range sizes {
		cases[i] = c
		cases[i].Bytes = int64(n)
	}
	return cases
}

// Run verifies every case that the provider opens, and that it opens at least
// one. A case that it doesn't must be refused with a reason that wraps
// errors.ErrUnsupported.
func Run(t *testing.T, p provider.Provider, cases []result.Case, why ...OneAtATime) {
	t.Helper()
	var opened []result.Case
	for _, c := range cases {
		err := Verify(p, c)
		if errors.Is(err, errors.ErrUnsupported) {
			continue
		}
		opened = append(opened, c)
		if err != nil {
			t.Errorf("%s: %v", result.Trial{Subject: p.Subject(), Case: c}.ID(), err)
		}
	}
	if len(opened) == 0 {
		t.Errorf("%s opens none of %d cases", p.Subject().Library, len(cases))
	}
	if len(why) > 0 {
		t.Logf("%s: not run side by side: %s", p.Subject().Library, why[0])
		return
	}
	if err := SideBySide(p, opened); err != nil {
		t.Error(err)
	}
}

// Verify returns what is wrong with a provider on a case: nil if nothing is, an
// error that wraps errors.ErrUnsupported if the provider refuses it.
func Verify(p provider.Provider, c result.Case) error {
	op, err := provider.Prepare(p, c)
	if err != nil {
		return refusal(err)
	}
	defer op.Close()
	if err := run(op, 0, "Check before any Run"); err == nil {
		return errors.New("a Check before any Run passes")
	}
	for _, n := range []int{1, 3} {
		if err := run(op, n, "Check"); err != nil {
			return fmt.Errorf("after %d runs: %w", n, err)
		}
		if err := run(op, 0, "second Check"); err == nil {
			return fmt.Errorf("after %d runs: a second Check without a Run passes", n)
		}
	}
	return described(p, c)
}

// refusal lets a stated refusal through; a panic in Open is a finding, unless it
// is the standard library's way to refuse, which unwraps to errors.ErrUnsupported.
func refusal(err error) error {
	if errors.Is(err, errors.ErrUnsupported) && err.Error() != "" {
		return err
	}
	return fmt.Errorf("it does not open, and not because it is unsupported: %w", err)
}

// run runs an operation n times, 0 for not at all, and checks it.
func run(op provider.Operation, n int, what string) error {
	if n > 0 {
		if err := provider.Guard(func() error { return op.Run(n) }); err != nil {
			return fmt.Errorf("Run(%d): %w", n, err)
		}
	}
	if err := provider.Guard(op.Check); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// described verifies what a provider says of a case.
func described(p provider.Provider, c result.Case) error {
	s := p.Subject()
	if s.Library == "" || s.Version == "" || s.CallPath == "" {
		return fmt.Errorf("its subject lacks a name: %+v", s)
	}
	d, ok := p.(provider.Describer)
	if !ok {
		return nil
	}
	if name := d.Implementation(c); s.Implementation != "" && s.Implementation != name {
		return fmt.Errorf("its implementation has two names, in Subject (%s) and in Implementation (%s)", s.Implementation, name)
	}
	ct := reason.Based(d.ConstantTime(c))
	if !slices.Contains([]string{"yes", "no", "unknown"}, ct.Value) || ct.Basis == "" {
		return fmt.Errorf("whether it is constant-time is %q with the basis %q: give it a code that internal/reason/table.txt has a sentence for",
			ct.Value, ct.Basis)
	}
	return nil
}

// SideBySide runs separate operations in goroutines: those of one provider must
// not share state. Under the race detector this finds more.
func SideBySide(p provider.Provider, cases []result.Case) error {
	const each = 2
	errs := make([]error, each*len(cases))
	var all sync.WaitGroup
	for i, c := range slices.Repeat(cases, each) {
		all.Go(func() {
			op, err := provider.Prepare(p, c)
			if err != nil {
				errs[i] = fmt.Errorf("%s of %d bytes, side by side: %w", c.Name(), c.Bytes, err)
				return
			}
			defer op.Close()
			if err := run(op, 5, "Check"); err != nil {
				errs[i] = fmt.Errorf("%s %s of %d bytes, side by side: %w", c.Name(), c.Operation, c.Bytes, err)
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// Sensitive proves that an operation reads its input and that its Check compares
// with the judge's output: given a message with one bit flipped and the output
// for the right one, it must fail, in Run where that is its own judge, as a
// verification is. Messages are not empty.
func Sensitive(open func(provider.Vectors) provider.Provider, vectors provider.Vectors, c result.Case) error {
	op, err := provider.Prepare(open(flipped{vectors}), c)
	if err != nil {
		return refusal(err)
	}
	defer op.Close()
	if err := run(op, 1, "Check"); err == nil {
		return fmt.Errorf("%s %s of %d bytes: the output of another input passes", c.Name(), c.Operation, c.Bytes)
	}
	return nil
}

// flipped hands out vectors whose input does not belong to their output, in
// either direction. Of an agreement it is the output that is changed, since a
// changed point would be none.
type flipped struct{ provider.Vectors }

func (f flipped) Vector(c result.Case) (*provider.Vector, error) {
	v, err := f.Vectors.Vector(c)
	if err != nil {
		return nil, err
	}
	wrong := *v
	if last := len(v.Messages) - 1; last >= 0 { // the longest alone: each is judged
		wrong.Messages = slices.Clone(v.Messages)
		wrong.Messages[last].Plaintext = oneBitOff(v.Messages[last].Plaintext)
		return &wrong, nil
	}
	for _, text := range []*[]byte{&wrong.Plaintext, &wrong.Signed, &wrong.Secret} {
		if len(*text) > 0 {
			*text = oneBitOff(*text)
		}
	}
	return &wrong, nil
}

func oneBitOff(message []byte) []byte {
	wrong := slices.Clone(message)
	wrong[len(wrong)/2] ^= 0x10
	return wrong
}
