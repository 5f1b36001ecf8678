package engine

import (
	"crypto/fips140"
	"crypto/md5"
	"crypto/sha256"

	"github.com/emmansun/gmsm/sm3"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/bulkhash"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/multibuffer"
	"github.com/cryptogauge/cryptogauge/result"
)

// hashers lists the kernels of package multibuffer that this machine can run, fastest
// first. Where it can run none the standard library and gmsm do the work, which are
// measured as themselves.
func hashers(v provider.Vectors) (ps []provider.Provider) {
	for _, name := range multibuffer.Implementations() {
		if h, err := multibuffer.NewWith(name); err == nil && name != serial {
			ps = append(ps, hashing{v, h})
		}
	}
	return ps
}

// serial is the implementation without lanes.
const serial = "serial"

// hashing is one kernel.
type hashing struct {
	vectors provider.Vectors
	hasher  multibuffer.Hasher
}

func (l hashing) Subject() result.Subject {
	return result.Subject{Library: "cryptogauge", Version: provider.ModuleVersion("github.com/cryptogauge/cryptogauge"),
		Implementation: l.hasher.Implementation(), CallPath: "go"}
}

// Open hashes many messages: in lanes on one core, in lanes on several, or by calls of
// a Coalescer, one message each.
func (l hashing) Open(c result.Case) (provider.Operation, error) {
	if c.Operation != algorithm.HashMany {
		return nil, provider.Absent("not-offered", subject.Engine, c.Operation)
	}
	way := parameter.Way.In(c.Parameters)
	if way == parameter.Counter && l.hasher.Implementation() != multibuffer.New().Implementation() {
		return nil, provider.Absent("not-offered", subject.Engine, c.Parameters)
	}
	switch c.Algorithm {
	case "MD5":
		var calls multibuffer.Coalescer
		return openLanes(l, c, l.hasher.SumMD5, calls.SumMD5)
	case "SM3":
		var calls multibuffer.Coalescer
		return openLanes(l, c, l.hasher.SumSM3, calls.SumSM3)
	case "SHA-256":
		if l.hasher.Implementation() != "avx512" {
			return nil, provider.Absent("not-offered", "cryptogauge", c.Name()+" "+c.Operation)
		}
		return openLanes[[sha256.Size]byte](l, c, l.hasher.SumSHA256, nil)
	}
	return nil, provider.Absent("not-offered", "cryptogauge", c.Name()+" "+c.Operation)
}

// digest is what the engine's hash functions give.
type digest interface {
	[md5.Size]byte | [sm3.Size]byte
}

// openLanes opens a case of one hash function. One is a Coalescer's, nil where it has none.
func openLanes[D digest](l hashing, c result.Case, many func([]D, [][]byte), one func([]byte) D) (provider.Operation, error) {
	if fips140.Enforced() {
		return nil, provider.Unsupported("fips-lanes")
	}
	var loops bulkhash.Loops[D]
	switch way := parameter.Way.In(c.Parameters); {
	case way == parameter.Lanes:
		loops.Alone = func(digests []D, messages [][]byte, _ []string) { many(digests, messages) }
	case way == parameter.Split:
		loops.Each = func() bulkhash.Loop[D] { return many }
	case way == parameter.Counter && one != nil:
		loops.Each = func() bulkhash.Loop[D] {
			return func(digests []D, messages [][]byte) {
				for i, m := range messages {
					digests[i] = one(m)
				}
			}
		}
	default:
		return nil, provider.Absent("not-offered", subject.Engine, parameter.Way.Is(way))
	}
	return bulkhash.Open(c, l.vectors, loops)
}

// OpenScenario: there is none.
func (hashing) OpenScenario(c result.Case) (provider.Scenario, error) {
	return nil, provider.Absent("not-offered", "cryptogauge", c.Operation)
}

func (hashing) ConstantTime(result.Case) result.ConstantTime {
	return reason.Timing("yes", "arx-hash")
}

func (hashing) Note(c result.Case) string {
	if parameter.Way.In(c.Parameters) == parameter.Counter {
		return bulkhash.Note(c) + "; each calls one Coalescer"
	}
	return bulkhash.Note(c)
}
