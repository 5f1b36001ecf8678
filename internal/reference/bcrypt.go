package reference

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"sync"
)

// Bcrypt is the string that a password is stored as, of version 2a with a salt of 16 bytes (Provos and Mazières, "A
// Future-Adaptable Password Scheme", USENIX 1999, §4). The password is at most 71 bytes, which a zero byte ends.
func Bcrypt(password, salt []byte, cost int) string {
	must(len(salt) == 16 && len(password) < 72 && cost >= 4 && cost <= 31, "bcrypt takes a salt of 16 bytes and a cost of 4 to 31")
	key := append(append([]byte{}, password...), 0)
	state := *blowfishPi()
	state.expand(salt, key)
	none := make([]byte, 16)
	for range 1 << cost {
		state.expand(none, key)
		state.expand(none, salt)
	}
	text := []byte("OrpheanBeholderScryDoubt")
	for i := 0; i < len(text); i += 8 {
		l, r := binary.BigEndian.Uint32(text[i:]), binary.BigEndian.Uint32(text[i+4:])
		for range 64 {
			l, r = state.encrypt(l, r)
		}
		binary.BigEndian.PutUint32(text[i:], l)
		binary.BigEndian.PutUint32(text[i+4:], r)
	}
	letters := base64.NewEncoding("./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789").WithPadding(base64.NoPadding)
	return fmt.Sprintf("$2a$%02d$%s%s", cost, letters.EncodeToString(salt), letters.EncodeToString(text[:23]))
}

// blowfish is the state of Blowfish (Schneier, "Description of a New Variable-Length Key, 64-Bit Block Cipher",
// FSE 1993): subkeys P, then the four S-boxes.
type blowfish struct {
	p [18]uint32
	s [4][256]uint32
}

// blowfishPi is the state before any key: the fraction of π. A test derives it.
var blowfishPi = sync.OnceValue(func() *blowfish {
	b, words := new(blowfish), table("Blowfish")
	readWords(&b.p, words, binary.BigEndian)
	readWords(&b.s, words[4*len(b.p):], binary.BigEndian)
	return b
})

// expand is ExpandKey: the key, again and again, is added to the subkeys, and the salt to what is encrypted to
// replace the state.
func (b *blowfish) expand(salt, key []byte) {
	at := 0
	for i := range b.p {
		var w uint32
		for range 4 {
			w = w<<8 | uint32(key[at])
			at = (at + 1) % len(key)
		}
		b.p[i] ^= w
	}
	var half [2][2]uint32
	for i := range half {
		half[i] = [2]uint32{binary.BigEndian.Uint32(salt[8*i:]), binary.BigEndian.Uint32(salt[8*i+4:])}
	}
	var l, r uint32
	turn := 0
	replace := func(words []uint32) {
		for i := 0; i < len(words); i += 2 {
			l, r = b.encrypt(l^half[turn][0], r^half[turn][1])
			words[i], words[i+1] = l, r
			turn = 1 - turn
		}
	}
	replace(b.p[:])
	for i := range b.s {
		replace(b.s[i][:])
	}
}

// encrypt does two rounds at a time, after which the halves have their places again.
func (b *blowfish) encrypt(l, r uint32) (uint32, uint32) {
	for i := 0; i < 16; i += 2 {
		l ^= b.p[i]
		r ^= b.f(l) ^ b.p[i+1]
		l ^= b.f(r)
	}
	return r ^ b.p[17], l ^ b.p[16] // the last swap is undone
}

func (b *blowfish) f(x uint32) uint32 {
	return (b.s[0][x>>24] + b.s[1][x>>16&0xff]) ^ b.s[2][x>>8&0xff] + b.s[3][x&0xff]
}
