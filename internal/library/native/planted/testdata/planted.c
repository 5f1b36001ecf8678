// Botan with one fault, which a macro chooses. REAL is the path of the library behind it.
// Linked with that library, it has all of its functions; with ALONE it has those that
// stand here, and with ONLY_REQUIRED the six without which it is not taken for Botan.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *real;

__attribute__((constructor)) static void open_real(void) { real = dlopen(REAL, RTLD_NOW | RTLD_LOCAL); }

#define FORWARD(type, name, parameters, arguments) \
	type name parameters { return ((type(*) parameters)dlsym(real, #name)) arguments; }

#ifdef ALONE
FORWARD(uint32_t, botan_version_major, (void), ())
FORWARD(uint32_t, botan_version_minor, (void), ())
FORWARD(uint32_t, botan_version_patch, (void), ())
FORWARD(const char *, botan_error_description, (int code), (code))
#ifndef ONLY_REQUIRED
FORWARD(int, botan_cipher_set_key, (void *c, const uint8_t *key, size_t n), (c, key, n))
FORWARD(int, botan_cipher_set_associated_data, (void *c, const uint8_t *ad, size_t n), (c, ad, n))
FORWARD(int, botan_cipher_start, (void *c, const uint8_t *nonce, size_t n), (c, nonce, n))
FORWARD(int, botan_cipher_destroy, (void *c), (c))
#endif
#endif

// Where key streams are, by their handles: only of them is a call with FINAL not the end.
static char streams[4096];
#define SLOT(c) streams[((uintptr_t)(c) >> 4) % sizeof streams]

int botan_cipher_init(void **c, const char *name, uint32_t flags) {
	int code = ((int (*)(void **, const char *, uint32_t))dlsym(real, "botan_cipher_init"))(c, name, flags);
	if (code == 0) SLOT(*c) = strncmp(name, "CTR", 3) == 0 || strstr(name, "/CTR") || strcmp(name, "ChaCha20") == 0;
	return code;
}

// What a piece costs. Each multiplication waits for the one before, and the result is kept.
#ifndef COST
#define COST 0
#endif
static volatile uint64_t kept;

static void pay(void) {
	uint64_t x = kept | 1;
	for (int i = 0; i < COST; i++) x *= 0x9e3779b97f4a7c15u;
	kept = x;
}

typedef int (*update)(void *, uint32_t, uint8_t *, size_t, size_t *, const uint8_t *, size_t, size_t *);

// PIECE is how many bytes update hands on at a time; 0 is all of them.
#ifdef PIECE
#ifdef IDEAL // what it says of its pieces, as 3.0 and later do
int botan_cipher_get_ideal_update_granularity(void *c, size_t *n) { (void)c; *n = IDEAL; return 0; }
#endif

static int in_pieces(update f, void *c, uint8_t *out, size_t room, size_t *written, const uint8_t *in, size_t size, size_t *consumed) {
	*written = *consumed = 0;
	while (*consumed < size) {
		size_t n = size - *consumed, w, r;
		if (PIECE > 0 && n > PIECE) n = PIECE;
		int code = f(c, 1, out + *written, room - *written, &w, in + *consumed, n, &r);
		if (code != 0) return code;
		*written += w;
		*consumed += r;
		if (PIECE > 0) pay();
	}
	return 0;
}
#endif

#ifdef RESTART // FINAL ends the message, as its name says: the key stream begins anew
static uint8_t nonce[64];
static size_t nonce_size;

int botan_cipher_start(void *c, const uint8_t *n, size_t size) {
	memcpy(nonce, n, size);
	nonce_size = size;
	return ((int (*)(void *, const uint8_t *, size_t))dlsym(real, "botan_cipher_start"))(c, n, size);
}
#endif

#ifdef REPLACED // at this call the file beside it takes its place
static void replace(void) {
	Dl_info self;
	char next[4096];
	if (!dladdr((void *)replace, &self)) return;
	snprintf(next, sizeof next, "%s.next", self.dli_fname);
	rename(next, self.dli_fname);
}
#endif

// What happens at a call of a number, from 1 on.
static void at_call(int call) {
	(void)call;
#ifdef CRASH
	if (call == CRASH) raise(SIGSEGV);
#endif
#ifdef NIL
	if (call == NIL) *(volatile int *)8 = 1;
#endif
#ifdef HANG
	if (call >= HANG) for (;;) pause();
#endif
#ifdef EXIT
	if (call == EXIT) exit(7);
#endif
#ifdef PRINT
	if (call == PRINT) { printf("botan: a word on standard output\n"); fflush(stdout); }
#endif
#ifdef REPLACED
	if (call == REPLACED) replace();
#endif
}

int botan_cipher_update(void *c, uint32_t flags, uint8_t *out, size_t room, size_t *written, const uint8_t *in, size_t size, size_t *consumed) {
	static int calls;
	static update f;
	if (f == NULL) f = (update)dlsym(real, "botan_cipher_update");
	at_call(++calls);
#ifdef STUCK // success, and nothing is taken
	if (!(flags & 1)) return *written = *consumed = 0;
#endif
#ifdef PIECE
	int code = SLOT(c) && !(flags & 1) ? in_pieces(f, c, out, room, written, in, size, consumed) : f(c, flags, out, room, written, in, size, consumed);
#else
	int code = f(c, flags, out, room, written, in, size, consumed);
#endif
#ifdef LIAR // more is taken than there was
	*consumed += 1;
#endif
#ifdef WRONG
	if (*written > 0) out[0] ^= 1;
#endif
#ifdef WRONG_LAST // of messages above 4 KiB alone
	if (size > 4096 && *written > 0) out[*written - 1] ^= 1;
#endif
#ifdef RESTART
	if (flags & 1) botan_cipher_start(c, nonce, nonce_size);
#endif
#ifdef OVERRUN // so many bytes are written behind the room that there is
	if (room > 0) for (int i = 0; i < OVERRUN; i++) out[room + i] = 0x5a;
#endif
#ifdef UNDERRUN // and before it
	if (room > 0) for (int i = 1; i <= UNDERRUN; i++) out[-i] = 0x5a;
#endif
#ifdef COUNT_ZERO
	*written = 0;
#endif
#ifdef COUNT_LESS
	if (*written > 0) *written -= 1;
#endif
#ifdef COUNT_MORE
	if (*written > 0) *written += 16;
#endif
#ifdef CODE
	return CODE;
#endif
	return code;
}
