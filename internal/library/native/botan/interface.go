//go:build linux && (amd64 || arm64)

package botan

// everyVersion are the functions that are called here and that all versions have since
// 2.19. An object without one of them is no whole Botan: what needs it is unsupported,
// where what only newer versions have is not offered.
var everyVersion = []string{
	"botan_block_cipher_clear", "botan_block_cipher_decrypt_blocks", "botan_block_cipher_destroy",
	"botan_block_cipher_encrypt_blocks", "botan_block_cipher_init", "botan_block_cipher_set_key",
	"botan_cipher_destroy", "botan_cipher_init", "botan_cipher_set_associated_data", "botan_cipher_set_key",
	"botan_cipher_start", "botan_cipher_update", "botan_constant_time_compare", "botan_error_description",
	"botan_hash_destroy", "botan_hash_final", "botan_hash_init", "botan_hash_update", "botan_kdf",
	"botan_mac_destroy", "botan_mac_final", "botan_mac_init", "botan_mac_set_key", "botan_mac_update",
	"botan_mp_destroy", "botan_mp_from_bin", "botan_mp_init", "botan_mp_num_bytes", "botan_mp_to_bin",
	"botan_pk_op_decrypt", "botan_pk_op_decrypt_create", "botan_pk_op_decrypt_destroy", "botan_pk_op_encrypt",
	"botan_pk_op_encrypt_create", "botan_pk_op_encrypt_destroy", "botan_pk_op_key_agreement",
	"botan_pk_op_key_agreement_create", "botan_pk_op_key_agreement_destroy",
	"botan_pk_op_key_agreement_export_public", "botan_pk_op_sign_create", "botan_pk_op_sign_destroy",
	"botan_pk_op_sign_finish", "botan_pk_op_sign_update", "botan_pk_op_verify_create",
	"botan_pk_op_verify_destroy", "botan_pk_op_verify_finish", "botan_pk_op_verify_update",
	"botan_privkey_create", "botan_privkey_destroy", "botan_privkey_ed25519_get_privkey",
	"botan_privkey_export_pubkey", "botan_privkey_get_field", "botan_privkey_load", "botan_privkey_load_ed25519",
	"botan_privkey_load_x25519", "botan_privkey_rsa_get_privkey", "botan_privkey_x25519_get_privkey",
	"botan_pubkey_destroy", "botan_pubkey_x25519_get_pubkey", "botan_rng_destroy", "botan_rng_init",
	"botan_version_major", "botan_version_minor", "botan_version_patch",
}

// Lacks are those that this object has not.
func (l *Library) Lacks() (names []string) {
	for _, name := range everyVersion {
		if _, err := l.find(name); err != nil {
			names = append(names, name)
		}
	}
	return names
}
