#include <stdint.h>

// The layout of Call.
typedef struct {
	uintptr_t func, n, args[12], rule, before, before_value, after[4], result; // after: twice a word and its value
} cg_call;

typedef uintptr_t (*cg_func)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
	uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);
typedef uintptr_t (*cg_six)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);

// A callee takes the arguments that it has and leaves the others alone, in both
// ABIs that this is built for; six go in registers.
static inline int cg_one(cg_call *c) {
	if (c->before) *(uint64_t *)c->before = c->before_value;
	const uintptr_t *a = c->args;
	c->result = c->n <= 6
		? ((cg_six)c->func)(a[0], a[1], a[2], a[3], a[4], a[5])
		: ((cg_func)c->func)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11]);
	int r = (int)c->result;
	if ((c->rule == 1 && r != 0) || (c->rule == 2 && r <= 0)) return 1;
	const uintptr_t *w = c->after;
	return (w[0] && *(uint64_t *)w[0] != w[1]) || (w[2] && *(uint64_t *)w[2] != w[3]);
}

static int cg_cross(cg_call *c) { return cg_one(c); }

static int64_t cg_loop(cg_call *p, int64_t calls, int64_t n) {
	for (int64_t k = 0; k < n; k++)
		for (int64_t i = 0; i < calls; i++)
			if (cg_one(p + i)) return i;
	return -1;
}
