// Package blake3 measures github.com/zeebo/blake3: BLAKE3 of messages, as what could
// stand in MD5's place.
package blake3

import (
	"crypto/fips140"

	"github.com/zeebo/blake3"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/bulkhash"
	"github.com/cryptogauge/cryptogauge/internal/library/isa"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

const size = 32

// Providers lists what the library offers.
func Providers(v provider.Vectors) []provider.Provider { return []provider.Provider{library{v}} }

type library struct{ vectors provider.Vectors }

func (library) Subject() result.Subject {
	return result.Subject{Library: "blake3", Version: provider.ModuleVersion("github.com/zeebo/blake3"), CallPath: "go"}
}

func (l library) Open(c result.Case) (provider.Operation, error) {
	if c.Algorithm != "BLAKE3" || c.Operation != algorithm.HashMany {
		return nil, provider.Absent("not-offered", "blake3", c.Name()+" "+c.Operation)
	}
	if fips140.Enforced() {
		return nil, provider.Unsupported("fips-algorithm", "BLAKE3")
	}
	loops := bulkhash.Loops[[size]byte]{Each: func() bulkhash.Loop[[size]byte] { return sum }}
	if parameter.Way.In(c.Parameters) == parameter.Sum {
		loops.Alone = func(digests [][size]byte, messages [][]byte, _ []string) { sum(digests, messages) }
	}
	return bulkhash.Open(c, l.vectors, loops)
}

func sum(digests [][size]byte, messages [][]byte) {
	for i, m := range messages {
		digests[i] = blake3.Sum256(m)
	}
}

// OpenScenario: there is none.
func (library) OpenScenario(c result.Case) (provider.Scenario, error) {
	return nil, provider.Absent("not-offered", "blake3", c.Operation)
}

// Implementation follows internal/consts/cpu_*.go. Lanes are of the chunks of one
// message, 1 KiB each, so that short messages have one.
func (library) Implementation(result.Case) string {
	switch {
	case !isa.AMD64 || !isa.Assembly:
		return "generic"
	case isa.AVX2():
		return "avx2+sse4.1"
	case isa.SSE41():
		return "sse4.1"
	}
	return "generic"
}

func (library) ConstantTime(result.Case) result.ConstantTime {
	return reason.Timing("yes", "arx-hash")
}

func (library) Note(c result.Case) string { return bulkhash.Note(c) }
