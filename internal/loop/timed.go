// Package loop has the timed loops, written once for all libraries, one file per kind
// of primitive:
//
//	block.go    block ciphers driven block by block or in bulk (ECB), and block modes (CBC)
//	stream.go   key streams (CTR, CFB, OFB)
//	aead.go     authenticated encryption (GCM, ChaCha20-Poly1305)
//	etm.go      encrypt-then-MAC composed of a block mode and a keyed hash, as an AEAD
//	replay.go   the same over a sequence of messages of many sizes
//	helper.go   one-call helpers that schedule the key and pad inside the call
//	hash.go     hashes, keyed or not, and derivation of keys
//	setup.go    what comes before the first message: key schedules, constructors
//	sign.go     signatures, made and verified
//	encrypt.go  encryption under public keys, and decryption with private ones
//	agree.go    agreement on a secret with a peer
//	envelope.go hybrid encryption: a content key for each message, and that key wrapped
//	parallel.go many goroutines that share the calls, and how they hold a cipher (crew.go)
//	generate.go key generation, also as single draws where it is chance
//	exchange.go key exchange in steps, KEMs among them; hybrid.go two of them as one
//	busy.go     operations on every CPU at once
//	foreign.go  calls that are not made in Go
//	empty.go    the same loops around nothing: the laboratory's own cost
//
// Beside them stand modes.go (a block cipher under all modes of crypto/cipher),
// output.go (the timed buffer and its judgement), and the scenarios: exposure.go (what a
// mode gives away), arrival.go (latency of requests that arrive at a constant rate) and
// collector.go (what garbage costs).
//
// A library's package supplies constructors in the shapes of the standard
// library (cipher.Block, cipher.Stream, cipher.AEAD, hash.Hash) and picks a loop
// for each case; it does not write loops of its own.
package loop

import (
	"bytes"
	"fmt"

	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// output is the buffer that an operation's calls write, and what it must hold.
type output struct {
	got   []byte // what the last call left
	want  []byte // according to the judge; shared, never written
	tag   int    // how many bytes at the end of want are an authentication tag
	blank bool   // the operation has no output (an empty one): only that it ran is judged
	ran   bool   // since the last check
}

// newOutput returns an output for want with room for size bytes, spoiled, so
// that an operation that does nothing can't pass by luck.
func newOutput(want []byte, size int) output {
	o := output{got: make([]byte, len(want), max(size, len(want))), want: want}
	o.spoil()
	return o
}

// drawn is an output that differs from call to call, so that there is none to
// compare it with: the judge accepts it or says what is wrong.
type drawn struct {
	got    []byte // what the last call left
	accept func(got []byte) error
	blank  bool // the operation has no output: only that it ran is judged
	ran    bool // since the last check
}

func (o *drawn) noOutput() { o.blank = true }

// check judges what the last Run left, and lets go of it.
func (o *drawn) check() error {
	if !o.ran {
		return errNotRun
	}
	got := o.got
	o.ran, o.got = false, nil
	if o.blank {
		return nil
	}
	return o.accept(got)
}

var errNotRun = reason.New("not-run")

// check judges what the last Run left, and spoils it whatever the judgement is.
func (o *output) check() error {
	if !o.ran {
		return errNotRun
	}
	o.ran = false
	if o.blank {
		return nil
	}
	defer o.spoil()
	return compare(o.got, o.want, o.tag)
}

// spoil makes every byte wrong.
func (o *output) spoil() {
	for i := range o.got {
		o.got[i] = 0
		if i < len(o.want) {
			o.got[i] = ^o.want[i]
		}
	}
}

// compare says in a sentence where got is not want, of which the last tag bytes
// are an authentication tag.
func compare(got, want []byte, tag int) error {
	if bytes.Equal(got, want) {
		return nil
	}
	if len(got) != len(want) {
		return reason.New("length", len(got), len(want))
	}
	body := len(want) - tag
	at := firstDifference(got, want)
	switch {
	case tag == 0:
		return reason.New("wrong-from", at, fmt.Sprintf("%#02x", got[at]), fmt.Sprintf("%#02x", want[at]))
	case at >= body:
		return reason.New("tag-wrong", at, at-body)
	case bytes.Equal(got[body:], want[body:]):
		return reason.New("body-wrong", at)
	default:
		return reason.New("body-and-tag-wrong", at)
	}
}

func firstDifference(a, b []byte) int {
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return len(a)
}
