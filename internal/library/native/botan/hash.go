//go:build linux && (amd64 || arm64)

package botan

import (
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// openHash digests whole messages. What final leaves is a state for the next.
//
//	int botan_hash_init(botan_hash_t *hash, const char *name, uint32_t flags)
//	int botan_hash_update(botan_hash_t hash, const uint8_t *in, size_t in_len)
//	int botan_hash_final(botan_hash_t hash, uint8_t out[])
//	int botan_mac_init(botan_mac_t *mac, const char *name, uint32_t flags)
//	int botan_mac_set_key(botan_mac_t mac, const uint8_t *key, size_t key_len)
//	int botan_mac_update(botan_mac_t mac, const uint8_t *in, size_t in_len)
//	int botan_mac_final(botan_mac_t mac, uint8_t out[])
func (o on) openHash(c result.Case, v *provider.Vector) (provider.Operation, error) {
	name, kind := hashName(c.Algorithm)
	s := o.session()
	h := s.object("botan_"+kind+"_init", "botan_"+kind+"_destroy", s.Text(name), 0)
	if kind == "mac" {
		s.do("botan_mac_set_key", h, s.Bytes(v.Key), uintptr(len(v.Key)))
	}
	out := s.Room(len(v.Digest))
	return s.operation(name, call.Program{
		s.step("botan_"+kind+"_update", h, s.Bytes(v.Plaintext), uintptr(len(v.Plaintext))),
		s.step("botan_"+kind+"_final", h, s.Bytes(out)),
	}, loop.Foreign{Want: v.Digest, Out: out})
}

// openDerivation is HKDF of a secret; its name is read in each call.
//
//	int botan_kdf(const char *name, uint8_t out[], size_t out_len, const uint8_t secret[], size_t secret_len,
//	    const uint8_t salt[], size_t salt_len, const uint8_t label[], size_t label_len)
func (o on) openDerivation(c result.Case, v *provider.Vector) (provider.Operation, error) {
	name, _ := hashName(c.Algorithm)
	s := o.session()
	out := s.Room(len(v.Secret))
	return s.operation(name, call.Program{s.derive(name, out, v.Key, v.Nonce, v.AAD)}, loop.Foreign{Want: v.Secret, Out: out})
}

func (s *session) derive(name string, out, secret, salt, label []byte) call.Call {
	return s.step("botan_kdf", s.Text(name), s.Bytes(out), uintptr(len(out)), s.Bytes(secret), uintptr(len(secret)),
		s.Bytes(salt), uintptr(len(salt)), s.Bytes(label), uintptr(len(label)))
}
