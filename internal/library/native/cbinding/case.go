//go:build linux && (amd64 || arm64)

package cbinding

import (
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/streaming"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
	"github.com/cryptogauge/cryptogauge/result"
)

// Opening opens a case, with a session that the operation keeps.
type Opening func(s *Session, c result.Case, v *provider.Vector) (provider.Operation, error)

type Asking func(s *Session, c result.Case, v *provider.Vector) (provider.Scenario, error)

type Provider struct {
	*Library
	Path call.Path
	As   result.Subject

	Kind   func(result.Case) Kind // KindOf, but None where the library is not asked
	Handle func(s *Session, c result.Case, key []byte, d loop.Direction) (*Handle, error)
	Opens  map[Kind]Opening
	Asks   map[Kind]Asking
	InGo   []Kind // those in which Go decides what comes next, beside those of AEADs
}

func (p Provider) Subject() result.Subject { return p.As }

// AEAD makes what a case has of ciphers in the shape of Go's.
func (p Provider) AEAD(c result.Case) loop.NewAEADFunc {
	return Ciphers(func(key []byte, d loop.Direction) (*Handle, error) { return p.Handle(p.Session(p.Path), c, key, d) })
}

// ConstantTime says no more than what is true of whatever computes the algorithm.
func (p Provider) ConstantTime(c result.Case) result.ConstantTime {
	switch {
	case p.Kind(c).Hashes():
		return reason.Timing("yes", "arx-hash")
	case c.Operation == algorithm.Verify:
		return reason.Timing("yes", "public-key")
	case strings.HasPrefix(c.Algorithm, algorithm.ChaCha20):
		return reason.Timing("yes", "arx-chacha")
	}
	return reason.Timing("unknown", "kernel-inside")
}

func (p Provider) absent(c result.Case) error {
	return provider.Absent("not-offered", p.Name, c.Name()+" "+c.Operation)
}

func (p Provider) Open(c result.Case) (provider.Operation, error) {
	if p.As.Implementation == "" && parameter.Batch.Has(c.Parameters) {
		return p.inBatches(c)
	}
	kind := p.Kind(c)
	open, shaped := p.Opens[kind], kind == Stream || kind == Many && c.Operation != algorithm.Arrival
	switch {
	case open == nil && !shaped:
		return nil, p.absent(c)
	case p.Path.InC() && (shaped || slices.Contains(p.InGo, kind)):
		return nil, provider.Absent("c-loop")
	case kind == Stream:
		return streaming.Open(c, p.Vectors, nil, p.AEAD(c))
	}
	v, err := p.Vectors.Vector(c)
	switch {
	case err != nil:
		return nil, err
	case shaped:
		return loop.NewParallel(p.AEAD(c), c, v)
	case kind == Signature && (v.Accept == nil || v.Signature == nil):
		return nil, provider.Unsupported("key-short", c.Algorithm, c.Mode)
	}
	return open(p.Session(p.Path), c, v)
}

// inBatches opens several messages in one crossing, by the parameter batch (provider.Handed): the loop over them
// is in C. cgo has batches, which crosses once a call; that loop is a path of its own, and purego has none.
func (p Provider) inBatches(c result.Case) (provider.Operation, error) {
	alone, messages := provider.Handed(c)
	inC := slices.IndexFunc(call.Paths(), call.Path.InC)
	switch {
	case inC < 0 || p.Path.Name != "cgo":
		return nil, provider.Absent("not-offered", "native", c.Parameters)
	case alone.Parameters != "":
		return nil, provider.Absent("parameters", c.Name(), "batch=MESSAGES", c.Parameters)
	}
	p.Path = call.Paths()[inC]
	op, err := p.Open(alone)
	if err != nil {
		return nil, err
	}
	return &batch{op, int(messages)}, nil
}

// batch is an operation of several messages, each as the one that it repeats.
type batch struct {
	provider.Operation
	messages int
}

func (o *batch) Run(n int) error {
	for range n {
		if err := o.Operation.Run(o.messages); err != nil {
			return err
		}
	}
	return nil
}

func (o *batch) Loop() string { return loop.LoopForeign }

func (p Provider) OpenScenario(c result.Case) (provider.Scenario, error) {
	kind := p.Kind(c)
	ask, shaped := p.Asks[kind], kind == Sealing || kind == Many && c.Operation == algorithm.Arrival
	switch {
	case ask == nil && !shaped:
		return nil, p.absent(c)
	case p.Path.InC() && (shaped || kind == Private):
		return nil, provider.Absent("c-loop")
	}
	v, err := p.Vectors.Vector(c)
	switch {
	case err != nil:
		return nil, err
	case !shaped:
		return ask(p.Session(p.Path), c, v)
	case c.Operation == algorithm.Arrival:
		return loop.NewArrival(p.AEAD(c), c, v)
	}
	a, err := p.AEAD(c)(v.Key)
	if err != nil {
		return nil, err
	}
	return loop.SealGC(c, a, v)
}

// Kind is what a case asks of a library in C: which part of its interface, and in which
// shape.
type Kind int

// The kinds, those of key pairs last.
const (
	None      Kind = iota // not asked of a library in C
	Cipher                // a cipher over whole messages, also a mix of sizes, also in calls
	Composite             // CBC, then HMAC
	Schedule              // a block cipher under a key
	Setup                 // a cipher made anew
	Many                  // an AEAD that many goroutines hold
	Stream                // a big file in chunks
	Sealing               // an AEAD beside Go's collector
	Exposed               // what a mode gives away
	Hash
	MAC
	Derivation
	Random // bytes of its generator
	Signature
	Transport // encryption under a public key
	Agreement
	Generation
	Draws    // RSA keys, each a draw
	Private  // a private key beside Go's collector
	Exchange // a step of a key exchange
	Envelope // a key pair wraps the message's key
)

// Hashes says whether a kind is of hashes, or of what is built on them.
func (k Kind) Hashes() bool { return k == Hash || k == MAC || k == Derivation }

var hashKinds = map[algorithm.Kind]map[algorithm.Operation]Kind{
	algorithm.HashFunction:  {algorithm.Hash: Hash},
	algorithm.KeyedHash:     {algorithm.MAC: MAC},
	algorithm.KeyDerivation: {algorithm.Derive: Derivation},
}

func KindOf(c result.Case) Kind {
	a := algorithm.Of(c.Algorithm)
	switch {
	case a.KeyPair():
		return ofKeyPair(a, c)
	case a.Hashes() && c.Mode == "" && (c.Parameters == "" || parameter.Are(c.Parameters, parameter.Batch)):
		return hashKinds[a.Kind][c.Operation]
	case a.Draws(c.Mode) && c.Operation == algorithm.Draw && c.Parameters == "":
		return Random
	case a.Kind == algorithm.Hybrid && (c.Operation == algorithm.Seal || c.Operation == algorithm.Open):
		scheme, ok := algorithm.EnvelopeOf(c.Mode)
		reused := scheme.Wrapped == 0 && c.Parameters == parameter.ReusedKey
		if ok && !scheme.Derived && (reused || scheme.Wrapped > 0 && c.Parameters == "") {
			return Envelope
		}
	case a.Kind == algorithm.BlockCipher, (a.Kind == algorithm.KeyStream || a.Kind == algorithm.AEAD) && c.Mode == "":
		return ofCipher(a, c)
	}
	return None
}

// Seals says whether what comes out has a tag of its own at the end.
func Seals(c result.Case) bool {
	return c.Mode == algorithm.GCM || c.Mode == algorithm.CCM ||
		c.Mode == "" && algorithm.Of(c.Algorithm).Kind == algorithm.AEAD
}

// TagOf is how long that tag is; 0 where there is none.
func TagOf(c result.Case) int {
	if Seals(c) {
		return TagSize
	}
	return 0
}

var plainModes = []algorithm.Mode{algorithm.OneBlock, algorithm.ECB, algorithm.CBC, algorithm.CFB, algorithm.OFB,
	algorithm.CTR, algorithm.GCM, algorithm.CCM}

func ofCipher(a algorithm.Algorithm, c result.Case) Kind {
	mixed, rest := seeded.MixOf(c)
	is := func(keys ...parameter.Key) bool { return parameter.Are(rest, keys...) }
	seals, plain := Seals(c), rest == "" && mixed == 0
	switch {
	case c.Mode == "" && a.Kind == algorithm.BlockCipher:
		if c.Operation == algorithm.Schedule && plain {
			return Schedule
		}
		return None
	case c.Mode == algorithm.Composite(a.Name) && rest == parameter.PKCS7Padding && crypts(c):
		return Composite
	case mixed > 0 && !seals || c.Mode != "" && !slices.Contains(plainModes, c.Mode):
		return None
	case c.Operation == algorithm.Exposure && plain &&
		(c.Mode == algorithm.ECB || c.Mode == algorithm.CBC || c.Mode == algorithm.CTR):
		return Exposed
	case crypts(c) && (rest == "" || is(parameter.Batch) && mixed == 0):
		return Cipher
	case crypts(c) && c.Mode != algorithm.OneBlock && is(parameter.Call, parameter.Way) && mixed == 0 &&
		parameter.Call.In(rest) > 0 && parameter.Way.In(rest) != "":
		return Cipher
	case !seals || c.Mode == algorithm.CCM: // whose messages alone are asked for
		return None
	case c.Operation == algorithm.Encrypt && is(parameter.Goroutines, parameter.Holding, parameter.Request),
		c.Operation == algorithm.Arrival && (is(parameter.Load, parameter.Request) || is(parameter.Rate, parameter.Request)):
		return Many
	case c.Operation == algorithm.Encrypt && is(parameter.Buffers, parameter.Heap) && mixed == 0:
		return Sealing
	case c.Operation == algorithm.Stream:
		return Stream
	case (c.Operation == algorithm.New || c.Operation == algorithm.NewEncrypt) && plain:
		return Setup
	}
	return None
}

func DirectionOf(c result.Case) loop.Direction {
	if c.Operation == algorithm.Decrypt {
		return loop.Decrypt
	}
	return loop.Encrypt
}

func crypts(c result.Case) bool {
	return c.Operation == algorithm.Encrypt || c.Operation == algorithm.Decrypt
}

func ofKeyPair(a algorithm.Algorithm, c result.Case) Kind {
	is := func(keys ...parameter.Key) bool { return parameter.Are(c.Parameters, keys...) }
	private := c.Operation == algorithm.Sign || c.Operation == algorithm.Decrypt || c.Operation == algorithm.Agree
	switch {
	case !a.Does(c.Operation, c.Mode):
		return None
	case private && is(parameter.Buffers, parameter.Heap) && (a.Kind == algorithm.RSA || !crypts(c)):
		return Private
	case a.Kind == algorithm.RSA && c.Operation == algorithm.Generate:
		if is(parameter.Draws) {
			return Draws
		}
		return None
	case a.Kind == algorithm.KeyExchange && c.Operation == algorithm.Generate && c.Parameters == "":
		return Exchange
	case c.Parameters == "",
		c.Parameters == parameter.WithoutCRT && private && a.Kind == algorithm.RSA,
		c.Parameters == parameter.PrecomputedZA && a.Name == algorithm.SM2 && keyPairKinds[c.Operation] == Signature,
		is(parameter.Message) && crypts(c) && a.Kind == algorithm.RSA:
		return keyPairKinds[c.Operation]
	}
	return None
}

var keyPairKinds = map[algorithm.Operation]Kind{
	algorithm.Sign: Signature, algorithm.Verify: Signature, algorithm.Encrypt: Transport, algorithm.Decrypt: Transport,
	algorithm.Agree: Agreement, algorithm.Generate: Generation, algorithm.Encapsulate: Exchange,
	algorithm.Decapsulate: Exchange, algorithm.Session: Exchange, algorithm.SessionKey: Exchange,
}
