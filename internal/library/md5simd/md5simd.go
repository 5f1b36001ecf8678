// Package md5simd measures github.com/minio/md5-simd: MD5 of many streams at once,
// which a server gathers into the lanes of the vector registers.
package md5simd

import (
	"crypto/md5"

	simd "github.com/minio/md5-simd"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/bulkhash"
	"github.com/cryptogauge/cryptogauge/internal/library/gobinding"
	"github.com/cryptogauge/cryptogauge/internal/library/isa"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

func Providers(v provider.Vectors) []provider.Provider {
	many := gobinding.Many(algorithm.MD5, gobinding.Approved, new(bulkhash.Shared), streams).
		By(kernel, gobinding.Always(reason.Timing("yes", "arx-hash")))
	many.Note = func(c result.Case) string {
		return bulkhash.Note(c) + "; each has a stream of one server, " +
			"and the last block of every message is hashed without lanes"
	}
	return []provider.Provider{gobinding.New(gobinding.Go(subject.MD5SIMD, "github.com/minio/md5-simd"), v, many)}
}

// streams hash many messages, one for each goroutine, of one server. A stream is reset
// for each message, as the library means it to be used.
func streams(way parameter.Manner) (loops bulkhash.Loops[[md5.Size]byte]) {
	if way != parameter.Counter {
		return loops
	}
	var open []simd.Hasher
	server := simd.NewServer()
	loops.Each = func() bulkhash.Loop[[md5.Size]byte] {
		s := server.NewHash()
		open = append(open, s)
		return func(digests [][md5.Size]byte, messages [][]byte) {
			for i, m := range messages {
				s.Reset()
				_, _ = s.Write(m) // never fails before Close
				s.Sum(digests[i][:0])
			}
		}
	}
	loops.Close = func() {
		for _, s := range open {
			s.Close()
		}
		server.Close()
	}
	return loops
}

// kernel follows md5-server_amd64.go and block_amd64.go.
func kernel(result.Case) string {
	switch {
	case !isa.AMD64 || !isa.Assembly || !isa.AVX2():
		return "crypto/md5"
	case isa.AVX512():
		return "avx512 16 lanes"
	}
	return "avx2 8 lanes"
}
