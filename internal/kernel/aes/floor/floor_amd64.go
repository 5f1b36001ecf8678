//go:build amd64 && !purego && floor

package floor

import (
	"fmt"
	"slices"
	"unsafe"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/aes"
	"github.com/cryptogauge/cryptogauge/internal/kernel/bound"
)

//go:noescape
func wideECBEncrypt(s *kernel.Schedule, dst, src *byte, n int)

//go:noescape
func wideCBCDecrypt(s *kernel.Schedule, dst, src *byte, iv *[16]byte, n int)

//go:noescape
func wideCTR(s *kernel.Schedule, dst, src *byte, ctr *[16]byte, rest *[64]byte, n int)

//go:noescape
func wideXTSEncrypt(s *kernel.Schedule, dst, src *byte, tweak *[16]byte, n int)

//go:noescape
func wideGHASH(hash *[16]byte, table *kernel.Table, data *byte, n int)

//go:noescape
func wideSealBulk(s *kernel.Schedule, table *kernel.Table, hash *[16]byte, dst, src *byte, ctr *[16]byte, n int)

//go:noescape
func wideCBCLanes(l *kernel.Lanes, s *kernel.Schedule, groups, blocks int)

//go:noescape
func wideSealWhole(s *kernel.Schedule, power, middle *byte, j0 *[16]byte, additional *byte, length int, dst, src *byte, n int)

//go:noescape
func wideSealShort128(l *kernel.Lanes, m *kernel.Message, groups, n int)

//go:noescape
func wideSealShort256(l *kernel.Lanes, m *kernel.Message, groups, n int)

// A call of the kernels for text, the turn that their counts are for, and the shape of a call for many messages.
const (
	bulk  = 16 << 10
	turn  = 8 << 10
	lanes = kernel.MaxLanes
	steps = 64
	few   = 16 // short messages
	short = 64 // bytes of each
)

// A memory is what the functions work on, the buffers first so that they begin at a cache line.
type memory struct {
	src, dst   [bulk]byte
	many, into [lanes][steps * 16]byte
	lanes      kernel.Lanes
	shorts     kernel.Lanes
	messages   [few]kernel.Message
	keys       kernel.Keys
	table      kernel.Table
	gcm        kernel.GCM
	block      [16]byte
	rest       [64]byte
}

// Loops are the kernels by name under a key of so many bits, none where the processor can't run them.
func Loops(bits int) (map[string]bound.Loop, error) {
	if !slices.Contains(kernel.Kernels(), kernel.AVX512) {
		return nil, nil
	}
	m := new(memory)
	m.keys.Expand(make([]byte, bits/8))
	m.gcm.Init(&m.keys)
	m.gcm.Authenticate(new(kernel.Last), kernel.Counter{}, m.src[:], nil) // which makes its table
	for i := range lanes {
		m.lanes.Begin(i, m.into[i][:], m.many[i][:], m.block[:])
	}
	for i := range m.messages {
		m.messages[i] = kernel.Message{Key: make([]byte, bits/8), Nonce: m.block[:12], Dst: m.into[i][:short+16], Src: m.many[i][:short]}
	}
	// The schedules are all that keys are.
	enc := (*kernel.Schedule)(unsafe.Pointer(&m.keys))
	dec := (*kernel.Schedule)(unsafe.Add(unsafe.Pointer(&m.keys), unsafe.Sizeof(*enc)))
	dst, src := &m.dst[0], &m.src[0]
	loops := map[string]bound.Loop{
		"wideECBEncrypt": {
			Kernel: func() { m.keys.EncryptBlocks(m.dst[:], m.src[:]) },
			Floor:  func() { wideECBEncrypt(enc, dst, src, bulk) }},
		"wideCBCDecrypt": {
			Kernel: func() { m.keys.CBCDecrypt(m.dst[:], m.src[:], &m.block) },
			Floor:  func() { wideCBCDecrypt(dec, dst, src, &m.block, bulk) }},
		"wideCTR": {
			Kernel: func() { m.keys.CTR(m.dst[:], m.src[:], kernel.Counter{}) },
			Floor:  func() { wideCTR(enc, dst, src, &m.block, &m.rest, bulk) }},
		"wideXTSEncrypt": {
			Kernel: func() { m.keys.XTSEncrypt(m.dst[:], m.src[:], &m.block) },
			Floor:  func() { wideXTSEncrypt(enc, dst, src, &m.block, bulk) }},
		"wideGHASH": {
			Kernel: func() { m.gcm.Authenticate(new(kernel.Last), kernel.Counter{}, m.src[:], nil) },
			Floor:  func() { wideGHASH(&m.block, &m.table, src, bulk) }},
		"wideSealBulk": {
			Kernel: func() { m.gcm.Seal(new(kernel.Last), kernel.Counter{}, m.dst[:], m.src[:], nil) },
			Floor:  func() { wideSealBulk(enc, &m.table, &m.block, dst, src, &m.block, bulk) }},
	}
	for name, l := range loops {
		l.Counts, l.Turn, l.Bytes = counts[name+fmt.Sprint(bits)], turn, bulk
		loops[name] = l
	}
	loops["wideCBCLanes"] = bound.Loop{Counts: counts["wideCBCLanes"+fmt.Sprint(bits)], Turn: lanes * 4 * 16, Bytes: lanes * steps * 16,
		Kernel: func() { m.lanes.CBCEncrypt(&m.keys, lanes, steps) },
		Floor:  func() { wideCBCLanes(&m.lanes, enc, lanes/kernel.PerGroup, steps) }}
	for _, n := range []int{short, 1350} {
		name := fmt.Sprint("wideSealWhole", n)
		powers := (*byte)(unsafe.Pointer(&m.table))
		loops[name] = bound.Loop{Counts: counts[name+fmt.Sprint(bits)], Turn: n, Bytes: n,
			Kernel: func() { m.gcm.SealWhole(dst, kernel.Counter{}, src, n, src, 0) },
			Floor:  func() { wideSealWhole(enc, powers, powers, &m.block, src, 0, dst, src, n) }}
	}
	sealShort := map[int]func(l *kernel.Lanes, m *kernel.Message, groups, n int){128: wideSealShort128, 256: wideSealShort256}[bits]
	loops["wideSealShort"] = bound.Loop{Counts: counts["wideSealShort"+fmt.Sprint(bits)], Turn: few * short, Bytes: few * short,
		Kernel: func() { m.shorts.SealShort(m.messages[:]) },
		Floor:  func() { sealShort(&m.shorts, &m.messages[0], few/kernel.PerGroup, short) }}
	return loops, nil
}
