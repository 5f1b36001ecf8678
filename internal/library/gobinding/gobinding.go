// Package gobinding makes providers of tables: which cases a library offers, how they are
// opened, and what a reader of their rows must know. What libraries of Go do alike stands
// here once: a block cipher, pairs of keys, exchanges, envelopes, many messages.
package gobinding

import (
	"crypto/fips140"
	"maps"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/bulkhash"
	"github.com/cryptogauge/cryptogauge/internal/library/streaming"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/internal/version"
	"github.com/cryptogauge/cryptogauge/result"
)

// Opener makes an operation of a case's vector, and Scenario a scenario.
type (
	Opener   = func(*provider.Vector) (provider.Operation, error)
	Scenario = func(result.Case, *provider.Vector) (provider.Scenario, error)
)

// Cases are how cases are opened, each without its bytes.
type Cases map[result.Case]Opener

func Join(tables ...Cases) Cases {
	all := Cases{}
	for _, t := range tables {
		maps.Copy(all, t)
	}
	return all
}

// Offer is a row of a library's table: cases of a kind. Every field but Timing may be nil.
type Offer struct {
	Cases     Cases
	Scenarios map[result.Case]Scenario // what garbage costs a case, by the case
	Has       func(result.Case) bool   // beside these; or where Open and OpenScenario know more
	Allowed   func(result.Case) error  // what a policy says of Cases and Scenarios
	Kernel    func(result.Case) string // where the subject does not name it
	Timing    func(result.Case) result.ConstantTime
	Note      func(result.Case) string
	// Open and OpenScenario are asked what Cases and Scenarios do not have.
	Open         func(result.Case, provider.Vectors) (provider.Operation, error)
	OpenScenario func(result.Case, provider.Vectors) (provider.Scenario, error)
}

// By is the offer, computed by a kernel that takes so much care of its timing; nil is the one that the subject names.
func (o Offer) By(kernel func(result.Case) string, timing func(result.Case) result.ConstantTime) Offer {
	o.Kernel, o.Timing = kernel, timing
	return o
}

func (o Offer) Noted(note string) Offer {
	o.Note = Always(note)
	return o
}

func (o Offer) has(c result.Case) bool {
	c = provider.Plain(c)
	return o.Cases[withoutBytes(c)] != nil || o.Has != nil && o.Has(c)
}

func withoutBytes(c result.Case) result.Case {
	c.Bytes = 0
	return c
}

func Go(library, module string) result.Subject {
	return result.Subject{Library: library, Version: version.Module(module), CallPath: subject.Direct}
}

// New makes the provider. Of the offers the first that has a case counts.
func New(s result.Subject, v provider.Vectors, offers ...Offer) provider.Provider {
	return library{s, v, offers}
}

type library struct {
	subject result.Subject
	vectors provider.Vectors
	offers  []Offer
}

func (l library) Subject() result.Subject { return l.subject }

func (l library) offer(c result.Case) Offer {
	for _, o := range l.offers {
		if o.has(c) {
			return o
		}
	}
	return Offer{}
}

func (l library) Open(c result.Case) (provider.Operation, error) {
	o := l.offer(c)
	if open := o.Cases[withoutBytes(c)]; open != nil {
		of := func(_ result.Case, v *provider.Vector) (provider.Operation, error) { return open(v) }
		return WithVector(o.Allowed, of)(c, l.vectors)
	}
	if o.Open != nil {
		return o.Open(c, l.vectors)
	}
	return nil, l.absent(c)
}

func (l library) OpenScenario(c result.Case) (provider.Scenario, error) {
	o := l.offer(c)
	if open := o.Scenarios[withoutBytes(provider.Plain(c))]; open != nil && c != provider.Plain(c) {
		return WithVector(o.Allowed, open)(c, l.vectors)
	}
	if o.OpenScenario != nil {
		return o.OpenScenario(c, l.vectors)
	}
	return nil, l.absent(c)
}

func (l library) absent(c result.Case) error {
	return provider.Absent("not-offered", l.subject.Library, c.Name()+" "+c.Operation)
}

func (l library) ConstantTime(c result.Case) result.ConstantTime {
	if timing := l.offer(c).Timing; timing != nil {
		return timing(c)
	}
	return result.ConstantTime{}
}

// Note is the offer's, but for streams and files, whose loops know what the run's setting makes of them.
func (l library) Note(c result.Case) string {
	note := l.offer(c).Note
	switch {
	case c.Operation == algorithm.Stream:
		return streaming.Note(c, l.vectors)
	case c.Operation == algorithm.HashFile:
		return bulkhash.FileNote(c, l.vectors)
	case note != nil:
		return note(c)
	}
	return ""
}

func (l library) Implementation(c result.Case) string {
	if kernel := l.offer(c).Kernel; kernel != nil && l.subject.Implementation == "" {
		return kernel(c)
	}
	return l.subject.Implementation
}

// WithVector opens a case that a policy allows with its vector.
func WithVector[T any](allowed func(result.Case) error,
	open func(result.Case, *provider.Vector) (T, error)) func(result.Case, provider.Vectors) (T, error) {
	return func(c result.Case, vs provider.Vectors) (none T, err error) {
		v, err := provider.VectorOf(c, vs, allowed)
		if err != nil {
			return none, err
		}
		return open(c, v)
	}
}

// Approved refuses everything where Go is to use approved algorithms alone.
func Approved(c result.Case) error {
	return Enforced(provider.Unsupported("fips-algorithm", c.Algorithm))(c)
}

// Enforced refuses everything there, in other words.
func Enforced(refusal error) func(result.Case) error {
	return func(result.Case) error {
		if fips140.Enforced() {
			return refusal
		}
		return nil
	}
}

func Always[T any](said T) func(result.Case) T { return func(result.Case) T { return said } }

// Said is what is said of cases by the first of their parameters, operation, algorithm
// and mode that is a key, or else by the key "".
type Said[T any] map[string]T

func (s Said[T]) Of(c result.Case) T {
	for _, key := range []string{c.Parameters, c.Operation, c.Algorithm, c.Mode} {
		if said, ok := s[key]; ok && key != "" {
			return said
		}
	}
	return s[""]
}

type (
	Notes   = Said[string]
	Timings = Said[result.ConstantTime]
)
