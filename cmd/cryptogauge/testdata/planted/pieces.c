/* A library with Botan's C interface and one cipher, ChaCha20 (RFC 8439), whose update
   cuts what it is given into pieces of PIECE bytes and pays COST turns of arithmetic for
   each; PIECE 0 is none. With the flag FINAL it does not. */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	uint32_t state[16];
	uint8_t stream[64];
	size_t used;
} cipher;

static uint32_t word(const uint8_t *p) {
	return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint32_t turned(uint32_t x, int n) { return x << n | x >> (32 - n); }

static void quarter(uint32_t *x, int a, int b, int c, int d) {
	x[a] += x[b]; x[d] = turned(x[d] ^ x[a], 16);
	x[c] += x[d]; x[b] = turned(x[b] ^ x[c], 12);
	x[a] += x[b]; x[d] = turned(x[d] ^ x[a], 8);
	x[c] += x[d]; x[b] = turned(x[b] ^ x[c], 7);
}

static void refill(cipher *c) {
	uint32_t x[16];
	memcpy(x, c->state, sizeof x);
	for (int i = 0; i < 10; i++) {
		quarter(x, 0, 4, 8, 12); quarter(x, 1, 5, 9, 13); quarter(x, 2, 6, 10, 14); quarter(x, 3, 7, 11, 15);
		quarter(x, 0, 5, 10, 15); quarter(x, 1, 6, 11, 12); quarter(x, 2, 7, 8, 13); quarter(x, 3, 4, 9, 14);
	}
	for (int i = 0; i < 16; i++) {
		uint32_t w = x[i] + c->state[i];
		for (int k = 0; k < 4; k++) c->stream[4 * i + k] = w >> 8 * k;
	}
	c->state[12]++;
	c->used = 0;
}

static void encrypt(cipher *c, const uint8_t *in, uint8_t *out, size_t n) {
	while (n > 0) {
		if (c->used == sizeof c->stream) refill(c);
		size_t k = sizeof c->stream - c->used;
		if (k > n) k = n;
		for (size_t i = 0; i < k; i++) out[i] = in[i] ^ c->stream[c->used + i];
		c->used += k; in += k; out += k; n -= k;
	}
}

/* Each multiplication waits for the one before, and the result is kept. */
static volatile uint64_t kept;

static void pay(void) {
	uint64_t x = kept | 1;
	for (int i = 0; i < COST; i++) x *= 0x9e3779b97f4a7c15u;
	kept = x;
}

uint32_t botan_version_major(void) { return 2; }
uint32_t botan_version_minor(void) { return 0; }
uint32_t botan_version_patch(void) { return PIECE; }
const char *botan_error_description(int err) { (void)err; return "planted"; }
const char *botan_error_last_exception_message(void) { return ""; }

int botan_cipher_init(cipher **c, const char *name, uint32_t flags) {
	(void)flags;
	if (strcmp(name, "ChaCha20") != 0) return -40; /* BOTAN_FFI_ERROR_NOT_IMPLEMENTED */
	*c = calloc(1, sizeof **c);
	return *c ? 0 : -1;
}

int botan_cipher_destroy(cipher *c) { free(c); return 0; }

int botan_cipher_set_key(cipher *c, const uint8_t *key, size_t n) {
	if (n != 32) return -32;
	for (int i = 0; i < 4; i++) c->state[i] = word((const uint8_t *)"expand 32-byte k" + 4 * i);
	for (int i = 0; i < 8; i++) c->state[4 + i] = word(key + 4 * i);
	return 0;
}

int botan_cipher_set_associated_data(cipher *c, const uint8_t *ad, size_t n) {
	(void)c; (void)ad;
	return n == 0 ? 0 : -32;
}

int botan_cipher_start(cipher *c, const uint8_t *nonce, size_t n) {
	if (n != 12) return -32;
	c->state[12] = 0;
	for (int i = 0; i < 3; i++) c->state[13 + i] = word(nonce + 4 * i);
	c->used = sizeof c->stream;
	return 0;
}

int botan_cipher_update(cipher *c, uint32_t flags, uint8_t *out, size_t room, size_t *written,
                        const uint8_t *in, size_t n, size_t *consumed) {
	if (room < n) return -10;
	*written = *consumed = n;
	if (PIECE > 0 && !(flags & 1))
		for (size_t left = n; left > 0;) {
			size_t k = left < PIECE ? left : PIECE;
			encrypt(c, in, out, k);
			pay();
			in += k; out += k; left -= k;
		}
	else
		encrypt(c, in, out, n);
	return 0;
}
