package multibuffer

import (
	"testing"
	"unsafe"
)

// The offsets that gen/layout.go tells the assembly.
func TestLayout(t *testing.T) {
	var l Lanes
	for _, o := range []struct {
		name      string
		got, want uintptr
	}{
		{"Start", unsafe.Offsetof(l.Start), 0},
		{"Len", unsafe.Offsetof(l.Len), 512},
		{"Born", unsafe.Offsetof(l.Born), 1024},
		{"Before", unsafe.Offsetof(l.Before), 1536},
		{"state", unsafe.Offsetof(l.state), 2048},
	} {
		if o.got != o.want {
			t.Errorf("Lanes.%s lies at %d, the assembly looks at %d", o.name, o.got, o.want)
		}
	}
}

func TestKernelNames(t *testing.T) {
	for k, want := range map[Kernel]string{None: "none", AVX2: "avx2", AVX512: "avx512"} {
		if k.String() != want {
			t.Errorf("kernel %d is called %s, want %s", k, k, want)
		}
	}
	if supported(None) {
		t.Error("no kernel at all is said to be supported")
	}
}

// The assembly lays out the state for as many lanes as Lanes says, and it must have room.
func TestStateHasRoom(t *testing.T) {
	var l Lanes
	for _, k := range []Kernel{None, AVX2, AVX512} {
		for h := MD5; h <= SHA1; h++ {
			if n := k.Lanes(h); n > MaxLanes || n*h.Words() > len(l.state) {
				t.Errorf("%v, hash %d: %d lanes of %d words don't fit", k, h, n, h.Words())
			}
		}
	}
}

func TestBlocks(t *testing.T) {
	for n, want := range map[uint64]uint64{0: 1, 55: 1, 56: 2, 64: 2, 119: 2, 120: 3} {
		if got := Blocks(n); got != want {
			t.Errorf("%d bytes are %d blocks, want %d", n, got, want)
		}
	}
}

// Both ways to find the lanes that end first agree.
func TestEarliest(t *testing.T) {
	for _, k := range append(Kernels(), None) {
		for i := range uint64(MaxLanes) {
			var end [MaxLanes]uint64
			for j := range end {
				end[j] = 1<<63 + uint64(j)
			}
			end[i], end[(i*7+3)%MaxLanes] = 5, 5
			first, lanes := k.Earliest(&end, MaxLanes)
			if want := uint64(1)<<i | 1<<((i*7+3)%MaxLanes); first != 5 || lanes != want {
				t.Errorf("%v: %d in lanes %x, want 5 in %x", k, first, lanes, want)
			}
		}
	}
}

// A call into assembly is short, in all lanes together, since it can't be preempted.
func TestCallsAreShort(t *testing.T) {
	for _, k := range []Kernel{AVX2, SHA, AVX512} {
		for h := MD5; h <= SHA1; h++ {
			if n := h.MaxBlocks() * BlockSize * uint64(k.Lanes(h)); n > 256<<10 {
				t.Errorf("%v, hash %d: %d bytes in one call", k, h, n)
			}
		}
	}
}
