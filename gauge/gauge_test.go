package gauge

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// ctr is AES-128-CTR, of which one bit may be wrong.
func ctr(flip byte) func(Input) (Call, error) {
	return func(in Input) (Call, error) {
		block, err := aes.NewCipher(in.Key)
		if err != nil {
			return Call{}, err
		}
		dst := make([]byte, len(in.Data))
		return Call{Output: func() []byte { return dst }, Run: func() error {
			cipher.NewCTR(block, in.Nonce).XORKeyStream(dst, in.Data)
			dst[3] ^= flip
			return nil
		}}, nil
	}
}

// copied leaves what it was given.
func copied(in Input) (Call, error) {
	dst := make([]byte, len(in.Data))
	return Call{Output: func() []byte { return dst }, Run: func() error { copy(dst, in.Data); return nil }}, nil
}

func same(in Input) ([]byte, error) { return in.Data, nil }

// after runs copied, and then fails by f, from the third call on.
func after(f func() error) func(Input) (Call, error) {
	return func(in Input) (Call, error) {
		c, err := copied(in)
		calls := 0
		c.Run = func() error {
			if calls++; calls > 2 {
				return f()
			}
			return nil
		}
		return c, err
	}
}

func served(t *testing.T, ops ...Op) (*worker.Process, worker.Hello) {
	t.Helper()
	if err := named(ops); err != nil {
		t.Fatal(err)
	}
	p := worker.InProcess(func(s provider.Setting) worker.Bench { return newBench(ops, s) })
	t.Cleanup(func() { p.Stop() })
	hello, err := p.Hello(t.Context(), provider.Setting{Seed: 7}, -1)
	if err != nil {
		t.Fatal(err)
	}
	return p, hello
}

// measured opens the one case of an operation, makes four calls, and checks them.
func measured(t *testing.T, o Op) (about worker.About, err error) {
	t.Helper()
	p, hello := served(t, o)
	about, err = p.Open(t.Context(), 1, result.Trial{Subject: hello.Subjects[0], Case: hello.Cases[0]}, 0, "")
	if err != nil {
		return about, err
	}
	if _, err := p.Run(t.Context(), 1, 4); err != nil {
		return about, err
	}
	return about, p.Check(t.Context(), 1)
}

// TestOutcomes: what is right, wrong, unchecked or fails is told apart.
func TestOutcomes(t *testing.T) {
	t.Parallel()
	lab := func(flip byte) Op {
		return Op{Algorithm: "AES-128", Mode: "CTR", Operation: "encrypt", Sizes: []int{1024}, Prepare: ctr(flip)}
	}
	own := func(prepare func(Input) (Call, error)) Op {
		return Op{Algorithm: "Mine", Sizes: []int{100}, Prepare: prepare}
	}
	expected := own(copied)
	expected.Expect = same
	agrees, differs := expected, expected
	agrees.Expect = own(copied).Output
	differs.Expect = own(ctrOfMine).Output
	broken := expected
	broken.Expect = func(Input) ([]byte, error) { return nil, errors.New("no answer known") }
	blind := expected
	blind.Prepare = func(Input) (Call, error) { return Call{Run: func() error { return nil }}, nil }
	for name, c := range map[string]struct {
		op        Op
		wrong     string
		unchecked bool
	}{
		"as the laboratory's":  {op: lab(0)},
		"a bit is wrong":       {op: lab(1), wrong: "the output is wrong from byte 3 on"},
		"expected":             {op: expected},
		"agrees":               {op: agrees},
		"does not agree":       {op: differs, wrong: "the output is wrong from byte 0 on"},
		"nothing known of it":  {op: own(copied), unchecked: true},
		"no output":            {op: own(blind.Prepare), unchecked: true},
		"expected, no output":  {op: blind, wrong: "needs a Call with Run and Output"},
		"nothing is expected":  {op: broken, wrong: "what is expected: no answer known"},
		"no Run":               {op: own(func(Input) (Call, error) { return Call{}, nil }), wrong: "a Call needs Run"},
		"can't be prepared":    {op: own(func(Input) (Call, error) { return Call{}, errors.New("no card") }), wrong: "no card"},
		"fails later":          {op: own(after(func() error { return errors.New("card removed") })), wrong: "card removed"},
		"panics later":         {op: own(after(func() error { panic("card on fire") })), wrong: "card on fire"},
		"judged, and is right": {op: own(verified(nil))},
		"judged, and is wrong": {op: own(verified(errors.New("no signature"))), wrong: "no signature"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			about, err := measured(t, c.op)
			switch {
			case c.wrong == "" && err != nil:
				t.Error(err)
			case c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)):
				t.Errorf("%v, want %s", err, c.wrong)
			case c.wrong == "" && about.Unchecked != c.unchecked:
				t.Errorf("unchecked: %v", about.Unchecked)
			}
		})
	}
}

// ctrOfMine encrypts where the other copies.
func ctrOfMine(in Input) (Call, error) {
	in.Key, in.Nonce = in.Key[:16], in.Nonce[:16]
	return ctr(1)(in)
}

func verified(err error) func(Input) (Call, error) {
	return func(in Input) (Call, error) {
		c, _ := copied(in)
		c.Verify = func() error { return err }
		return c, nil
	}
}

// TestStale: an output of before does not pass, since a check spoils it.
func TestStale(t *testing.T) {
	t.Parallel()
	lazy := Op{Algorithm: "Lazy", Sizes: []int{64}, Expect: same, Prepare: func(in Input) (Call, error) {
		dst := bytes.Clone(in.Data) // right, and never made again
		return Call{Run: func() error { return nil }, Output: func() []byte { return dst }}, nil
	}}
	p, hello := served(t, lazy)
	ctx := t.Context()
	if _, err := p.Open(ctx, 1, result.Trial{Subject: hello.Subjects[0], Case: hello.Cases[0]}, 0, ""); err != nil {
		t.Fatal(err)
	}
	check := func() error {
		if _, err := p.Run(ctx, 1, 1); err != nil {
			t.Fatal(err)
		}
		return p.Check(ctx, 1)
	}
	if err := check(); err != nil {
		t.Errorf("the first: %v", err)
	}
	if check() == nil {
		t.Error("an output that was spoilt passes")
	}
	if err := p.Check(ctx, 1); err == nil || !strings.Contains(err.Error(), "nothing ran") {
		t.Errorf("a check without a run: %v", err)
	}
}

// TestInputs: two programs work on the same, and on other bytes with another seed; their outputs have a digest.
func TestInputs(t *testing.T) {
	t.Parallel()
	digest := func(seed uint64, prepare func(Input) (Call, error)) string {
		ops := []Op{{Algorithm: "Mine", Sizes: []int{32}, Prepare: prepare}}
		if err := named(ops); err != nil {
			t.Fatal(err)
		}
		b := newBench(ops, provider.Setting{Seed: seed})
		op, err := b.Providers[0].Open(b.Cases[0])
		if err != nil {
			t.Fatal(err)
		}
		defer op.Close()
		d, _ := b.Judge.Digest(b.Cases[0])
		return d
	}
	one := digest(1, copied)
	if one == "" || one != digest(1, copied) || one == digest(2, copied) || one == digest(1, ctrOfMine) {
		t.Errorf("%q", one)
	}
}

// TestGoroutines: each has a Call of its own, and all of them are closed.
func TestGoroutines(t *testing.T) {
	t.Parallel()
	prepared, closed := 0, 0
	o := Op{Algorithm: "Mine", Operation: "copy", Sizes: []int{256}, Goroutines: []int{4}, Expect: same, Prepare: func(in Input) (Call, error) {
		prepared++
		c, err := copied(in)
		c.Close = func() error { closed++; return nil }
		return c, err
	}}
	p, hello := served(t, o)
	c := result.Case{Algorithm: "Mine", Operation: "copy", Bytes: 256, Parameters: parameter.Goroutines.Is(4)}
	if len(hello.Cases) != 1 || hello.Cases[0] != c {
		t.Fatalf("%+v", hello.Cases)
	}
	ctx := t.Context()
	if about, err := p.Open(ctx, 1, result.Trial{Subject: hello.Subjects[0], Case: c}, 0, ""); err != nil || about.Unchecked || about.Clock == result.ThreadClock {
		t.Fatalf("%+v, %v", about, err)
	}
	if _, err := p.Ready(ctx, 1, 0, time.Millisecond); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Run(ctx, 1, 64); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(p.Check(ctx, 1), p.Close(context.WithoutCancel(ctx), 1)); err != nil || prepared != 4 || closed != 4 {
		t.Errorf("%d prepared, %d closed, %v", prepared, closed, err)
	}
}

// TestStream: what is read is what was given, by a reader that is nothing more.
func TestStream(t *testing.T) {
	t.Parallel()
	o := Op{Algorithm: "Digest", Operation: "stream", Sizes: []int{5000}, Prepare: Stream(func(Input) (func(io.Writer, io.Reader) error, error) {
		h, chunk := sha256.New(), make([]byte, 512)
		return func(dst io.Writer, src io.Reader) error {
			if _, easy := src.(io.WriterTo); easy {
				return errors.New("a stream that is a buffer")
			}
			h.Reset()
			if _, err := io.CopyBuffer(h, src, chunk); err != nil {
				return err
			}
			_, err := dst.Write(h.Sum(nil))
			return err
		}, nil
	}), Expect: func(in Input) ([]byte, error) { sum := sha256.Sum256(in.Data); return sum[:], nil }}
	if about, err := measured(t, o); err != nil || about.Unchecked {
		t.Errorf("%+v, %v", about, err)
	}
}

// TestNamed: what can't be measured is refused in one line.
func TestNamed(t *testing.T) {
	t.Parallel()
	fine := Op{Algorithm: "A", Prepare: copied}
	sized := func(n int) Op { o := fine; o.Sizes = []int{n}; return o }
	other := fine
	other.Library = "another"
	for _, c := range []struct {
		ops  []Op
		want string
	}{
		{nil, "at least one Op"},
		{[]Op{{Prepare: copied}}, "operation 1 needs Algorithm and Prepare"},
		{[]Op{fine, {Algorithm: "A"}}, "operation 2 needs Algorithm and Prepare"},
		{[]Op{fine, fine}, "A call of 0 bytes is there twice"},
		{[]Op{sized(0)}, "begin at 1"},
		{[]Op{fine, sized(5), other}, ""},
	} {
		err := named(c.ops)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
