// Package chain holds two loops of known cost, and a call around nothing ([Pass]).
// Of the loops every step needs the result of
// the step before it, so a step takes the latency of its instruction and
// neither a wide core nor a compiler can make it cheaper.
//
// On current x86 a step of [Add] takes one cycle and a step of [Mul] three;
// on arm64 [Add] takes one and [Mul] two to four. So Add turns time into
// cycles, and the ratio of the two proves a harness that claims to measure.
//
// Both walk a pair (a, b) from (1, 3), each step writing the one from both:
// a = a op b, then b = b op a, and so on. With a constant summand instead, a
// compiler may fold steps into one, and x86 cores since Golden Cove carry out
// adds of immediates at rename, in no time at all.
package chain

// Unroll is the number of steps in one turn of the loop: steps are rounded up
// to it. The loop's own instructions run beside the chain, but where they take
// the unit that the chain's next step needs, that step waits a cycle: with 64
// steps a turn a multiplication took 2.99 times an addition on Zen 5, with 1024
// it takes 3.00 times.
const Unroll = 1024

// callTurns bounds one call of the assembly, which can't be preempted: 2^10
// turns of multiplications are about a millisecond.
const callTurns = 1 << 10

// The pair that both chains start from. Odd values stay odd under
// multiplication, so the product never dies out at zero.
const (
	startA = 1
	startB = 3
)

// Add runs a chain of dependent additions, steps rounded up to a multiple of
// [Unroll], and returns a fold of its end so that the work can't be dropped.
func Add(steps uint64) uint64 {
	a, b := uint64(startA), uint64(startB)
	for turns := turnsOf(steps); turns > 0; {
		n := min(turns, callTurns)
		a, b = add(a, b, n)
		turns -= n
	}
	return a ^ b
}

// Mul runs a chain of dependent 64-bit multiplications, steps rounded up to a
// multiple of [Unroll], and returns a fold of its end.
func Mul(steps uint64) uint64 {
	a, b := uint64(startA), uint64(startB)
	for turns := turnsOf(steps); turns > 0; {
		n := min(turns, callTurns)
		a, b = mul(a, b, n)
		turns -= n
	}
	return a ^ b
}

// turnsOf rounds up without the overflow of (steps + Unroll − 1).
func turnsOf(steps uint64) uint64 {
	turns := steps / Unroll
	if steps%Unroll != 0 {
		turns++
	}
	return turns
}
