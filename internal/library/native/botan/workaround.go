//go:build linux && (amd64 || arm64)

package botan

import (
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// Workarounds are what a caller can do about an update that cuts its data into small
// pieces:
//
//	ctr-bypass  CTR by the caller: counters, botan_block_cipher_encrypt_blocks, XOR (bypass.go)
//	final       the flag FINAL in every call, of modes that make a key stream: nothing
//	            says that the stream goes on after it, and it does
//	oneshot     a sealed message in one call with FINAL, of AEADs
//	coalesced   small writes copied together, so that there are fewer calls (coalesce.go)
//
// None is offered on trust. Before a cipher is first opened by one, it is held
// against update over lengths, splits and a wrap of the counter (proof.go); where
// they differ, the case is unsupported and says so.
//
// around is a provider that works so. Its subject names it, and so it has no method
// Implementation.
type around struct{ on on }

func (a around) Subject() result.Subject { return a.on.subject }

func (a around) Open(c result.Case) (provider.Operation, error) {
	if err := a.offers(c); err != nil {
		return nil, err
	}
	return a.on.Open(c)
}

func (a around) OpenScenario(c result.Case) (provider.Scenario, error) {
	if err := a.offers(c); err != nil {
		return nil, err
	}
	return a.on.OpenScenario(c)
}

// offers says whether there is something to go around, and a way. An AEAD in Go's
// shape takes whole messages, so nothing is left to be coalesced.
func (a around) offers(c result.Case) error {
	name := a.on.subject.Implementation
	kind := kindOf(c)
	switch kind {
	case kindMessage:
	case kindMany, kindStream, kindCollected, kindSetup:
		if name != aroundOneshot || kind == kindSetup && c.Operation == "new" {
			return provider.Absent("not-offered", "botan", name+" "+c.Name()+" "+c.Operation)
		}
	default:
		return provider.Absent("not-offered", "botan", name+" "+c.Name()+" "+c.Operation)
	}
	if !goesAround(name, c.Algorithm, c.Mode) {
		return provider.Absent("not-offered", "botan", name+" "+c.Name())
	}
	return nil
}

func (around) ConstantTime(c result.Case) result.ConstantTime { return constantTime(c) }

func (a around) Note(c result.Case) string {
	note := notes[a.on.subject.Implementation]
	m, err := modeOf(c)
	if err != nil {
		return note
	}
	if fastest := a.on.proofs.fastest(a.on.path, m); fastest == a.on.subject.Implementation {
		note += "; the fastest of the workarounds at 4 KiB, by a look when it was opened"
	}
	return note
}

// notes are what a reader of a row must know.
var notes = map[string]string{
	"":              "update, and a call with the flag FINAL for the end",
	aroundFinal:     "update with the flag FINAL in every call",
	aroundBlocks:    "counters, the block function and XOR by the caller",
	aroundOneshot:   "the message in one call with the flag FINAL",
	aroundCoalesced: "small writes copied together into 4 KiB, then handed over",
}
