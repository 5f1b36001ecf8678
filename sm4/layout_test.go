package sm4

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
)

// A placed message has its buffers at places of an arena, as each function for many messages is given them.
type placed struct{ key, nonce, additional, dst, src []byte }

// arrangement are messages whose buffers lie apart, in order or not, the text before its output, behind it or in it,
// and then one buffer of which lies anywhere.
func arrangement(r *rand.Rand) []placed {
	const room = 128
	n := 2 + r.IntN(5)
	arena := make([]byte, n*room+room)
	others := arena
	if r.IntN(2) == 0 {
		others = make([]byte, len(arena)) // keys and nonces in memory of their own
	}
	messages, how, additional := make([]placed, n), r.IntN(4), 4*r.IntN(2)
	for i := range messages {
		own, other := arena[room*i:][:room], others[room*i:][:room]
		m := placed{other[:16], other[16:28], other[28:][:additional], own[32:64], own[80:112]}
		switch how {
		case 0:
			m.dst, m.src = m.src, m.dst
		case 1:
			m.src = m.dst
		case 2:
			m.dst, m.src = arena[48*i:][:48], arena[48*(n+i):][:32] // all outputs, then all texts
			m.key, m.nonce, m.additional = make([]byte, 16), make([]byte, 12), nil
		}
		messages[i] = m
	}
	if r.IntN(2) == 0 {
		r.Shuffle(n, func(i, j int) { messages[i], messages[j] = messages[j], messages[i] })
	}
	place := func(b *[]byte) { *b = arena[r.IntN(len(arena)-48):][:len(*b)] }
	m := &messages[r.IntN(n)]
	if how == 1 && r.IntN(2) == 0 {
		place(&m.src)
		m.dst = m.src
		return messages
	}
	place([]*[]byte{&m.key, &m.nonce, &m.additional, &m.dst, &m.src}[r.IntN(5)])
	return messages
}

// refused says whether an output, of so many bytes more than the text, overlaps what it must not.
func refused(messages []placed, more int) bool {
	for i, a := range messages {
		out := a.dst[:max(0, len(a.src)+more)]
		for j, b := range messages {
			switch {
			case buffers.AnyOverlap(out, b.key), buffers.AnyOverlap(out, b.nonce), buffers.AnyOverlap(out, b.additional):
				return true
			case i == j && buffers.InexactOverlap(out, b.src):
				return true
			case i != j && (buffers.AnyOverlap(out, b.src) || buffers.AnyOverlap(out, b.dst[:max(0, len(b.src)+more)])):
				return true
			}
		}
	}
	return false
}

// Package buffers reads messages where the compiler puts their fields.
func TestLayoutOfMessages(t *testing.T) {
	var m GCMMessage
	var b buffers.GCMMessage
	for name, o := range map[string][2]uintptr{
		"Key": {unsafe.Offsetof(m.Key), unsafe.Offsetof(b.Key)}, "Nonce": {unsafe.Offsetof(m.Nonce), unsafe.Offsetof(b.Nonce)},
		"AdditionalData": {unsafe.Offsetof(m.AdditionalData), unsafe.Offsetof(b.AdditionalData)},
		"Dst":            {unsafe.Offsetof(m.Dst), unsafe.Offsetof(b.Dst)}, "Src": {unsafe.Offsetof(m.Src), unsafe.Offsetof(b.Src)},
		"all": {unsafe.Sizeof(m), unsafe.Sizeof(b)},
	} {
		if o[0] != o[1] {
			t.Errorf("%s lies at %d, the first look reads %d", name, o[0], o[1])
		}
	}
}

// What is refused is what a comparison of each buffer with each refuses.
func TestManyOverlaps(t *testing.T) {
	r := rand.New(rand.NewPCG(91, 91))
	panics := func(f func()) (panicked bool) {
		defer func() { panicked = recover() != nil }()
		f()
		return
	}
	counts := [2]int{}
	for range 40000 {
		messages := arrangement(r)
		sealed, opened := make([]GCMMessage, len(messages)), make([]GCMMessage, len(messages))
		for i, m := range messages {
			opened[i] = GCMMessage{Key: m.key, Nonce: m.nonce, AdditionalData: m.additional, Dst: m.dst, Src: m.src}
			sealed[i] = opened[i]
			sealed[i].Src = m.src[:16]
		}
		want := refused(messages, -BlockSize)
		counts[map[bool]int{true: 1}[want]]++
		if got := panics(func() { checkOpenMany(opened) }); got != want {
			t.Fatalf("opening: refused %t, want %t", got, want)
		}
		for i := range messages {
			messages[i].src = messages[i].src[:16]
		}
		want = refused(messages, BlockSize)
		if got := panics(func() { checkSealMany(sealed) }); got != want {
			t.Fatalf("sealing: refused %t, want %t", got, want)
		}
	}
	if min(counts[0], counts[1]) < 5000 {
		t.Errorf("%d sets kept apart and %d refused", counts[0], counts[1])
	}
}

// Package buffers reads streams where the compiler puts their fields.
func TestLayoutOfStreams(t *testing.T) {
	var b buffers.Stream
	var s CBCStream
	var k CBCKeyStream
	for name, o := range map[string][2]uintptr{
		"CBCStream":    {unsafe.Offsetof(s.Dst) - unsafe.Offsetof(s.IV), unsafe.Offsetof(s.Src) - unsafe.Offsetof(s.IV)},
		"CBCKeyStream": {unsafe.Offsetof(k.Dst) - unsafe.Offsetof(k.IV), unsafe.Offsetof(k.Src) - unsafe.Offsetof(k.IV)},
	} {
		if want := [2]uintptr{unsafe.Offsetof(b.Dst), unsafe.Offsetof(b.Src)}; o != want {
			t.Errorf("%s has Dst and Src at %v behind IV, the first look reads %v", name, o, want)
		}
	}
}
