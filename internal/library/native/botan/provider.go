//go:build linux && (amd64 || arm64)

package botan

import (
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/native/binding"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// On is the library as it is called by one path, in the everyday way.
func (l *Library) On(p call.Path, s result.Subject) provider.Provider {
	return on{Library: l, path: p, subject: s}
}

// Workarounds are the library as it is called by one path around a slow update, each
// way a subject of its own.
func (l *Library) Workarounds(p call.Path, s result.Subject) (all []provider.Provider) {
	for _, name := range WorkaroundNames() {
		s.Implementation = name
		all = append(all, around{on{l, p, s}})
	}
	return all
}

// on is the everyday provider.
type on struct {
	*Library
	path    call.Path
	subject result.Subject
}

func (o on) Subject() result.Subject { return o.subject }

func (o on) Open(c result.Case) (provider.Operation, error) {
	kind := kindOf(c)
	if kind == kindNone {
		return nil, provider.Absent("not-offered", "botan", c.Name()+" "+c.Operation)
	}
	switch kind {
	case kindMessage:
		return o.openMessage(c)
	case kindMany, kindStream, kindSetup, kindGeneration, kindExchange:
		if o.path.InC() {
			return nil, provider.Absent("c-loop")
		}
	}
	switch kind {
	case kindMany, kindStream:
		if op, ok, err := binding.Shaped(c, o.vectors, o.newAEAD(c)); ok {
			return op, err
		}
		return nil, provider.Absent("not-offered", "botan", c.Name()+" "+c.Operation)
	case kindSetup:
		return o.openSetup(c)
	}
	v, err := o.vectors.Vector(c)
	if err != nil {
		return nil, err
	}
	return o.open(kind, c, v)
}

// open opens a case that is one program, or of key pairs.
func (o on) open(kind kind, c result.Case, v *provider.Vector) (provider.Operation, error) {
	switch kind {
	case kindComposite:
		return o.openComposite(c, v)
	case kindSchedule:
		return o.openSchedule(c, v)
	case kindHashing:
		return o.openHash(c, v)
	case kindDerivation:
		return o.openDerivation(c, v)
	case kindSignature:
		return o.openSignature(c, v)
	case kindTransport:
		return o.openTransport(c, v)
	case kindAgreement:
		return o.openAgreement(c, v)
	case kindGeneration:
		return o.openGeneration(c, v)
	case kindExchange:
		return o.openExchange(c, v)
	}
	return nil, provider.Absent("not-offered", "botan", c.Name()+" "+c.Operation)
}

// OpenScenario prepares what a loop of calls can't ask.
func (o on) OpenScenario(c result.Case) (provider.Scenario, error) {
	kind := kindOf(c)
	switch {
	case kind == kindDraws:
		return o.openDraws(c)
	case kind == kindMany && c.Operation == algorithm.Arrival && !o.path.InC():
		return binding.ShapedScenario(c, o.vectors, o.newAEAD(c))
	case kind == kindCollected && !o.path.InC() && c.Operation == "encrypt":
		return binding.ShapedScenario(c, o.vectors, o.newAEAD(c))
	case kind == kindCollected && !o.path.InC():
		return o.openCollected(c)
	}
	return nil, provider.Absent("not-offered", "botan", c.Name()+" "+c.Operation)
}

// Implementation: Botan's C interface tells of nothing which kernel it runs.
func (on) Implementation(result.Case) string { return "unknown" }

func (on) ConstantTime(c result.Case) result.ConstantTime { return constantTime(c) }

// constantTime says no more than what is true of whatever computes the algorithm.
func constantTime(c result.Case) result.ConstantTime {
	switch kind := kindOf(c); {
	case kind == kindHashing || kind == kindDerivation:
		return reason.Timing("yes", "arx-hash")
	case c.Operation == "verify":
		return reason.Timing("yes", "public-key")
	case kind < kindHashing && strings.HasPrefix(c.Algorithm, "ChaCha20"):
		return reason.Timing("yes", "arx-chacha")
	}
	return reason.Timing("unknown", "kernel-inside")
}

func (o on) Note(c result.Case) string { return noteOf(c) }

// noteOf is what a reader of a row must know.
func noteOf(c result.Case) string {
	return noteOfKind(kindOf(c), c)
}

func noteOfKind(kind kind, c result.Case) string {
	switch kind {
	case kindMessage:
		switch way := c.Parameter("way"); {
		case c.Mode == "ECB" || c.Mode == algorithm.OneBlock:
			return "the block function: Botan has no other ECB"
		case way != "":
			return notes[wayNotes[way]]
		}
		return notes[""]
	case kindComposite:
		return "put together: PKCS #7 padding, CBC, then HMAC over IV and ciphertext"
	case kindMany, kindStream, kindCollected:
		return notes[""] + "; a cipher keeps as many objects as callers were at work at once"
	case kindSetup:
		return "objects of Botan's, destroyed when Go's collector finds them dead"
	case kindSchedule:
		return "botan_block_cipher_set_key on an object that is kept: both directions' schedules"
	case kindDerivation:
		return "botan_kdf, which reads the name of the algorithm in each call"
	case kindAgreement:
		return "the peer's public key is read and checked inside the call"
	case kindSignature, kindTransport, kindGeneration, kindDraws, kindExchange:
		if c.Operation != "verify" {
			return "random numbers of the system's"
		}
	}
	return ""
}

// wayNotes are the workarounds whose notes hold for the ways.
var wayNotes = map[string]string{byFinal: aroundFinal, byOneshot: aroundOneshot, byBlocks: aroundBlocks}
