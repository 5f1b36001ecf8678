//go:build amd64 && !purego

package aes

import (
	"math/rand/v2"
	"runtime"
	"testing"
)

// A kernel begins with a check of the stack, which may move it: what the arguments point to, on that stack
// too, is found again. Each depth of calls is tried on a new stack, so that for some the kernel's check is
// the one that makes it grow.
func TestKernelsOnAGrowingStack(t *testing.T) {
	if len(Kernels()) == 0 {
		t.Skip("the processor runs no kernel")
	}
	r := rand.New(rand.NewPCG(7, 7))
	var key [32]byte
	for i := range key {
		key[i] = byte(r.Uint32())
	}
	sum := func() (sum [16]byte) {
		var k Keys
		var g GCM
		var text [2048]byte
		var iv, other [16]byte
		own := key
		k.Expand(own[:])
		g.Init(&k)
		k.EncryptBlocks(text[:], text[:])
		k.CTR(text[:], text[:], Counter{1, 2})
		k.Ahead(text[:FirstAhead], Counter{1, 2})
		XOR(text[:100], text[:100], text[FirstAhead:])
		k.CBCDecrypt(text[:], text[:], &iv)
		k.CBCEncrypt(text[:], text[:], &other)
		k.XTSEncrypt(text[:], text[:], &other)
		var l Last
		g.Seal(&l, g.J0(own[:12]), text[:], text[:], own[:])
		g.makeTable()
		g.Seal(&l, g.J0(own[:12]), text[:], text[:], own[:])
		g.SealWhole(&text[0], g.J0(own[:12]), &text[0], 1000, &own[0], 20)
		if authentic, taken := g.OpenWhole(&text[0], g.J0(own[:12]), &text[0], 1000, &own[0], 20); !authentic || !taken {
			return sum
		}
		lanes := new(Lanes)
		heap := append(own[:], text[:]...) // lanes keep pointers
		lanes.RawKey(0, &heap[0])
		lanes.RawKey(1, &heap[16])
		lanes.Expand(2, 16)
		lanes.Begin(0, heap[32:], heap[32:], iv[:])
		lanes.Begin(1, heap[512:], heap[512:], iv[:])
		lanes.CBCEncryptKeyed(10, 2, 5)
		lanes.CBCEncrypt(&k, 2, 5)
		k.XTSEncrypt(text[:], heap[:len(text)], &l.Tag)
		k.Encrypt(&l.Tag, &l.Tag)
		return l.Tag
	}
	want := sum()
	if want == [16]byte{} {
		t.Fatal("what has been sealed does not open")
	}
	for depth := range 300 {
		got := make(chan [16]byte)
		go func() { got <- below(depth, sum) }()
		if sum := <-got; sum != want {
			t.Fatalf("below %d calls: wrong", depth)
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
