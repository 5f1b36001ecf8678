package aes

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
)

// A claim is what a message of a call on many writes and reads.
type claim struct{ out, text, key, start, more []byte }

// callsOnMany are all of them, on the messages of claims whose output is as long as the text and so many bytes.
var callsOnMany = []struct {
	name   string
	longer int
	own    bool // what the message itself begins with may be overwritten
	call   func(claims []claim)
}{
	{"SealMany", 16, false, func(claims []claim) { SealMany(gcmOf(claims)) }},
	{"OpenMany", -16, false, func(claims []claim) { OpenMany(gcmOf(claims)) }},
	{"XORKeyStreamMany", 0, true, func(claims []claim) {
		var messages []CTRMessage
		for _, c := range claims {
			messages = append(messages, CTRMessage{Key: c.key, IV: c.start, Dst: c.out, Src: c.text})
		}
		XORKeyStreamMany(messages)
	}},
	{"EncryptCBCKeys", 0, true, func(claims []claim) {
		var streams []CBCKeyStream
		for _, c := range claims {
			streams = append(streams, CBCKeyStream{c.key, c.start, c.out, c.text})
		}
		EncryptCBCKeys(streams)
	}},
	{"EncryptCBC", 0, true, func(claims []claim) {
		one, _ := New(make([]byte, 16))
		var streams []CBCStream
		for _, c := range claims {
			streams = append(streams, CBCStream{one, c.start, c.out, c.text})
		}
		EncryptCBC(streams)
	}},
}

func gcmOf(claims []claim) (messages []GCMMessage) {
	for _, c := range claims {
		messages = append(messages, GCMMessage{Key: c.key, Nonce: c.start[:12], AdditionalData: c.more, Dst: c.out, Src: c.text})
	}
	return messages
}

// Whatever overlaps is found, in any order of the buffers, and nothing else.
func TestOverlapsOfMany(t *testing.T) {
	for _, call := range callsOnMany {
		t.Run(call.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(69, 69))
			refused := 0
			for round := range 4000 {
				arena := make([]byte, 6000)
				claims := make([]claim, 1+r.IntN(9))
				// A third of those that are alike are few and close together.
				alike, within := round%4 > 1, 600*(1+round%2*8)
				if alike && round%3 == 0 {
					claims, within = claims[:1+r.IntN(min(3, len(claims)))], 300
				}
				for i := range claims {
					n, more := 48, 0
					if !alike {
						n, more = 16*(2+r.IntN(3)), r.IntN(5)
					}
					claims[i] = claimOf(r, arena, i*600*(round%2), within, n, call.longer, more)
					if call.name == "EncryptCBC" {
						claims[i].key = nil
					}
				}
				before := bytes.Clone(arena)
				got, want := caught(func() { call.call(claims) }), overlapsOf(claims, call.longer, call.own)
				if (got != nil) != want || want && (got != buffers.Overlap || !bytes.Equal(arena, before)) {
					t.Fatalf("%d messages that overlap, %v: %v", len(claims), want, got)
				}
				if want {
					refused++
				}
			}
			if refused < 600 || refused > 3400 {
				t.Errorf("%d of 4000 overlap, which tries too little", refused)
			}
		})
	}
}

// claimOf is a message whose output lies in order, from a place on, or anywhere in so many bytes, and what it reads
// seldom among them. Its text has n bytes, its output so many more, and its additional data more.
func claimOf(r *rand.Rand, arena []byte, from, within, n, longer, more int) (c claim) {
	piece := func(n int) []byte {
		at := r.IntN(within - n)
		return arena[at : at+n]
	}
	seldom := func(n int) []byte {
		if r.IntN(12) == 0 {
			return piece(n)
		}
		return make([]byte, n)
	}
	if c.text = piece(n); from > 0 {
		at := from + r.IntN(550)
		c.text = arena[at : at+n]
	}
	switch c.out = c.text[: n+longer : cap(c.text)]; {
	case r.IntN(3) == 0:
		c.text = seldom(n)
	case r.IntN(20) == 0:
		c.out = piece(n + longer)
	}
	c.key, c.start, c.more = seldom(16), seldom(16), seldom(more)
	return c
}

// overlapsOf compares every buffer that is written with every one that is read or written.
func overlapsOf(claims []claim, longer int, own bool) bool {
	for i, a := range claims {
		out := a.out[:len(a.text)+longer]
		if buffers.AnyOverlap(out, a.text) && unsafe.SliceData(out) != unsafe.SliceData(a.text) {
			return true
		}
		for j, b := range claims {
			start := b.start
			if longer != 0 {
				start = start[:12]
			} else {
				b.more = nil
			}
			if buffers.AnyOverlap(out, b.key) || buffers.AnyOverlap(out, b.more) || buffers.AnyOverlap(out, start) && !(own && i == j) {
				return true
			}
			if i != j && (buffers.AnyOverlap(out, b.text) || buffers.AnyOverlap(out, b.out[:len(b.text)+longer])) {
				return true
			}
		}
	}
	return false
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
