#include <stdint.h>
#include <stddef.h>
#include <string.h>

enum { WINDOW = 4096, BLOCK = 16 };

// CTR around a block function that encrypts so many blocks, as counterMode.
typedef struct {
	int (*crypt)(void *, const uint8_t *, uint8_t *, size_t);
	void *cipher;
	uint64_t hi, lo;
	size_t used, made; // of stream
	uint8_t counters[WINDOW], stream[WINDOW];
} cg_ctr;

static inline void put(uint8_t *p, uint64_t v) {
	v = __builtin_bswap64(v); // both ABIs that this is built for are little-endian
	memcpy(p, &v, 8);
}

static inline uint64_t get(const uint8_t *p) {
	uint64_t v;
	memcpy(&v, p, 8);
	return __builtin_bswap64(v);
}

static int cg_ctr_start(cg_ctr *c, void *crypt, void *cipher, const uint8_t *iv) {
	c->crypt = (int (*)(void *, const uint8_t *, uint8_t *, size_t))crypt;
	c->cipher = cipher;
	c->hi = get(iv);
	c->lo = get(iv + 8);
	c->used = c->made = 0;
	return 0;
}

static size_t cg_xor(uint8_t *restrict out, const uint8_t *restrict in, const uint8_t *restrict stream, size_t n) {
	for (size_t i = 0; i < n; i++) out[i] = in[i] ^ stream[i];
	return n;
}

static int cg_ctr_xor(cg_ctr *c, uint8_t *out, const uint8_t *in, size_t n) {
	while (n > 0) {
		if (c->used == c->made) {
			size_t blocks = (n + BLOCK - 1) / BLOCK;
			if (blocks > WINDOW / BLOCK) blocks = WINDOW / BLOCK;
			for (size_t i = 0; i < blocks; i++) {
				put(c->counters + BLOCK * i, c->hi);
				put(c->counters + BLOCK * i + 8, c->lo);
				if (++c->lo == 0) c->hi++;
			}
			int failed = c->crypt(c->cipher, c->counters, c->stream, blocks);
			if (failed) return failed;
			c->used = 0;
			c->made = BLOCK * blocks;
		}
		size_t part = c->made - c->used < n ? c->made - c->used : n;
		cg_xor(out, in, c->stream + c->used, part);
		c->used += part;
		out += part;
		in += part;
		n -= part;
	}
	return 0;
}

static uintptr_t cg_ctr_start_address(void) { return (uintptr_t)cg_ctr_start; }
static uintptr_t cg_ctr_xor_address(void) { return (uintptr_t)cg_ctr_xor; }
static size_t cg_ctr_size(void) { return sizeof(cg_ctr); }
