package aes

import (
	"testing"
	"unsafe"
)

// The offsets that gen/layout.go tells the assembly.
func TestLayout(t *testing.T) {
	var l Last
	var table Table
	var f few
	var lanes Lanes
	var message Message
	for _, o := range []struct {
		name      string
		got, want uintptr
	}{
		{"Last.mask", unsafe.Offsetof(l.mask), 0},
		{"Last.counter", unsafe.Offsetof(l.counter), 16},
		{"Last.hash", unsafe.Offsetof(l.hash), 32},
		{"Last.bits", unsafe.Offsetof(l.bits), 48},
		{"Last.Tag", unsafe.Offsetof(l.Tag), 64},
		{"Last.additional", unsafe.Offsetof(l.additional), 80},
		{"Last.length", unsafe.Offsetof(l.length), 88},
		{"Table.middle", unsafe.Offsetof(table.middle), 16 * 96},
		{"Table.end", unsafe.Offsetof(table.end), 32 * 96},
		{"few.middle", unsafe.Offsetof(f.middle), 16 * 8},
		{"Lanes.src", unsafe.Offsetof(lanes.src), 0},
		{"Lanes.dst", unsafe.Offsetof(lanes.dst), 256},
		{"Lanes.state", unsafe.Offsetof(lanes.state), 512},
		{"Lanes.tile", unsafe.Offsetof(lanes.tile), 1024},
		{"Lanes.round", unsafe.Offsetof(lanes.round), 3072},
		{"Lanes.raw", unsafe.Offsetof(lanes.raw), 10752},
		{"Lanes.more", unsafe.Offsetof(lanes.more), 11008},
		{"Lanes.left", unsafe.Offsetof(lanes.left), 11264},
		{"Lanes.count", unsafe.Offsetof(lanes.count), 11520},
		{"Lanes.counter", unsafe.Offsetof(lanes.counter), 12032},
		{"Lanes.key", unsafe.Offsetof(lanes.key), 12544},
		{"Lanes.mask", unsafe.Offsetof(lanes.mask), 13056},
		{"Lanes.bits", unsafe.Offsetof(lanes.bits), 13568},
		{"Lanes.sink", unsafe.Offsetof(lanes.sink), 14080},
		{"Message.Key", unsafe.Offsetof(message.Key), 8},
		{"Message.Nonce", unsafe.Offsetof(message.Nonce), 32},
		{"Message.Dst", unsafe.Offsetof(message.Dst), 80},
		{"Message.Src", unsafe.Offsetof(message.Src), 104},
		{"Message", unsafe.Sizeof(message), 144},
	} {
		if o.got != o.want {
			t.Errorf("%s lies at %d, the assembly looks at %d", o.name, o.got, o.want)
		}
	}
}

func TestKernelNames(t *testing.T) {
	for k, want := range map[Kernel]string{None: "none", AVX512: "avx512+vaes"} {
		if k.String() != want {
			t.Errorf("kernel %d is called %s, want %s", k, k, want)
		}
	}
}
