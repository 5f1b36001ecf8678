package provider

import (
	"slices"
	"strconv"

	"github.com/cryptogauge/cryptogauge/result"
)

// Envelope is the algorithm of cases of hybrid encryption, the digital envelope: a
// message sealed under a content key of its own, and that key wrapped for one
// receiver. The mode names both, as in "SM2+SM4-GCM"; the operations are
// "seal" and "open".
const Envelope = "Envelope"

// ReusedKey is the parameter of an envelope's case whose content key was wrapped
// once, before the first message. Its mode names the payload's cipher alone.
const ReusedKey = "key=reused"

// Padding is the parameter of the composite cases: PKCS #7.
const Padding = "padding=pkcs7"

// The operations of an exchange.
const (
	Generate    = "generate"
	Encapsulate = "encapsulate"
	Decapsulate = "decapsulate"
	Session     = "session"     // all of them, and a session key of the secret on both sides
	SessionKey  = "session-key" // that key alone, of a secret that is there
)

// SessionInfo is the context that session keys are derived in, without a salt; they
// are as long as AES-256's.
const (
	SessionInfo  = "cryptogauge session"
	SessionBytes = 32
)

// Arrival is the operation of the scenario in which requests arrive at a constant rate.
const Arrival = "arrival"

// Concurrent says whether a case is asked of many goroutines, and not of one.
func Concurrent(c result.Case) bool {
	return c.Parameter("goroutines") != "" && c.Operation == "encrypt"
}

// Alone is the case without what says by how many goroutines, how and at which
// rate it is done: the message is the same.
func Alone(c result.Case) result.Case {
	p, err := result.ParseParameters(c.Parameters)
	if err != nil {
		return c
	}
	for _, name := range []string{"goroutines", "holding", "request", "load"} {
		delete(p, name)
	}
	c.Parameters = p.String()
	if c.Operation == Arrival {
		c.Operation = "encrypt"
	}
	return c
}

// Busy is the parameter of a case that is done on several CPUs at once, each with
// an operation of its own: busy=N.
const Busy = "busy"

// mostBusy is more CPUs than machines have.
const mostBusy = 4096

// AloneOnCPU is a case without the parameter [Busy], and how many CPUs it asks for;
// 0 where it does not.
func AloneOnCPU(c result.Case) (alone result.Case, cpus int) {
	p, err := result.ParseParameters(c.Parameters)
	if err != nil || p[Busy] == "" {
		return c, 0
	}
	if cpus, err = strconv.Atoi(p[Busy]); err != nil || cpus < 1 || cpus > mostBusy {
		return c, 0
	}
	delete(p, Busy)
	c.Parameters = p.String()
	return c, cpus
}

// What a caller may do about the buffers of an operation.
const (
	FreshBuffers  = "fresh"  // made for each call, and left to the collector
	ReusedBuffers = "reused" // made once
	PooledBuffers = "pool"   // from a sync.Pool, and back
)

// BuffersOf reads the parameters of a case of the collector scenario, such as
// "buffers=fresh,heap=268435456". It is false for a case of another kind.
func BuffersOf(c result.Case) (buffers string, heap int64, ok bool) {
	buffers = c.Parameter("buffers")
	if !slices.Contains([]string{FreshBuffers, ReusedBuffers, PooledBuffers}, buffers) {
		return "", 0, false
	}
	heap, err := strconv.ParseInt(c.Parameter("heap"), 10, 64)
	canonical := result.Parameters{"buffers": buffers, "heap": strconv.FormatInt(heap, 10)}.String()
	return buffers, heap, err == nil && heap >= 0 && c.Parameters == canonical
}

// Plain is a case without what the collector scenario adds to it.
func Plain(c result.Case) result.Case {
	if _, _, ok := BuffersOf(c); ok {
		c.Parameters = ""
	}
	return c
}

// How a message is handed over to a library, as parameters of a case say it:
//
//	call=N,way=W  in calls of at most N bytes, by one of the ways that its interface offers
//	batch=N       with others, N messages in one crossing; the case's bytes are those of all
//
// It changes the time and not the output.

// Handed is the case of a single message, without those parameters; and how many such
// messages one operation takes.
func Handed(c result.Case) (alone result.Case, messages int64) {
	p, err := result.ParseParameters(c.Parameters)
	if err != nil {
		return c, 1
	}
	switch n, err := strconv.ParseInt(p["batch"], 10, 32); {
	case len(p) == 2 && p["call"] != "" && p["way"] != "":
		c.Parameters = ""
	case len(p) == 1 && err == nil && n > 0 && c.Bytes%n == 0:
		c.Parameters, c.Bytes = "", c.Bytes/n
		return c, n
	}
	return c, 1
}
