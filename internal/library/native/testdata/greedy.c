// OpenSSL, libgcrypt or Botan, of which each function that leaves an output writes BYTES
// bytes more than it had room for. REAL is the path of the library behind it, whose name
// is a macro too.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

static void *real;

__attribute__((constructor)) static void open_real(void) { real = dlopen(REAL, RTLD_NOW | RTLD_LOCAL); }

// Calls that the library makes itself go as they should: their outputs are its own.
static void beyond(uint8_t *end, const char *function, void *caller) {
	Dl_info in, from;
	if (!end || (dladdr(dlsym(real, function), &in) && dladdr(caller, &from) && in.dli_fbase == from.dli_fbase)) return;
	for (int i = 0; i < BYTES; i++) end[i] = 0x5a;
}

// end is where the room ends, and is found before the call.
#define GREEDY(name, end, parameters, arguments) \
	int name parameters { \
		uint8_t *e = end; \
		int result = ((int(*) parameters)dlsym(real, #name)) arguments; \
		beyond(e, #name, __builtin_return_address(0)); \
		return result; \
	}

#ifdef openssl
int EVP_CipherUpdate(void *c, uint8_t *out, int *n, const uint8_t *in, int size) {
	int result = ((int (*)(void *, uint8_t *, int *, const uint8_t *, int))dlsym(real, "EVP_CipherUpdate"))(c, out, n, in, size);
	if (out) beyond(out + size + 16, "EVP_CipherUpdate", __builtin_return_address(0)); // the room of modes of blocks, and of a sealed text
	return result;
}
int EVP_DigestFinal_ex(void *c, uint8_t *out, unsigned *n) {
	unsigned size = 0;
	int result = ((int (*)(void *, uint8_t *, unsigned *))dlsym(real, "EVP_DigestFinal_ex"))(c, out, n ? n : &size);
	beyond(out + (n ? *n : size), "EVP_DigestFinal_ex", __builtin_return_address(0));
	return result;
}
GREEDY(EVP_MAC_final, out + room, (void *c, uint8_t *out, size_t *n, size_t room), (c, out, n, room))
GREEDY(EVP_KDF_derive, out + n, (void *c, uint8_t *out, size_t n, const void *p), (c, out, n, p))
GREEDY(EVP_PKEY_sign, out + *n, (void *c, uint8_t *out, size_t *n, const uint8_t *in, size_t size), (c, out, n, in, size))
GREEDY(EVP_DigestSign, out + *n, (void *c, uint8_t *out, size_t *n, const uint8_t *in, size_t size), (c, out, n, in, size))
GREEDY(EVP_PKEY_encrypt, out + *n, (void *c, uint8_t *out, size_t *n, const uint8_t *in, size_t size), (c, out, n, in, size))
GREEDY(EVP_PKEY_decrypt, out + *n, (void *c, uint8_t *out, size_t *n, const uint8_t *in, size_t size), (c, out, n, in, size))
GREEDY(EVP_PKEY_derive, out + *n, (void *c, uint8_t *out, size_t *n), (c, out, n))
#endif

#ifdef libgcrypt
GREEDY(gcry_cipher_encrypt, out + room, (void *c, uint8_t *out, size_t room, const void *in, size_t size), (c, out, room, in, size))
GREEDY(gcry_cipher_decrypt, out + room, (void *c, uint8_t *out, size_t room, const void *in, size_t size), (c, out, room, in, size))
GREEDY(gcry_cipher_gettag, out + n, (void *c, uint8_t *out, size_t n), (c, out, n))
GREEDY(gcry_mac_read, out + *n, (void *c, uint8_t *out, size_t *n), (c, out, n))
#endif

#ifdef botan
static size_t length(const char *function, void *of) {
	size_t n = 0;
	((int (*)(void *, size_t *))dlsym(real, function))(of, &n);
	return n;
}
GREEDY(botan_cipher_update, room ? out + room : NULL,
	(void *c, uint32_t flags, uint8_t *out, size_t room, size_t *written, const uint8_t *in, size_t size, size_t *consumed),
	(c, flags, out, room, written, in, size, consumed))
GREEDY(botan_block_cipher_encrypt_blocks, out + 16 * n, (void *c, const uint8_t *in, uint8_t *out, size_t n), (c, in, out, n))
GREEDY(botan_block_cipher_decrypt_blocks, out + 16 * n, (void *c, const uint8_t *in, uint8_t *out, size_t n), (c, in, out, n))
GREEDY(botan_hash_final, out + length("botan_hash_output_length", c), (void *c, uint8_t *out), (c, out))
GREEDY(botan_mac_final, out + length("botan_mac_output_length", c), (void *c, uint8_t *out), (c, out))
GREEDY(botan_kdf, out + n, (const char *name, uint8_t *out, size_t n, const uint8_t *key, size_t a, const uint8_t *salt, size_t b, const uint8_t *label, size_t d),
	(name, out, n, key, a, salt, b, label, d))
GREEDY(botan_pk_op_sign_finish, out + *n, (void *c, void *rng, uint8_t *out, size_t *n), (c, rng, out, n))
GREEDY(botan_pk_op_encrypt, out + *n, (void *c, void *rng, uint8_t *out, size_t *n, const uint8_t *in, size_t size), (c, rng, out, n, in, size))
GREEDY(botan_pk_op_decrypt, out + *n, (void *c, uint8_t *out, size_t *n, const uint8_t *in, size_t size), (c, out, n, in, size))
GREEDY(botan_pk_op_key_agreement, out + *n, (void *c, uint8_t *out, size_t *n, const uint8_t *in, size_t size, const uint8_t *salt, size_t b),
	(c, out, n, in, size, salt, b))
#endif
