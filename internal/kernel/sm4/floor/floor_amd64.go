//go:build amd64 && !purego && floor

package floor

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/kernel/bound"
	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/sm4"
)

//go:noescape
func wideShort(s *kernel.Schedule, dst, src, xor *byte, n int)

//go:noescape
func wideECB(s *kernel.Schedule, dst, src, w *byte, n int)

//go:noescape
func wideCBCDecrypt(s *kernel.Schedule, dst, src *byte, iv *[16]byte, w *byte, n int)

//go:noescape
func wideCTR(s *kernel.Schedule, dst, src *byte, ctr *[16]byte, rest *[64]byte, w *byte, n int)

//go:noescape
func wideLanes64(s *kernel.Schedule, slices *kernel.Slices, l *kernel.Lanes, steps int)

//go:noescape
func wideGHASH(acc *[16]byte, powers *kernel.Powers, data *byte, n int)

//go:noescape
func wideGCMSeal(s *kernel.Schedule, powers *kernel.Powers, acc *[16]byte, dst, src *byte, ctr *[16]byte, w *byte, pairs int)

//go:noescape
func wideExpand16(keys *[16]*byte, t *kernel.Table16, zero *[16][16]byte)

//go:noescape
func wideCounters16(l *kernel.Sixteen)

//go:noescape
func wideKeys16(l *kernel.Sixteen)

//go:noescape
func wideFirst16(l *kernel.Sixteen)

//go:noescape
func wideFew16(l *kernel.Sixteen, data *[16]*byte, from, full int)

//go:noescape
func wideTags16(l *kernel.Sixteen)

// pair is a turn of the bulk kernels, lanes and steps the shape of a call for many messages.
const (
	short = 64
	pair  = 2048
	bulk  = 16 << 10
	lanes = 64
	steps = 64
)

// A memory is what the functions work on, the buffers first so that they begin at a cache line.
type memory struct {
	src, dst   [bulk]byte
	work       [pair + 512]byte // kernel.work: parked state, and slices
	many, into [lanes][steps * 16]byte
	lanes      kernel.Lanes
	enc, dec   kernel.Schedule
	spread     kernel.Slices
	powers     kernel.Powers
	hash       kernel.Hash
	block      [16]byte
	sixteen    kernel.Sixteen
	table      kernel.Table16
	zero       [16][16]byte
	keys, text [16]*byte
}

// Loops are the kernels by name, none where the processor can't run them.
func Loops() (map[string]bound.Loop, error) {
	if !slices.Contains(kernel.Kernels(), kernel.AVX512) {
		return nil, nil
	}
	const k = kernel.AVX512
	m := new(memory)
	k.Expand(&m.block, &m.enc, new([16]byte))
	m.enc.Reverse(&m.dec)
	for i := range lanes {
		m.lanes.Src[i], m.lanes.Dst[i] = &m.many[i][0], &m.into[i][0]
	}
	src, dst, w := &m.src[0], &m.dst[0], &m.work[0]
	acc := (*[16]byte)(&m.hash)
	for i := range m.keys {
		m.keys[i], m.text[i] = &m.zero[i][0], &m.into[i][0]
		m.sixteen.AddGCM(new([12]byte), m.into[i][:short], m.many[i][:short], nil)
		m.sixteen.SetKey(i, &m.zero[i])
	}
	var sealSixteen bound.Counts
	for _, name := range []string{"wideExpand16", "wideCounters16", "wideKeys16", "wideFirst16", "wideFew16", "wideTags16"} {
		sealSixteen = sum(sealSixteen, counts[name])
	}
	return map[string]bound.Loop{
		"sixteen of 64 bytes": {Counts: sealSixteen, Turn: 16 * short, Bytes: 16 * short,
			Kernel: func() {
				m.sixteen.Expand()
				m.sixteen.Seal()
			},
			Floor: func() {
				wideExpand16(&m.keys, &m.table, &m.zero)
				wideCounters16(&m.sixteen)
				wideKeys16(&m.sixteen)
				wideFirst16(&m.sixteen)
				wideFew16(&m.sixteen, &m.text, 0, 1)
				wideTags16(&m.sixteen)
			}},
		"wideShort": {Counts: counts["wideShort"], Turn: short, Bytes: short,
			Kernel: func() { k.ECB(&m.enc, m.dst[:short], m.src[:short]) },
			Floor:  func() { wideShort(&m.enc, dst, src, src, short) }},
		"wideECB": {Counts: counts["wideECB"], Turn: pair, Bytes: bulk,
			Kernel: func() { k.ECB(&m.enc, m.dst[:], m.src[:]) },
			Floor:  func() { wideECB(&m.enc, dst, src, w, bulk) }},
		"wideCBCDecrypt": {Counts: counts["wideCBCDecrypt"], Turn: pair, Bytes: bulk,
			Kernel: func() { k.CBCDecrypt(&m.dec, m.dst[:], m.src[:], &m.block) },
			Floor:  func() { wideCBCDecrypt(&m.dec, dst, src, &m.block, w, bulk) }},
		"wideCTR": {Counts: counts["wideCTR"], Turn: pair, Bytes: bulk,
			Kernel: func() { k.CTR(&m.enc, m.dst[:], m.src[:], &m.block) },
			Floor:  func() { wideCTR(&m.enc, dst, src, &m.block, nil, w, bulk) }},
		"wideLanes64": {Counts: counts["wideLanes64"], Turn: lanes * 4 * 16, Bytes: lanes * steps * 16,
			Kernel: func() { k.CBCLanes(&m.enc, &m.lanes, lanes, steps) },
			Floor:  func() { wideLanes64(&m.enc, &m.spread, &m.lanes, steps) }},
		"wideGHASH": {Counts: counts["wideGHASH"], Turn: 1024, Bytes: bulk,
			Kernel: func() { k.GHASH(&m.hash, &m.powers, m.src[:]) },
			Floor:  func() { wideGHASH(acc, &m.powers, src, bulk) }},
		"wideGCMSeal": {Counts: counts["wideGCMSeal"], Turn: pair, Bytes: bulk,
			Kernel: func() { k.Seal(&m.enc, &m.powers, &m.hash, m.dst[:], m.src[:], &m.block) },
			Floor:  func() { wideGCMSeal(&m.enc, &m.powers, acc, dst, src, &m.block, w, bulk/pair) }},
	}, nil
}

func sum(a, b bound.Counts) bound.Counts {
	return bound.Counts{
		GFNI: a.GFNI + b.GFNI, Logic: a.Logic + b.Logic, Shuffle: a.Shuffle + b.Shuffle, Multiply: a.Multiply + b.Multiply,
		Copy: a.Copy + b.Copy, Load: a.Load + b.Load, Store: a.Store + b.Store,
	}
}
