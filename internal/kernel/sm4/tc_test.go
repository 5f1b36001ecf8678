package sm4

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

func cpuNow() int64 {
	var ts unix.Timespec
	unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts)
	return ts.Nano()
}

func TestTC(t *testing.T) {
	runtime.LockOSThread()
	var key [16]byte
	var enc, dec Schedule
	Expand(&key, &enc, &dec)
	var l Lanes
	buf := make([]byte, 64*1024)
	for i := range l.Src {
		l.Src[i] = &buf[1024*i]
		l.Dst[i] = &buf[1024*i]
	}
	var v [16]byte
	var p Powers
	var acc Hash
	k := AVX512
	s, d := make([]byte, 65536), make([]byte, 65536)
	type it struct {
		name string
		n    int
		f    func()
	}
	its := []it{
		{"ecb o0", 16384, func() { k.ECB(&enc, d[:16384], s[:16384]) }},
		{"ecb o512", 16384, func() { k.ECB(&enc, d[:16384], s[512:][:16384]) }},
		{"ecb o1024", 16384, func() { k.ECB(&enc, d[:16384], s[1024:][:16384]) }},
		{"ecb o1536", 16384, func() { k.ECB(&enc, d[:16384], s[1536:][:16384]) }},
		{"ecb o2048", 16384, func() { k.ECB(&enc, d[:16384], s[2048:][:16384]) }},
		{"ecb o3072", 16384, func() { k.ECB(&enc, d[:16384], s[3072:][:16384]) }},
		{"ecb inplace", 16384, func() { k.ECB(&enc, s[:16384], s[:16384]) }},

		{"key", 16, func() { Expand(&key, &enc, &dec) }},
		{"expandasm", 16, func() { narrowExpandKey(&key, (*[32]uint32)(enc.Round[:]), &dec.Round) }},
		{"ecb16", 16, func() { k.ECB(&enc, d[:16], s[:16]) }},
		{"ecb64", 64, func() { k.ECB(&enc, d[:64], s[:64]) }},
		{"ecb128", 128, func() { k.ECB(&enc, d[:128], s[:128]) }},
		{"ecb256", 256, func() { k.ECB(&enc, d[:256], s[:256]) }},
		{"ecb512", 512, func() { k.ECB(&enc, d[:512], s[:512]) }},
		{"ecb1024", 1024, func() { k.ECB(&enc, d[:1024], s[:1024]) }},
		{"ecb16k", 16384, func() { k.ECB(&enc, d[:16384], s[:16384]) }},
		{"ctr16k", 16384, func() { k.CTR(&enc, d[:16384], s[:16384], &v) }},
		{"cbcdec16k", 16384, func() { k.CBCDecrypt(&enc, d[:16384], s[:16384], &v) }},
		{"xts16k", 16384, func() { k.XTS(&enc, d[:16384], s[:16384], &v) }},
		{"seal16k", 16384, func() { k.Seal(&enc, &p, &acc, d[:16384], s[:16384], &v) }},
		{"ghash16k", 16384, func() { k.GHASH(&acc, &p, s[:16384]) }},
		{"powers", 1024, func() { k.Powers(&p, &v) }},
		{"cbcenc1k", 1024, func() { k.CBCEncrypt(&enc, d[:1024], s[:1024], &v) }},
		{"lanes64", 65536, func() { wideLanes64(&enc, &l, 64) }},
		{"lanes16", 16384, func() { wideLanes16(&enc, &l, 64) }},
		{"avx2 ecb16k", 16384, func() { AVX2.ECB(&enc, d[:16384], s[:16384]) }},
		{"avx2 ecb64", 64, func() { AVX2.ECB(&enc, d[:64], s[:64]) }},
	}
	r := make([][]float64, len(its))
	for range 200 {
		for i, x := range its {
			reps := 1 + 400000/(x.n+200)
			a := cpuNow()
			for range reps {
				x.f()
			}
			r[i] = append(r[i], float64(cpuNow()-a)/float64(reps))
		}
	}
	for i, x := range its {
		slices.Sort(r[i])
		m, lo := r[i][30], r[i][0]
		fmt.Printf("%-12s %9.1f ns  p5 %9.1f  %8.0f MB/s  p5 %8.0f  cyc/KiB %.0f\n", x.name, m, lo, float64(x.n)*1e3/m, float64(x.n)*1e3/lo, lo*3*1024/float64(x.n))
	}
}
