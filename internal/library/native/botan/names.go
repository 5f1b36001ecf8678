//go:build linux && (amd64 || arm64)

package botan

import (
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/native/binding"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/result"
)

// everyVersion are the functions that are called here and that all versions have since
// 2.19. An object without one of them is no whole Botan: what needs it is unsupported,
// where what only newer versions have is not offered.
var everyVersion = strings.Fields(`
	botan_block_cipher_clear botan_block_cipher_decrypt_blocks botan_block_cipher_destroy
	botan_block_cipher_encrypt_blocks botan_block_cipher_init botan_block_cipher_set_key botan_cipher_destroy
	botan_cipher_init botan_cipher_set_associated_data botan_cipher_set_key botan_cipher_start botan_cipher_update
	botan_constant_time_compare botan_error_description botan_hash_destroy botan_hash_final botan_hash_init
	botan_hash_update botan_kdf botan_mac_destroy botan_mac_final botan_mac_init botan_mac_set_key botan_mac_update
	botan_mp_destroy botan_mp_from_bin botan_mp_init botan_mp_num_bytes botan_mp_to_bin botan_pk_op_decrypt
	botan_pk_op_decrypt_create botan_pk_op_decrypt_destroy botan_pk_op_encrypt botan_pk_op_encrypt_create
	botan_pk_op_encrypt_destroy botan_pk_op_key_agreement botan_pk_op_key_agreement_create
	botan_pk_op_key_agreement_destroy botan_pk_op_key_agreement_export_public botan_pk_op_sign_create
	botan_pk_op_sign_destroy botan_pk_op_sign_finish botan_pk_op_sign_update botan_pk_op_verify_create
	botan_pk_op_verify_destroy botan_pk_op_verify_finish botan_pk_op_verify_update botan_privkey_create
	botan_privkey_destroy botan_privkey_ed25519_get_privkey botan_privkey_export_pubkey botan_privkey_get_field
	botan_privkey_load botan_privkey_load_ed25519 botan_privkey_load_x25519 botan_privkey_rsa_get_privkey
	botan_privkey_x25519_get_privkey botan_pubkey_destroy botan_pubkey_x25519_get_pubkey botan_rng_destroy
	botan_rng_init botan_version_major botan_version_minor botan_version_patch`)

func kindOf(c result.Case) binding.Kind {
	kind := binding.KindOf(c)
	kinds, _ := keyType(c.Algorithm)
	switch {
	case kind == binding.Exposed || kind == binding.Envelope,
		(kind == binding.Hash || kind == binding.MAC || kind == binding.Derivation) && (hashName(c.Algorithm) == "" || c.Parameters != ""),
		kind == binding.Cipher && parameter.Batch.Has(c.Parameters),
		kind >= binding.Signature && (kinds == "" || parameter.CRT.Has(c.Parameters) || parameter.ZA.Has(c.Parameters)):
		return binding.None
	}
	return kind
}

// hashNames are those that differ from ours or are ours, of what Botan is asked.
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

// keyType is how Botan's functions name a key of an algorithm (botan_privkey_load_…),
// and its curve where the kind has several.
func keyType(name algorithm.Name) (kind, curve string) {
	switch name {
	case algorithm.ECDSA256:
		return "ecdsa", "secp256r1"
	case algorithm.ECDSA384:
		return "ecdsa", "secp384r1"
	case algorithm.ECDH256:
		return "ecdh", "secp256r1"
	case algorithm.ECDH384:
		return "ecdh", "secp384r1"
	case algorithm.SM2:
		return "sm2", "sm2p256v1"
	case algorithm.Ed25519:
		return "ed25519", ""
	case algorithm.X25519:
		return "x25519", ""
	}
	if algorithm.RSABits(name) > 0 {
		return "rsa", ""
	}
	return "", ""
}

// generated is what botan_privkey_create is asked for.
func generated(name algorithm.Name) (kind, parameters string) {
	switch kind, curve := keyType(name); kind {
	case "rsa":
		return "RSA", strings.TrimPrefix(name, "RSA-")
	case "ed25519":
		return "Ed25519", ""
	case "x25519":
		return "Curve25519", "" // which 3 takes too
	default:
		return strings.ToUpper(kind), curve
	}
}

// paddingOf is what Botan calls a scheme of signatures or of encryption. RSA and
// ECDSA are given digests, hence Raw; SM2 is told the signer's identity, of
// GM/T 0009-2012 §10. flags say that a signature is a DER sequence.
func paddingOf(c result.Case) (padding string, flags uintptr) {
	const der = 1 // BOTAN_PUBKEY_DER_FORMAT_SIGNATURE
	kind, _ := keyType(c.Algorithm)
	switch {
	case c.Mode == algorithm.PKCS1v15Sign:
		return "PKCS1v15(Raw,SHA-256)", 0
	case c.Mode == algorithm.PSS:
		return "PSSR_Raw(SHA-256)", 0
	case c.Mode == algorithm.OAEP:
		return "OAEP(SHA-256)", 0
	case c.Mode == algorithm.PKCS1v15:
		return "PKCS1v15", 0
	case kind == "sm2" && (c.Operation == algorithm.Encrypt || c.Operation == algorithm.Decrypt):
		return "SM3", 0
	case kind == "sm2":
		return "1234567812345678,SM3", der
	case kind == "ecdsa":
		return "Raw", der
	case c.Operation == algorithm.Agree:
		return "Raw", 0
	}
	return "Pure", 0 // Ed25519
}
