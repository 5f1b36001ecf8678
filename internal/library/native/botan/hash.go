//go:build linux && (amd64 || arm64)

package botan

import (
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/native/cbinding"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

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
	m := mode{c.Algorithm, algorithm.CBC, c.Algorithm + "/CBC/PKCS7", cbinding.DirectionOf(c)}
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
