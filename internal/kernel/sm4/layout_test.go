package sm4

import (
	"testing"
	"unsafe"
)

// The offsets that gen/layout.go tells the assembly.
func TestLayout(t *testing.T) {
	var s Schedule
	var m Message
	var w work
	var l Lanes
	var t64 Table64
	var t16 Table16
	var l16 Sixteen
	for _, o := range []struct {
		name      string
		got, want uintptr
	}{
		{"Schedule.SliceIn", unsafe.Offsetof(s.SliceIn), 0},
		{"Schedule.Chain", unsafe.Offsetof(s.Chain), 16},
		{"Schedule.In", unsafe.Offsetof(s.In), 32},
		{"Schedule.Round", unsafe.Offsetof(s.Round), 36},
		{"Schedule.Out", unsafe.Offsetof(s.Out), 164},
		{"Message.Schedule", unsafe.Offsetof(m.Schedule), 0},
		{"Message.powers", unsafe.Offsetof(m.powers), 8},
		{"Message.dst", unsafe.Offsetof(m.dst), 16},
		{"Message.src", unsafe.Offsetof(m.src), 24},
		{"Message.n", unsafe.Offsetof(m.n), 32},
		{"Message.additional", unsafe.Offsetof(m.additional), 40},
		{"Message.additionalN", unsafe.Offsetof(m.additionalN), 48},
		{"Message.Counter", unsafe.Offsetof(m.Counter), 56},
		{"Message.firstCounter", unsafe.Offsetof(m.firstCounter), 60},
		{"Message.first", unsafe.Offsetof(m.first), 64},
		{"Message.Hash", unsafe.Offsetof(m.Hash), 80},
		{"Message.Lengths", unsafe.Offsetof(m.Lengths), 96},
		{"Message.Tag", unsafe.Offsetof(m.Tag), 112},
		{"Message.tagMask", unsafe.Offsetof(m.tagMask), 128},
		{"Message.verdict", unsafe.Offsetof(m.verdict), 144},
		{"work.slices", unsafe.Offsetof(w.slices), 2048},
		{"Lanes.Src", unsafe.Offsetof(l.Src), 0},
		{"Lanes.Dst", unsafe.Offsetof(l.Dst), 512},
		{"Lanes.IV", unsafe.Offsetof(l.IV), 1024},
		{"Lanes.tile", unsafe.Offsetof(l.tile), 2048},
		{"Lanes.out", unsafe.Offsetof(l.out), 8192},
		{"Table64.In", unsafe.Offsetof(t64.In), 8192},
		{"Table64.Out", unsafe.Offsetof(t64.Out), 8448},
		{"Table16.In", unsafe.Offsetof(t16.In), 0},
		{"Table16.Round", unsafe.Offsetof(t16.Round), 64},
		{"Table16.Out", unsafe.Offsetof(t16.Out), 2112},
		{"Table16", unsafe.Sizeof(t16), 2368},
		{"Sixteen.src", unsafe.Offsetof(l16.src), 0},
		{"Sixteen.dst", unsafe.Offsetof(l16.dst), 128},
		{"Sixteen.left", unsafe.Offsetof(l16.left), 640},
		{"Sixteen.iv", unsafe.Offsetof(l16.iv), 768},
		{"Sixteen.words", unsafe.Offsetof(l16.words), 1024},
		{"Sixteen.lengths", unsafe.Offsetof(l16.lengths), 1280},
		{"Sixteen.zero", unsafe.Offsetof(l16.zero), 1536},
		{"Sixteen.power", unsafe.Offsetof(l16.power), 1792},
		{"Sixteen.hash", unsafe.Offsetof(l16.hash), 2816},
		{"Sixteen.mask", unsafe.Offsetof(l16.mask), 3072},
		{"Sixteen.sum", unsafe.Offsetof(l16.sum), 3328},
		{"Sixteen.table", unsafe.Offsetof(l16.table), 3584},
		{"Sixteen.spare", unsafe.Offsetof(l16.spare), 5952},
		{"Sixteen.slices", unsafe.Offsetof(l16.slices), 6016},
		{"Sixteen.pair", unsafe.Offsetof(l16.pair), 15488},
	} {
		if o.got != o.want {
			t.Errorf("%s lies at %d, the assembly looks at %d", o.name, o.got, o.want)
		}
	}
}

func TestKernelNames(t *testing.T) {
	for k, want := range map[Kernel]string{None: "none", AVX2: "avx2+gfni", AVX512: "avx512+gfni"} {
		if k.String() != want {
			t.Errorf("kernel %d is called %s, want %s", k, k, want)
		}
	}
	if supported(None) {
		t.Error("no kernel at all is said to be supported")
	}
}
