//go:build linux && (amd64 || arm64)

// Package call crosses from Go into C and back.
//
// What a library does with one message is a [Program]: C calls in order, each with
// its arguments. Since a timed loop repeats the same message, the arguments never
// change, and the same program is run by three ways across:
//
//	purego  each call crosses by itself, without a C compiler having been needed
//	cgo     each call crosses by itself, as in a Go program that links the library
//	c-loop  one crossing; the loop over programs is in C, so that what is timed is the library
//
// The last two are there only in a binary that was built with cgo.
//
// # Memory
//
// A program holds addresses as numbers. What they point to must be kept alive by
// who owns the program, and must not lie on a goroutine's stack, which moves: what
// [Bytes] and [Word] take escapes to the heap, which does not.
package call

import (
	"fmt"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/cryptogauge/cryptogauge/internal/reason"
)

const MaxArgs = 12

// Rule says which result of a call means that it succeeded. Results are compared
// as C ints.
type Rule uint64

const (
	Any      Rule = iota // nothing can go wrong, or it shows elsewhere
	Zero                 // 0 is success (Botan, libgcrypt)
	Positive             // above 0 (OpenSSL)
)

// Call is one C call. Its layout is that of cg_call in cross.h.
type Call struct {
	Func uintptr
	N    uintptr // of Args
	Args [MaxArgs]uintptr
	Rule Rule

	// A word that must be set before each call, such as a length that the callee
	// overwrites; Before is its address, 0 where there is none.
	Before, BeforeValue uintptr
	// Words that must hold a value after each call: the numbers of bytes written and
	// taken, in this order.
	After [2]Expectation

	Result uintptr // of the last time
}

// Expectation is a word and what it must hold; the address 0 is none.
type Expectation struct{ Word, Value uintptr }

func New(fn uintptr, rule Rule, args ...uintptr) Call {
	c := Call{Func: fn, Rule: rule}
	c.Set(args...)
	return c
}

func (c *Call) Set(args ...uintptr) {
	if len(args) > MaxArgs {
		panic("call: internal error: too many arguments")
	}
	c.N = uintptr(copy(c.Args[:], args))
}

func (c *Call) Setting(word *uint64, value uint64) *Call {
	c.Before, c.BeforeValue = Word(word), uintptr(value)
	return c
}

// Expecting adds a word that must hold a value after the call, which has room for two.
func (c *Call) Expecting(word *uint64, value uint64) *Call {
	for i := range c.After {
		if c.After[i].Word == 0 {
			c.After[i] = Expectation{Word(word), uintptr(value)}
			return c
		}
	}
	panic("call: internal error: too many words to hold against a value")
}

type Program []Call

type Failure struct {
	Call   int   // its place in the program
	Result int32 // what it returned
	Short  bool  // it returned success, and a word after it was not what it had to be
	Which  int   // the place of that word among those expected
	Word   uint64
	Want   uint64
}

func (f *Failure) Error() string {
	if f.Short {
		return fmt.Sprintf("call %d left %d and had to leave %d", f.Call+1, f.Word, f.Want)
	}
	return fmt.Sprintf("call %d returned %d", f.Call+1, f.Result)
}

type Path struct {
	Name string
	// run runs a program n times and returns the place of the call that failed, or -1.
	run func(p *Call, calls, n int) int
}

// InC says whether the path's loop is in C: it repeats a program whose arguments never
// change, and calls from Go go by cgo.
func (p Path) InC() bool { return p.Name == "c-loop" }

func (p Path) Run(program Program, n int) error {
	if len(program) == 0 || n <= 0 {
		return nil
	}
	if i := p.run(&program[0], len(program), n); i >= 0 {
		return program[i].failure(i)
	}
	return nil
}

func (c *Call) refused() bool {
	switch n := int32(c.Result); c.Rule {
	case Zero:
		return n != 0
	case Positive:
		return n <= 0
	}
	return false
}

// unexpected is the place of the word that does not hold what it must; -1 where all do.
func (c *Call) unexpected() int {
	for i := range c.After {
		if x := &c.After[i]; x.Word != 0 && *word(&x.Word) != uint64(x.Value) {
			return i
		}
	}
	return -1
}

func (c *Call) failure(i int) *Failure {
	f := &Failure{Call: i, Result: int32(c.Result)}
	if at := c.unexpected(); at >= 0 && !c.refused() {
		x := &c.After[at]
		f.Short, f.Which, f.Word, f.Want = true, at, *word(&x.Word), uint64(x.Value)
	}
	return f
}

// word reads an address that was kept as a number.
func word(address *uintptr) *uint64 { return *(**uint64)(unsafe.Pointer(address)) }

// Bytes returns the address of a slice's first byte, 0 for one without any. The
// slice must be kept alive by who keeps the address.
func Bytes(b []byte) uintptr { return address(unsafe.Pointer(unsafe.SliceData(b))) }

// Word returns the address of a word that must be kept alive likewise.
func Word(w *uint64) uintptr { return address(unsafe.Pointer(w)) }

func address(p unsafe.Pointer) uintptr {
	if never {
		escaped = p
	}
	return uintptr(p)
}

// What could be stored in a variable of the package must lie on the heap; the
// compiler does not know that never is never true. Nothing is written, so there is
// no race, and no time is lost.
var (
	never bool
	//lint:ignore U1000 what is stored in it need not be read
	escaped unsafe.Pointer
)

// Purego crosses by purego's SyscallN, once a call.
var Purego = Path{"purego", runPurego}

func runPurego(first *Call, calls, n int) int {
	program := unsafe.Slice(first, calls)
	for range n {
		for i := range program {
			c := &program[i]
			if c.Before != 0 {
				*word(&c.Before) = uint64(c.BeforeValue)
			}
			c.Result, _, _ = purego.SyscallN(c.Func, c.Args[:c.N]...)
			if c.refused() || c.unexpected() >= 0 {
				return i
			}
		}
	}
	return -1
}

// Nothing is a call of a C function that does as little as one can and still be seen
// to have been called: abs of the C library, which every process has. It is given
// −1 and must return 1.
func Nothing() (Call, error) {
	fn, err := purego.Dlsym(purego.RTLD_DEFAULT, "abs")
	if err != nil {
		return Call{}, reason.New("looking-function", err)
	}
	const minusOne = ^uintptr(0)
	return New(fn, Positive, minusOne), nil
}
