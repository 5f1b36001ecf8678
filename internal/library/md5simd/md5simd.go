// Package md5simd measures github.com/minio/md5-simd: MD5 of many streams at once,
// which a server gathers into the lanes of the vector registers.
package md5simd

import (
	"crypto/fips140"
	"crypto/md5"

	simd "github.com/minio/md5-simd"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/bulkhash"
	"github.com/cryptogauge/cryptogauge/internal/library/isa"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// Providers lists what the library offers.
func Providers(v provider.Vectors) []provider.Provider { return []provider.Provider{library{v}} }

type library struct{ vectors provider.Vectors }

func (library) Subject() result.Subject {
	return result.Subject{Library: "md5-simd", Version: provider.ModuleVersion("github.com/minio/md5-simd"), CallPath: "go"}
}

// Open hashes many messages by streams, one for each goroutine, of one server. A
// stream is reset for each message, as the library means it to be used.
func (l library) Open(c result.Case) (provider.Operation, error) {
	if c.Algorithm != "MD5" || c.Operation != algorithm.HashMany || parameter.Way.In(c.Parameters) != parameter.Counter {
		return nil, provider.Absent("not-offered", "md5-simd", c.Name()+" "+c.Operation)
	}
	if fips140.Enforced() {
		return nil, provider.Unsupported("fips-algorithm", "MD5")
	}
	var streams []simd.Hasher
	server := simd.NewServer()
	end := func() {
		for _, s := range streams {
			s.Close()
		}
		server.Close()
	}
	op, err := bulkhash.Open(c, l.vectors, bulkhash.Loops[[md5.Size]byte]{
		Each: func() bulkhash.Loop[[md5.Size]byte] {
			s := server.NewHash()
			streams = append(streams, s)
			return stream(s)
		},
		Close: end,
	})
	if err != nil {
		end()
	}
	return op, err
}

// stream hashes messages one after the other by one stream.
func stream(s simd.Hasher) bulkhash.Loop[[md5.Size]byte] {
	return func(digests [][md5.Size]byte, messages [][]byte) {
		for i, m := range messages {
			s.Reset()
			_, _ = s.Write(m) // never fails before Close
			s.Sum(digests[i][:0])
		}
	}
}

// OpenScenario: there is none.
func (library) OpenScenario(c result.Case) (provider.Scenario, error) {
	return nil, provider.Absent("not-offered", "md5-simd", c.Operation)
}

// Implementation follows md5-server_amd64.go and block_amd64.go.
func (library) Implementation(result.Case) string {
	switch {
	case !isa.AMD64 || !isa.Assembly || !isa.AVX2():
		return "crypto/md5"
	case isa.AVX512():
		return "avx512 16 lanes"
	}
	return "avx2 8 lanes"
}

func (library) ConstantTime(result.Case) result.ConstantTime {
	return reason.Timing("yes", "arx-hash")
}

func (library) Note(c result.Case) string {
	return bulkhash.Note(c) + "; each has a stream of one server, and the last block of every message is hashed without lanes"
}
