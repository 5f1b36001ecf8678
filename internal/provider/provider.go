// Package provider holds the contract between a library under test and the
// laboratory: what a library offers (provider.go), what it is given (Vector,
// data.go), what the parameters of a case mean (cases.go), and where a
// library's panic ends (guard.go). Package loop has the timed loops.
//
// # What an operation is
//
// The same for every library. Keys are scheduled outside the loop. Per message
// the nonce or IV is set (in Go's shapes: the mode is constructed), the data
// processed, the tag made or checked. The output goes into a buffer that is
// owned and reused. What a library can't do that way is a case of its own, named
// as such ("init+encrypt+pad"), and not compared with the others.
package provider

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// ErrAbsent says that a library does not offer a case at all, whatever the
// machine: gmsm has no AES. It is an errors.ErrUnsupported. Reports leave such
// cases out, where they list those that a CPU or a policy refuses.
var ErrAbsent = fmt.Errorf("not offered: %w", errors.ErrUnsupported)

// ErrIncorrect says that a library did another thing than it had to, which is found
// before its output is judged, or beside it.
var ErrIncorrect = errors.New("incorrect")

// Provider is one implementation of cryptography: a library, called one way.
type Provider interface {
	// Subject names it. A library that chooses its kernel by case leaves
	// Implementation empty here, and names it as a [Describer].
	Subject() result.Subject
	// Open prepares a case. It wraps ErrAbsent where the library does not offer
	// it, and errors.ErrUnsupported where it does but the CPU or a policy can't,
	// with the reason as a user should read it.
	Open(result.Case) (Operation, error)
}

type Describer interface {
	// Implementation is the subject's or, where that is empty, the kernel of the case: "aesni+pclmulqdq"; "unknown" where
	// the library does not tell.
	Implementation(result.Case) string
	ConstantTime(result.Case) result.ConstantTime
	Note(result.Case) string // how the operation is put together, where a reader must know; else ""
}

// Granular is an operation of a library that says of how many bytes its update makes
// pieces; 0 where it does not say.
type Granular interface{ Granularity() int64 }

// Operation is a prepared call, owned by one goroutine.
type Operation interface {
	// Run calls the operation n times, back to back. Nothing else is timed.
	Run(n int) error
	// Check judges the output that the last Run left, by an independent
	// implementation, and then spoils it, so that a second Check without a Run
	// fails. It is not timed.
	Check() error
	Close() error
}

// ErrNotRun is what Check says where nothing has run since the last one.
var ErrNotRun = reason.New("not-run")

type Looped interface{ Loop() string }

// Unchecked is an operation whose output is held against nothing, such as a user's own for which there is
// no second implementation. Its Check says nothing, and reports name it as unchecked.
type Unchecked interface{ Unchecked() }

// Clocked is an operation or a scenario whose headline is not the measuring
// thread's CPU time: because the work is done on several threads
// (result.ProcessClock), or because waiting is part of it (result.WallClock).
type Clocked interface{ Clock() result.Clock }

// Collected is an operation whose samples bear their share of the garbage collection that
// its calls cause, as the process of a service does.
type Collected interface{ Collected() }

// Recorder is an operation that keeps more than how long its calls took: a
// distribution of latencies, a peak. Record gives what the calls since the last
// Record left; it is asked once a block, after the last sample and before the
// closing Check, and is not timed.
type Recorder interface {
	Record() (result.Record, error)
}

// Clearer is an operation whose calls pile something up, such as a file that
// grows. Clear takes it away; it is called before each sample and is not timed.
type Clearer interface{ Clear() error }

// Scenario is for questions that a loop of calls can't ask. It runs inside the worker.
type Scenario interface {
	Measure(ctx context.Context, b Budget) (result.Record, error)
	Check() error
	Close() error
}

type ScenarioProvider interface {
	OpenScenario(result.Case) (Scenario, error)
}

type Budget struct {
	Seconds float64 // of wall time, or about that: what a window needs, it may take
	Block   int     // which block of the run this is

	// What a worker lends, since it knows the machine and a scenario does not.

	// Sample times what f does as one sample of as many calls as f returns.
	Sample func(f func() (calls int64, err error)) (result.Sample, error)
	// Room is how much memory can still be had, in bytes; 0 where that is unknown.
	Room func() int64
}

// Setting is what a run was asked beside its cases. The Vectors of a worker hold
// it where they have the method of [Set].
type Setting struct {
	Seed uint64
	Dir  string             // for files; "" is the system's directory for temporary ones
	Mix  []result.SizeShare // the message sizes of cases with the parameter sizes=mix
	Own  *Own               // the user's data that stand for what is drawn as plaintext; nil where there are none

	// Client gives the client of services, a process of its own; nil where there is none. It takes orders and
	// answers them in lines (internal/library/service). Who was given it closes it.
	Client func() (io.ReadWriteCloser, error)
}

// Set is found by assertion in Vectors that know the run's setting.
type Set interface{ Setting() Setting }

func SettingOf(v Vectors) Setting {
	if s, ok := v.(Set); ok {
		return s.Setting()
	}
	return Setting{}
}

// Vectors gives the material of a case and the output it must have.
type Vectors interface {
	Vector(result.Case) (*Vector, error)
}

// VectorOf is the vector of a case that a policy allows; nil allows all. The policy is asked before: vectors may take
// long to make.
func VectorOf(c result.Case, vs Vectors, allowed func(result.Case) error) (*Vector, error) {
	if allowed != nil {
		if err := allowed(c); err != nil {
			return nil, err
		}
	}
	return vs.Vector(c)
}

// Vector is the material of a case, drawn from the run's seed, and the output
// it must have according to an implementation that is independent of every
// library under test. Operations share vectors and must not write to them.
type Vector struct {
	Key, MACKey, Nonce, AAD []byte // Nonce is the IV where the mode calls it so; nil where it has none
	Plaintext, Ciphertext   []byte // Ciphertext with padding and tag where the case has them

	Digest []byte // of the plaintext, under Key where the hash is keyed

	// Of a case that replays a mix of message sizes (MixOf): its distinct messages,
	// and the order in which one call takes them, each named by its place in
	// Messages. Nonce, Plaintext and Ciphertext are nil then.
	Messages []Message
	Sequence []int

	// Of public-key cases. Key is a curve's private key as the curve has it, a
	// big-endian number or X25519's 32 bytes; RSA has none.
	PKCS8     []byte // the private key in DER, RFC 5958
	Signed    []byte // what a signer is given: a digest, or for SM2 the message
	Signature []byte // a valid one: RSA's number, otherwise a DER sequence of r and s
	Peer      []byte // the public key to agree with: an uncompressed point, or X25519's 32 bytes
	Secret    []byte // what is agreed on, or derived

	// Static are the long-term private keys of both parties of an exchange that has
	// them, the first party's first.
	Static [2][]byte

	// Accept judges an output that is random, a signature or a ciphertext, by the
	// same independent implementation; nil where the output is one of the above.
	Accept func(output []byte) error
}

type Message struct{ Nonce, Plaintext, Ciphertext []byte }
