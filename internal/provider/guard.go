package provider

import (
	"crypto/fips140"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// Guard calls f and turns a panic in it into a [*Panic]. It is the one place
// where a library's panic ends: a worker calls Open, Run, Check and Measure
// through it, once a batch, so the loops pay nothing for it.
func Guard(f func() error) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case Lost:
			err = Unsupported("version-lacks", r.Version, r.Name)
		default:
			err = &Panic{Value: r, Stack: debug.Stack()}
			if wrong, ok := r.(error); ok && errors.Is(wrong, ErrIncorrect) { // what a signature without an error has to say
				err = wrong
			}
		}
	}()
	return f()
}

// Prepare is p.Open(c) under Guard.
func Prepare(p Provider, c result.Case) (Operation, error) {
	return guarded(func() (Operation, error) { return p.Open(c) })
}

// PrepareScenario is p.OpenScenario(c) under Guard. A provider without
// scenarios says so with an error that wraps ErrAbsent.
func PrepareScenario(p Provider, c result.Case) (Scenario, error) {
	if sp, ok := p.(ScenarioProvider); ok {
		return guarded(func() (Scenario, error) { return sp.OpenScenario(c) })
	}
	return nil, Absent("not-offered", p.Subject().Library, c.Operation)
}

func guarded[T any](open func() (T, error)) (opened T, err error) {
	err = Guard(func() error {
		opened, err = open()
		return err
	})
	if err != nil {
		return *new(T), err
	}
	return opened, nil
}

// Lost is what stands for a function panics with in a worker that package build made for another
// version of a library: that version has none of the name.
type Lost struct{ Version, Name string } // "gmsm v0.25.0", "mldsa.NewKey44"

type Panic struct {
	Value any
	Stack []byte
}

func (p *Panic) Error() string { return fmt.Sprintf("the library panicked: %v", p.Value) }

// Unwrap returns errors.ErrUnsupported where the panic is the standard library's
// way of saying that GODEBUG=fips140=only forbids the call: that is a refusal,
// not a crash.
func (p *Panic) Unwrap() error {
	if fips140.Enforced() && strings.Contains(fmt.Sprint(p.Value), "FIPS 140-only") {
		return errors.ErrUnsupported
	}
	return nil
}

func (p *Panic) AsCause() result.Cause {
	if err, ok := p.Value.(error); ok {
		return reason.Cause("panicked", err)
	}
	return reason.Cause("panicked", reason.Foreign(fmt.Sprint(p.Value)))
}

// Unsupported returns an error that reads as the reason alone and wraps
// errors.ErrUnsupported: the library offers the case, and the CPU, a policy or
// the message's size is against it.
func Unsupported(code string, args ...any) error {
	return reason.New(code, args...).Wrapping(errors.ErrUnsupported)
}

// Refused is Unsupported for the reason that another error gives.
func Refused(err error) error { return reason.As(reason.Of(err), errors.ErrUnsupported) }

// Absent returns an error that reads as the reason alone and wraps ErrAbsent:
// the library does not offer the case at all.
func Absent(code string, args ...any) error { return reason.New(code, args...).Wrapping(ErrAbsent) }

// Incorrect returns an error that reads as the reason alone and wraps ErrIncorrect:
// the library did another thing than it had to, such as to say that it wrote another
// number of bytes.
func Incorrect(code string, args ...any) error {
	return reason.New(code, args...).Wrapping(ErrIncorrect)
}
