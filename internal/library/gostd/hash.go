package gostd

import (
	"crypto/fips140"
	"crypto/hkdf"
	"crypto/md5"
	"crypto/rand"
	"crypto/sha256"
	"crypto/sha3"
	stdhash "hash"
	"runtime"
	"sync"
	"unsafe"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/bulkhash"
	"github.com/cryptogauge/cryptogauge/internal/library/gobinding"
	"github.com/cryptogauge/cryptogauge/internal/library/isa"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

func hashes() gobinding.Offer {
	return gobinding.Offer{
		Cases: gobinding.Cases{
			{Algorithm: algorithm.MD5, Operation: algorithm.Hash}:       gobinding.Hash(md5.New),
			{Algorithm: algorithm.SHA256, Operation: algorithm.Hash}:    gobinding.Hash(sha256.New),
			{Algorithm: algorithm.SHA3of256, Operation: algorithm.Hash}: gobinding.Hash(sha3New),
			{Algorithm: algorithm.HMACSHA256, Operation: algorithm.MAC}: gobinding.HMAC(sha256.New),
			{Algorithm: algorithm.HKDFSHA256, Operation: algorithm.Derive}: func(v *provider.Vector) (provider.Operation, error) {
				return loop.NewDerive(func(secret, salt, info []byte, n int) ([]byte, error) {
					return hkdf.Key(sha256.New, secret, salt, string(info), n)
				}, v), nil
			},
		},
		Allowed: allowedHash,
		Kernel:  hashKernel,
		Timing:  arx,
		Note: gobinding.Notes{
			algorithm.MAC: "the key is set before; each message resets the state",
			algorithm.Derive: "extract and expand from a secret of 32 bytes, as many bytes as the size says; " +
				"the result is a new buffer",
		}.Of,
	}
}

func draws() gobinding.Offer {
	draw := func(v *provider.Vector) (provider.Operation, error) { return loop.NewDraw(rand.Read, v), nil }
	return gobinding.Offer{
		Cases: gobinding.Cases{
			{Algorithm: algorithm.Random, Mode: algorithm.ForNonce, Operation: algorithm.Draw}: draw,
			{Algorithm: algorithm.Random, Mode: algorithm.ForIV, Operation: algorithm.Draw}:    draw,
		},
		Kernel: gobinding.Always("crypto/rand"),
		Timing: gobinding.Always(reason.Timing("unknown", "no-secret-involved")),
		Note:   gobinding.Always("crypto/rand.Read: the system's generator, without a system call where the kernel's vDSO has one"),
	}
}

func sha3New() stdhash.Hash { return sha3.New256() }

func arx(result.Case) result.ConstantTime { return reason.Timing("yes", "arx-hash") }

func allowedHash(c result.Case) error {
	if fips140.Enforced() && c.Algorithm == algorithm.MD5 {
		return provider.Unsupported("fips-algorithm", c.Algorithm)
	}
	return nil
}

// hashKernel follows sha3_*.go and md5block_decl.go.
func hashKernel(c result.Case) string {
	switch {
	case c.Algorithm != algorithm.MD5 && c.Algorithm != algorithm.SHA3of256:
		return sha256Kernel()
	case isa.Assembly && (isa.AMD64 || c.Algorithm == algorithm.MD5):
		return "assembly"
	case isa.Assembly && runtime.GOOS == "darwin":
		return "unknown" // the SHA-3 instructions, where the CPU has them
	}
	return "generic"
}

// sha256Kernel follows sha256block_*.go.
func sha256Kernel() string {
	vectors := isa.AMD64 && isa.AVX() && isa.SSE41() && isa.SSSE3()
	switch {
	case !isa.Assembly:
	case isa.ARM64 && isa.SHA256() == isa.Yes:
		return "armv8-sha2"
	case vectors && isa.SHA256() == isa.Yes:
		return "sha-ni"
	case vectors && isa.SHA256() == isa.Unknown:
		return "unknown"
	case isa.AVX() && isa.AVX2() && isa.BMI2():
		return "avx2"
	}
	return "generic"
}

func file(shared *bulkhash.Shared) gobinding.Offer {
	open := func(c result.Case, vs provider.Vectors) (provider.Operation, error) {
		if err := allowedHash(c); err != nil {
			return nil, err
		}
		return bulkhash.OpenFile(c, vs, shared)
	}
	return gobinding.For(algorithm.MD5, algorithm.HashFile, nil, open).By(hashKernel, arx)
}

func many[D bulkhash.Digest](loops bulkhash.Loops[D], name algorithm.Name, shared *bulkhash.Shared) gobinding.Offer {
	of := func(parameter.Manner) bulkhash.Loops[D] { return loops }
	return gobinding.Many(name, allowedHash, shared, of).By(hashKernel, arx)
}

var sha256Loops = bulkhash.Sums(func(digests [][sha256.Size]byte, messages [][]byte) {
	for i, m := range messages {
		digests[i] = sha256.Sum256(m)
	}
})

func md5Loops() bulkhash.Loops[[md5.Size]byte] {
	return bulkhash.Loops[[md5.Size]byte]{
		Alone: map[parameter.Manner]bulkhash.Loop[[md5.Size]byte]{
			parameter.New: md5New, parameter.Sum: md5Sum, parameter.Pool: md5Pool, parameter.PoolBuffer: md5PoolBuffer,
		},
		Strings: map[parameter.Manner]func([][md5.Size]byte, []string){
			parameter.StringCopy: func(digests [][md5.Size]byte, strings []string) {
				for i, s := range strings {
					digests[i] = md5.Sum([]byte(s))
				}
			},
			parameter.StringView: func(digests [][md5.Size]byte, strings []string) {
				for i, s := range strings {
					digests[i] = md5.Sum(unsafe.Slice(unsafe.StringData(s), len(s)))
				}
			},
		},
		Each: func() bulkhash.Loop[[md5.Size]byte] { return md5Sum },
	}
}

func md5New(digests [][md5.Size]byte, messages [][]byte) {
	for i, m := range messages {
		h := md5.New()
		h.Write(m)
		digests[i] = [md5.Size]byte(h.Sum(nil))
	}
}

func md5Sum(digests [][md5.Size]byte, messages [][]byte) {
	for i, m := range messages {
		digests[i] = md5.Sum(m)
	}
}

var md5States = sync.Pool{New: func() any { return md5.New() }}

func md5Pool(digests [][md5.Size]byte, messages [][]byte) {
	for i, m := range messages {
		h := md5States.Get().(stdhash.Hash)
		h.Reset()
		h.Write(m)
		digests[i] = [md5.Size]byte(h.Sum(nil))
		md5States.Put(h)
	}
}

func md5PoolBuffer(digests [][md5.Size]byte, messages [][]byte) {
	buffer := make([]byte, 0, md5.Size)
	for i, m := range messages {
		h := md5States.Get().(stdhash.Hash)
		h.Reset()
		h.Write(m)
		buffer = h.Sum(buffer[:0])
		digests[i] = [md5.Size]byte(buffer)
		md5States.Put(h)
	}
}
