package engine

import (
	"crypto/fips140"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/binding"
	"github.com/cryptogauge/cryptogauge/internal/library/bulkhash"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/multibuffer"
	"github.com/cryptogauge/cryptogauge/result"
)

// hashers lists the kernels of package multibuffer that this machine can run, fastest
// first. Where it can run none the standard library and gmsm do the work, which are
// measured as themselves.
func hashers(v provider.Vectors) (ps []provider.Provider) {
	shared := new(bulkhash.Shared)
	for i, name := range multibuffer.Implementations() {
		h, err := multibuffer.NewWith(name)
		if err != nil || name == "serial" { // without lanes
			continue
		}
		var coalescer *multibuffer.Coalescer // which has the fastest kernel
		if i == 0 {
			coalescer = new(multibuffer.Coalescer)
		}
		offers := []binding.Offer{
			many(algorithm.MD5, shared, h.SumMD5, coalescer, (*multibuffer.Coalescer).SumMD5),
			many(algorithm.SM3, shared, h.SumSM3, coalescer, (*multibuffer.Coalescer).SumSM3),
		}
		if name == "avx512" {
			offers = append(offers, many(algorithm.SHA256, shared, h.SumSHA256, nil, nil))
		}
		ps = append(ps, binding.New(kernel(name), v, offers...))
	}
	return ps
}

// many hashes many messages: in lanes on one core, in lanes on several, or by calls of a
// Coalescer, one message each.
func many[D bulkhash.Digest](name algorithm.Name, shared *bulkhash.Shared, lanes func([]D, [][]byte),
	coalescer *multibuffer.Coalescer, one func(*multibuffer.Coalescer, []byte) D) binding.Offer {
	o := binding.Many(name, approved, shared, func(way parameter.Manner) (loops bulkhash.Loops[D]) {
		switch {
		case way == parameter.Lanes:
			loops.Alone = map[parameter.Manner]bulkhash.Loop[D]{way: lanes}
		case way == parameter.Split:
			loops.Each = func() bulkhash.Loop[D] { return lanes }
		case way == parameter.Counter && coalescer != nil:
			loops.Each = func() bulkhash.Loop[D] {
				return func(digests []D, messages [][]byte) {
					for i, m := range messages {
						digests[i] = one(coalescer, m)
					}
				}
			}
		}
		return loops
	})
	o.Timing = binding.Always(reason.Timing("yes", "arx-hash"))
	o.Note = func(c result.Case) string {
		if parameter.Way.In(c.Parameters) == parameter.Counter {
			return bulkhash.Note(c) + "; each calls one Coalescer"
		}
		return bulkhash.Note(c)
	}
	return o
}

func approved(result.Case) error {
	if fips140.Enforced() {
		return provider.Unsupported("fips-lanes")
	}
	return nil
}
