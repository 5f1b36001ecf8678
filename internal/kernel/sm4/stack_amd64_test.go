//go:build amd64 && !purego

package sm4

import (
	"crypto/subtle"
	"math/rand/v2"
	"runtime"
	"testing"

	"golang.org/x/sys/cpu"
)

// A kernel begins with a check of the stack, which may move it: what the arguments point to, on that stack
// too, is found again. Each depth of calls is tried on a new stack, so that for some the kernel's check is
// the one that makes it grow.
func TestKernelsOnAGrowingStack(t *testing.T) {
	if !cpu.X86.HasAVX2 || !cpu.X86.HasPCLMULQDQ {
		t.Skip("the processor runs none of these kernels")
	}
	r := rand.New(rand.NewPCG(7, 7))
	var key, h [16]byte
	var data [32]byte
	for i := range key {
		key[i], h[i], data[i], data[16+i] = byte(r.Uint32()), byte(r.Uint32()), byte(r.Uint32()), byte(r.Uint32())
	}
	// These two need no GFNI, so that they run on more machines.
	portable := func() (sum [16]byte) {
		var powers Powers
		acc, powerOf, text := [16]byte{1, 2, 3}, h, data
		narrowPowers(&powers, &powerOf)
		narrowGHASH(&acc, &powers, &text[0], 2)
		return acc
	}
	cases := []func() [16]byte{portable}
	for _, k := range Kernels() {
		cases = append(cases, func() (sum [16]byte) {
			var enc, dec Schedule
			var text [4096]byte
			own, ctr := key, h
			k.Expand(&own, &enc, new([16]byte))
			enc.Reverse(&dec)
			k.ECB(&enc, text[:], text[:])
			k.CTR(&enc, text[:], text[:], &ctr)
			k.CBCDecrypt(&dec, text[:], text[:], &ctr)
			k.XTS(&enc, text[:], text[:], &ctr)
			k.CBCEncrypt(&enc, text[:], text[:], &ctr)
			if k.Fused() {
				var l Sixteen
				for i := range 3 {
					l.SetKey(l.AddGCM(new([12]byte), text[100*i:][:100], text[300:400], nil), &own)
				}
				l.Expand()
				l.Seal()
				subtle.XORBytes(ctr[:], ctr[:], l.SealedTag(2)[:])
			}
			return ctr
		})
	}
	for i, f := range cases {
		want := f()
		for depth := range 300 {
			got := make(chan [16]byte)
			go func() { got <- below(depth, f) }()
			if sum := <-got; sum != want {
				t.Fatalf("case %d below %d calls: wrong", i, depth)
			}
		}
	}
}

// below calls f from a stack that is deeper by n frames.
//
//go:noinline
func below(n int, f func() [16]byte) [16]byte {
	var frame [40]byte
	defer runtime.KeepAlive(&frame)
	if n == 0 {
		return f()
	}
	return below(n-1, f)
}
