//go:build linux && (amd64 || arm64)

// Package botan measures Botan 2.19 and 3 through its C interface, ffi.h, whose functions
// take an object, and buffers with their lengths. What a version does not have makes its
// cases absent and not the library.
//
// The subject without an implementation's name is what people write who follow the
// manual: botan_cipher_start with the nonce, botan_cipher_update with the data as it
// comes (for a whole message in one call), and one more call with the flag FINAL
// for the end. As much goes through update as update takes; what is left goes with
// FINAL. That is
//
//   - nothing, of modes that make a key stream;
//   - what is less than the mode's granularity: of 2.19.3's CBC up to 255 bytes;
//   - of CCM everything, since the length of a message comes before it: there is no update;
//   - of another sealed text the tag, and of CBC's the last block, which update may not be
//     given, since FINAL must have them.
//
// So the everyday row shows what an application has of the library: up to 3.4 a
// stream mode's update works byte by byte, whatever the size of the calls (Botan's
// issue #3925). The ways around that are subjects of their own (workaround.go).
//
// The parameters call=N,way=W hand one message over in calls of at most N bytes: by
// update as above; by final, which ends a message but of key streams; as oneshot, all
// in one call with FINAL; by blocks, the block function with CTR by the caller around it.
// update may take less than it was given, with success: 2.19.3's CBC takes nothing of
// 64 bytes. What it leaves is given again with what comes next; each call is given
// more than the one before or the end is reached, so nothing can spin.
package botan

import (
	"cmp"
	_ "embed" // functions.txt
	"fmt"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/cbinding"
	"github.com/cryptogauge/cryptogauge/internal/library/native/object"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// everyVersion are the functions that are called here and that all versions have since
// 2.19. An object without one of them is no whole Botan: what needs it is unsupported,
// where what only newer versions have is not offered.
//
//go:embed functions.txt
var functions string

var everyVersion = strings.Fields(functions)

type Library struct{ *cbinding.Library }

func Open(o *object.Object, v provider.Vectors) (*Library, error) {
	if err := o.Has("botan_version_major", "botan_version_minor", "botan_version_patch",
		"botan_error_description", "botan_cipher_init", "botan_cipher_update"); err != nil {
		return nil, reason.New("not-botan", err)
	}
	l := &Library{&cbinding.Library{Object: o, Vectors: v, Name: "botan", Title: "Botan", Since: "2.19",
		Every: everyVersion, Success: call.Zero, Released: call.Zero,
		Keys: cbinding.Keys{Free: freeKey, Read: privateKey, Halves: halves, Slack: 16}}}
	l.Release = fmt.Sprintf("%d.%d.%d",
		l.Call("botan_version_major"), l.Call("botan_version_minor"), l.Call("botan_version_patch"))
	l.Says, l.Refuses = l.says, l.refuses
	return l, nil
}

func (l *Library) says(function string, result any) error {
	code, _ := result.(int32)
	text := cbinding.GoString(l.Call("botan_error_description", uintptr(code)))
	if more := cbinding.GoString(l.Call("botan_error_last_exception_message")); more != "" { // 3.0 and later
		text += ": " + more
	}
	return reason.New("botan-returned", function, code, reason.Foreign(text))
}

// refuses tells what a version does not have from what it has and refuses.
func (l *Library) refuses(what string, f *cbinding.Fault) error {
	const notImplemented, badParameter = int32(-40), int32(-32) // of botan/ffi.h
	if f.Result == notImplemented || f.Result == badParameter {
		return provider.Absent("version-has-no-since", l.Title, l.Release, what, f)
	}
	return provider.Unsupported("version-refuses", l.Title, l.Release, what, f)
}

// On is the library as it is called by one path, in the everyday way and then around a
// slow update.
func (l *Library) On(p call.Path, s result.Subject) (all []provider.Provider) {
	for _, w := range workarounds {
		s.Implementation = w.name
		all = append(all, l.on(p, s, &w))
	}
	return all
}

type on struct {
	cbinding.Provider
	*workaround
	lib *Library
}

func (l *Library) on(p call.Path, s result.Subject, w *workaround) *on {
	o := &on{workaround: w, lib: l}
	o.Provider = cbinding.Provider{Library: l.Library, Path: p, As: s, Kind: o.kindOf,
		Handle: o.openHandle,
		InGo:   []cbinding.Kind{cbinding.Setup, cbinding.Generation, cbinding.Exchange},
		Opens: map[cbinding.Kind]cbinding.Opening{
			cbinding.Cipher: o.openCipher, cbinding.Composite: openComposite, cbinding.Schedule: openSchedule,
			cbinding.Setup: o.openSetup, cbinding.Hash: openHash, cbinding.MAC: openHash, cbinding.Derivation: openDerivation,
			cbinding.Random:    openRandom,
			cbinding.Signature: openSignature, cbinding.Transport: openTransport, cbinding.Agreement: openAgreement,
			cbinding.Generation: openGeneration, cbinding.Exchange: openExchange,
		},
		Asks: map[cbinding.Kind]cbinding.Asking{cbinding.Draws: askDraws, cbinding.Private: askPrivate}}
	return o
}

// Implementation is a workaround's name: Botan's C interface tells of nothing which kernel it runs.
func (o *on) Implementation(result.Case) string { return cmp.Or(o.name, "unknown") }

func kindOf(c result.Case) cbinding.Kind {
	kind := cbinding.KindOf(c)
	switch {
	case kind == cbinding.Exposed || kind == cbinding.Envelope,
		kind.Hashes() && (hashName(c.Algorithm) == "" || c.Parameters != ""),
		kind == cbinding.Cipher && parameter.Batch.Has(c.Parameters),
		kind >= cbinding.Signature && (keyKindOf(c.Algorithm).load == "" || parameter.CRT.Has(c.Parameters)),
		parameter.ZA.Has(c.Parameters):
		return cbinding.None
	}
	return kind
}

// kindOf says as well whether there is something for a workaround to go around. An AEAD
// in Go's shape takes whole messages, so nothing is left to be coalesced.
func (o *on) kindOf(c result.Case) cbinding.Kind {
	kind := kindOf(c)
	switch {
	case o.name == "":
		return kind
	case !modeOf(c).goesAround(o.workaround), kind == cbinding.Setup && c.Operation == algorithm.New:
		return cbinding.None
	case kind == cbinding.Cipher:
		return kind
	case o.pattern.way == parameter.Oneshot &&
		(kind == cbinding.Many || kind == cbinding.Stream || kind == cbinding.Sealing || kind == cbinding.Setup):
		return kind
	}
	return cbinding.None
}

var notes = map[cbinding.Kind]string{
	cbinding.Composite:  "put together: PKCS #7 padding, CBC, then HMAC over IV and ciphertext",
	cbinding.Many:       noteShared,
	cbinding.Stream:     noteShared,
	cbinding.Sealing:    noteShared,
	cbinding.Setup:      "objects of Botan's, destroyed when Go's garbage collector finds them dead",
	cbinding.Schedule:   "botan_block_cipher_set_key on an object that is kept: both directions' schedules",
	cbinding.Derivation: "botan_kdf, which reads the name of the algorithm in each call",
	cbinding.Random:     "botan_rng_get of the generator named user",
	cbinding.Agreement:  "the peer's public key is read and checked inside the call",
}

const (
	noteUpdate  = "update, and a call with the flag FINAL for the end"
	noteOneshot = "the message in one call with the flag FINAL"
	noteShared  = noteUpdate + "; a cipher keeps as many objects as callers were at work at once"
)

func (o *on) Note(c result.Case) string {
	switch kind := kindOf(c); {
	case o.name != "" && o.kindOf(c) != cbinding.None && o.lib.fastest(o.Path, modeOf(c)) == o.name:
		return o.note + "; the fastest of the workarounds at 4 KiB, by a short measurement beforehand"
	case o.name != "":
		return o.note
	case kind == cbinding.Cipher && !modeOf(c).named():
		return "the block function: Botan has no other ECB"
	case kind == cbinding.Cipher && c.Mode == algorithm.CCM:
		return noteOneshot
	case kind == cbinding.Cipher:
		i := slices.IndexFunc(workarounds, func(w workaround) bool { return w.pattern.way == parameter.Way.In(c.Parameters) })
		return workarounds[max(i, 0)].note
	case c.Operation == algorithm.Verify:
		return ""
	case kind >= cbinding.Signature && kind != cbinding.Private:
		return cmp.Or(notes[kind], "random numbers of the system's")
	default:
		return notes[kind]
	}
}

var hashNames = map[algorithm.Name]string{algorithm.MD5: "MD5", algorithm.SHA1: "SHA-1", algorithm.SHA256: "SHA-256",
	algorithm.SHA384: "SHA-384", algorithm.SHA512: "SHA-512", algorithm.SHA3of256: "SHA-3(256)", algorithm.SM3: "SM3",
	algorithm.BLAKE2b512: "BLAKE2b(512)"}

// hashName is what Botan calls a hash, a MAC or a derivation of keys; empty where it is
// not asked for it.
func hashName(name algorithm.Name) string {
	for _, of := range []string{"HMAC", "HKDF"} {
		if hash, ok := strings.CutPrefix(name, of+"-"); ok && hashNames[hash] != "" {
			return of + "(" + hashNames[hash] + ")"
		}
	}
	return hashNames[name]
}

// openHash digests whole messages, under a key or not. What final leaves is a state for
// the next.
func openHash(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	name, out, p := hashName(c.Algorithm), s.RoomLike(v.Digest, len(v.Digest)), s.Program()
	if c.Operation == algorithm.MAC {
		newMAC(s, name, v.Key)(p, out, v.Plaintext)
		return p.Operation(name, loop.Foreign{Want: v.Digest, Out: out})
	}
	h := s.Make("botan_hash_destroy", "botan_hash_init", s.Text(name), 0)
	p.Add("botan_hash_update", h, s.Bytes(v.Plaintext), uintptr(len(v.Plaintext)))
	p.Add("botan_hash_final", h, s.Bytes(out))
	return p.Operation(name, loop.Foreign{Want: v.Digest, Out: out})
}

// newMAC returns what appends the HMAC of texts, one after the other.
func newMAC(s *cbinding.Session, name string, key []byte) cbinding.Summing {
	mac := s.Make("botan_mac_destroy", "botan_mac_init", s.Text(name), 0)
	s.Do("botan_mac_set_key", mac, s.Bytes(key), uintptr(len(key)))
	return func(p *cbinding.Program, out []byte, texts ...[]byte) {
		for _, text := range texts {
			p.Add("botan_mac_update", mac, p.Bytes(text), uintptr(len(text)))
		}
		p.Add("botan_mac_final", mac, p.Bytes(out))
	}
}

// openDerivation is HKDF of a secret; its name is read in each call.
//
//	int botan_kdf(const char *name, uint8_t out[], size_t out_len, const uint8_t secret[], size_t secret_len,
//	    const uint8_t salt[], size_t salt_len, const uint8_t label[], size_t label_len)
func openDerivation(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	out, p := s.RoomLike(v.Secret, len(v.Secret)), s.Program()
	args := []uintptr{s.Text(hashName(c.Algorithm))}
	for _, b := range [][]byte{out, v.Key, v.Nonce, v.AAD} {
		args = append(args, s.Bytes(b), uintptr(len(b)))
	}
	p.Add("botan_kdf", args...)
	return p.Operation(c.Name(), loop.Foreign{Want: v.Secret, Out: out})
}

// openComposite is CBC, then HMAC.
func openComposite(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	m := modeOf(result.Case{Algorithm: c.Algorithm, Mode: algorithm.CBC, Operation: c.Operation})
	m.name = c.Algorithm + "/CBC/PKCS7"
	k, err := newCipher(s, m, v.Key)
	if err != nil {
		return nil, err
	}
	crypt := func(p *cbinding.Program, iv, in, out []byte) {
		p.Fail(k.plan(p, cbinding.Message{Nonce: iv, In: in, Out: out}, pattern{0, parameter.Update}))
	}
	sum := newMAC(s, hashName(strings.TrimPrefix(c.Mode, "CBC+")), v.MACKey)
	return s.Composite(c, v, 0, crypt, sum, "botan_constant_time_compare")
}

// openRandom is the generator that Botan recommends for applications, seeded by itself.
func openRandom(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	rng := s.Make("botan_rng_destroy", "botan_rng_init", s.Text("user"))
	return s.Drawing(c, v, func(p *cbinding.Program, out []byte) {
		p.Add("botan_rng_get", rng, p.Bytes(out), uintptr(len(out)))
	})
}
