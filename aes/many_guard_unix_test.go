//go:build unix

package aes

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// Messages of a call on many that end, and that begin, where memory ends, each with its key, IV and additional data.
func TestGuardPagesOfMany(t *testing.T) {
	const n, most = 6, 1 << 12
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(66, 66))
		k := kernelOf(t, implementation)
		var from, to, keys, ivs, datas [n]guarded
		for i := range n {
			from[i], to[i], datas[i] = newGuarded(t, most), newGuarded(t, most), newGuarded(t, 100)
			keys[i], ivs[i] = newGuarded(t, 32), newGuarded(t, 16)
		}
		for _, size := range append(boundaries(1100), 1, 2, 3, 5, 7, 13, 31, 50, 61, 70, 125, 200, 300, 700, 1350) {
			for _, place := range []func(guarded, int) []byte{guarded.last, guarded.first} {
				set := newGCMSet(t, r, implementation, n, func(_ *rand.Rand, i int) int { return size + 16*(i%2) })
				sealed := make([][]byte, n)
				ctr, cbc := make([]CTRMessage, n), make([]CBCKeyStream, n)
				for i := range set.messages {
					m := &set.messages[i]
					at := func(g guarded, b []byte) []byte {
						copy(place(g, len(b)), b)
						return place(g, len(b))
					}
					m.Src, m.Dst = at(from[i], set.plain[i]), place(to[i], len(set.wants[i]))
					m.Nonce, m.AdditionalData = at(ivs[i], m.Nonce), at(datas[i], m.AdditionalData)
					if m.Key != nil {
						m.Key = at(keys[i], m.Key)
					}
					sealed[i] = set.wants[i]
				}
				sealMany(set.messages, k)
				for i := range set.messages {
					m := &set.messages[i]
					if !bytes.Equal(m.Dst, sealed[i]) {
						t.Fatalf("%d bytes: sealed otherwise", len(set.plain[i]))
					}
					m.Src, m.Dst = m.Dst, place(from[i], len(set.plain[i]))
					clear(m.Dst)
				}
				if err := openMany(set.messages, k); err != nil {
					t.Fatalf("%d bytes: not opened (%v)", size, err)
				}
				for i, m := range set.messages {
					if !bytes.Equal(m.Dst, set.plain[i]) {
						t.Fatalf("%d bytes: opened otherwise", len(set.plain[i]))
					}
					key, whole := place(keys[i], 16), len(m.Dst)&^15
					iv := place(ivs[i], 16)
					ctr[i] = CTRMessage{Key: key, IV: iv, Dst: place(to[i], len(m.Dst)), Src: m.Dst}
					cbc[i] = CBCKeyStream{Key: key, IV: iv, Dst: place(to[i], whole), Src: place(from[i], whole)}
				}
				xorMany(ctr, k)
				encryptKeys(cbc, k)
			}
		}
	})
}

// The same for short messages that are alike.
func TestGuardPagesOfAlike(t *testing.T) {
	const n = 5
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(74, 74))
		k := kernelOf(t, implementation)
		var from, to, keys, nonces [n]guarded
		for i := range n {
			from[i], to[i], keys[i], nonces[i] = newGuarded(t, 128), newGuarded(t, 128), newGuarded(t, 32), newGuarded(t, 12)
		}
		for size := range 66 {
			for _, place := range []func(guarded, int) []byte{guarded.last, guarded.first} {
				at := func(g guarded, b []byte) []byte {
					copy(place(g, len(b)), b)
					return place(g, len(b))
				}
				set := alikeSet(t, r, n, 16+8*(size%3), size)
				for i := range set.messages {
					m := &set.messages[i]
					m.Key, m.Nonce = at(keys[i], m.Key), at(nonces[i], m.Nonce)
					m.Src, m.Dst = at(from[i], set.plain[i]), place(to[i], size+BlockSize)
				}
				sealMany(set.messages, k)
				for i := range set.messages {
					m := &set.messages[i]
					if !bytes.Equal(m.Dst, set.wants[i]) {
						t.Fatalf("%d bytes: sealed otherwise", size)
					}
					m.Src, m.Dst = m.Dst, place(from[i], size)
					clear(m.Dst)
				}
				if err := openMany(set.messages, k); err != nil {
					t.Fatalf("%d bytes: not opened (%v)", size, err)
				}
				for i, m := range set.messages {
					if !bytes.Equal(m.Dst, set.plain[i]) {
						t.Fatalf("%d bytes: opened otherwise", size)
					}
				}
			}
		}
	})
}
