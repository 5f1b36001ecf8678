// A library that is Botan's but for one fault, which a macro chooses. REAL is the
// path of the library behind it.
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static void *real;

__attribute__((constructor)) static void open_real(void) { real = dlopen(REAL, RTLD_NOW | RTLD_LOCAL); }

#define FORWARD(type, name, parameters, arguments) \
	type name parameters { return ((type(*) parameters)dlsym(real, #name)) arguments; }

FORWARD(uint32_t, botan_version_major, (void), ())
FORWARD(uint32_t, botan_version_minor, (void), ())
FORWARD(uint32_t, botan_version_patch, (void), ())
FORWARD(const char *, botan_error_description, (int code), (code))
FORWARD(int, botan_cipher_init, (void *c, const char *name, uint32_t flags), (c, name, flags))
FORWARD(int, botan_cipher_set_key, (void *c, const uint8_t *key, size_t n), (c, key, n))
FORWARD(int, botan_cipher_set_associated_data, (void *c, const uint8_t *ad, size_t n), (c, ad, n))
FORWARD(int, botan_cipher_destroy, (void *c), (c))
#ifndef NO_BLOCKS
FORWARD(int, botan_block_cipher_init, (void *c, const char *name), (c, name))
FORWARD(int, botan_block_cipher_set_key, (void *c, const uint8_t *key, size_t n), (c, key, n))
FORWARD(int, botan_block_cipher_encrypt_blocks, (void *c, const uint8_t *in, uint8_t *out, size_t n), (c, in, out, n))
FORWARD(int, botan_block_cipher_decrypt_blocks, (void *c, const uint8_t *in, uint8_t *out, size_t n), (c, in, out, n))
FORWARD(int, botan_block_cipher_destroy, (void *c), (c))
#endif

static uint8_t nonce[64];
static size_t nonce_size;

int botan_cipher_start(void *c, const uint8_t *n, size_t size) {
	memcpy(nonce, n, size);
	nonce_size = size;
	return ((int (*)(void *, const uint8_t *, size_t))dlsym(real, "botan_cipher_start"))(c, n, size);
}

int botan_cipher_update(void *c, uint32_t flags, uint8_t *out, size_t room, size_t *written, const uint8_t *in, size_t size, size_t *consumed) {
#ifdef STUCK // success, and nothing is taken
	if (!(flags & 1)) return *written = *consumed = 0;
#endif
	int code = ((int (*)(void *, uint32_t, uint8_t *, size_t, size_t *, const uint8_t *, size_t, size_t *))dlsym(real, "botan_cipher_update"))(
		c, flags, out, room, written, in, size, consumed);
#ifdef LIAR // more is taken than there was
	*consumed += 1;
#endif
#ifdef WRONG
	if (*written > 0) out[0] ^= 1;
#endif
#ifdef RESTART // FINAL ends the message, as its name says: the key stream begins anew
	if (flags & 1) botan_cipher_start(c, nonce, nonce_size);
#endif
#ifdef CODE
	return CODE;
#endif
	return code;
}
