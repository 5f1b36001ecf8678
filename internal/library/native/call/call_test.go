//go:build linux && (amd64 || arm64)

package call

import (
	"errors"
	"testing"

	"github.com/ebitengine/purego"
)

// libc is a function of the C library that every process has.
func libc(t *testing.T, name string) uintptr {
	t.Helper()
	fn, err := purego.Dlsym(purego.RTLD_DEFAULT, name)
	if err != nil {
		t.Fatal(err)
	}
	return fn
}

func TestPaths(t *testing.T) {
	abs, compare, snprintf := libc(t, "abs"), libc(t, "memcmp"), libc(t, "snprintf")
	left, right := []byte("equal"), []byte("equal")
	for _, p := range Paths() {
		t.Run(p.Name, func(t *testing.T) {
			one := uintptr(^uint64(0)) // -1
			if err := p.Run(Program{New(abs, Positive, one), New(compare, Zero, Bytes(left), Bytes(right), 5)}, 3); err != nil {
				t.Error(err)
			}
			err := p.Run(Program{New(abs, Positive, one), New(abs, Zero, one)}, 3)
			if f, ok := errors.AsType[*Failure](err); !ok || f.Call != 1 || f.Result != 1 || f.Short {
				t.Errorf("a call that returned 1 and not 0: %v", err)
			}
			if err := p.Run(Program{New(abs, Positive, 0)}, 1); err == nil {
				t.Error("a call that returned 0 counts as positive")
			}
			program := Program{New(compare, Any, Bytes(left), Bytes(right), 5)}
			if err := p.Run(program, 1); err != nil || int32(program[0].Result) != 0 {
				t.Errorf("memcmp of equal bytes is %d", int32(program[0].Result))
			}
			// Twelve arguments: six in registers, six on the stack.
			out, format := make([]byte, 64), []byte("%d%d%d%d%d%d%d%d%d\x00")
			program = Program{New(snprintf, Any, Bytes(out), 64, Bytes(format), 1, 2, 3, 4, 5, 6, 7, 8, 9)}
			if err := p.Run(program, 1); err != nil {
				t.Error(err)
			}
			if got := string(out[:program[0].Result]); got != "123456789" {
				t.Errorf("snprintf wrote %q", got)
			}
		})
	}
}

// TestWords: a word is set before each call, and another must hold its value after it.
func TestWords(t *testing.T) {
	set := libc(t, "memcpy")
	in, out, wrong := new(uint64), new(uint64), new(uint64)
	for _, p := range Paths() {
		*in, *out = 1, 2
		expecting := func(first *uint64, value uint64, second *uint64, other uint64) Program {
			c := New(set, Any, Word(out), Word(in), 8)
			c.Setting(in, 7).Expecting(first, value)
			if second != nil {
				c.Expecting(second, other)
			}
			return Program{c}
		}
		if err := p.Run(expecting(out, 7, in, 7), 2); err != nil || *out != 7 {
			t.Errorf("%s: %v, %d", p.Name, err, *out)
		}
		err := p.Run(expecting(wrong, 7, nil, 0), 1)
		if f, ok := errors.AsType[*Failure](err); !ok || !f.Short || f.Word != 0 || f.Want != 7 {
			t.Errorf("%s: a word of 0 instead of 7: %v", p.Name, err)
		}
		err = p.Run(expecting(out, 7, wrong, 8), 1)
		if f, ok := errors.AsType[*Failure](err); !ok || !f.Short || f.Which != 1 || f.Word != 0 || f.Want != 8 {
			t.Errorf("%s: a second word of 0 instead of 8: %v", p.Name, err)
		}
	}
}

func TestNoAllocation(t *testing.T) {
	abs := libc(t, "abs")
	for _, p := range Paths() {
		program := Program{New(abs, Positive, 1), New(abs, Positive, 1)}
		if n := testing.AllocsPerRun(100, func() {
			_ = p.Run(program, 10)
			program[0].Set(1)
		}); n != 0 {
			t.Errorf("%s allocates %.1f objects", p.Name, n)
		}
	}
}

func BenchmarkCall(b *testing.B) {
	fn, err := purego.Dlsym(purego.RTLD_DEFAULT, "abs")
	if err != nil {
		b.Fatal(err)
	}
	for _, p := range Paths() {
		b.Run(p.Name, func(b *testing.B) {
			if err := p.Run(Program{New(fn, Any, 1)}, b.N); err != nil {
				b.Fatal(err)
			}
		})
	}
}
