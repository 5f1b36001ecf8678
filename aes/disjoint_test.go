package aes

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
)

// Whatever overlaps is found, in any order of the buffers, and nothing else.
func TestOverlapsOfMany(t *testing.T) {
	r := rand.New(rand.NewPCG(69, 69))
	arena := make([]byte, 4000)
	piece := func(most int) []byte {
		at := r.IntN(len(arena) - most)
		return arena[at : at+r.IntN(most+1)]
	}
	refused := 0
	for range 3000 {
		messages := make([]CTRMessage, 1+r.IntN(9))
		for i := range messages {
			m := &messages[i]
			m.Dst = piece(60)
			if m.Src = m.Dst; r.IntN(2) == 0 {
				m.Src = piece(len(m.Dst))
			}
			if m.Key, m.IV = make([]byte, 16), make([]byte, 16); r.IntN(6) == 0 {
				at := r.IntN(len(arena) - 16)
				m.IV = arena[at : at+16]
			}
			if r.IntN(6) == 0 {
				at := r.IntN(len(arena) - 16)
				m.Key = arena[at : at+16]
			}
		}
		before := bytes.Clone(arena)
		got, want := caught(func() { XORKeyStreamMany(messages) }), overlapsOf(messages)
		if (got != nil) != want || want && (got != buffers.Overlap || !bytes.Equal(arena, before)) {
			t.Fatalf("%d messages that overlap, %v: %v", len(messages), want, got)
		}
		if want {
			refused++
		}
	}
	if refused < 500 || refused > 2500 {
		t.Errorf("%d of 3000 overlap, which tries too little", refused)
	}
}

// overlapsOf compares every buffer that is written with every one that is read or written.
func overlapsOf(messages []CTRMessage) bool {
	for i, a := range messages {
		out := a.Dst[:len(a.Src)]
		if buffers.AnyOverlap(out, a.Key) || buffers.AnyOverlap(out, a.Src) && unsafe.SliceData(a.Dst) != unsafe.SliceData(a.Src) {
			return true
		}
		for j, b := range messages {
			if i != j && (buffers.AnyOverlap(out, b.Src) || buffers.AnyOverlap(out, b.Key) || buffers.AnyOverlap(out, b.IV) || buffers.AnyOverlap(out, b.Dst[:len(b.Src)])) {
				return true
			}
		}
	}
	return false
}
