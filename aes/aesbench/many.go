package main

import (
	"crypto/cipher"
	"fmt"

	"github.com/cryptogauge/cryptogauge/aes"
)

// messages are so many of so many bytes, each with its own key but where all have the first.
type messages struct {
	keys, dst, src [][]byte
	iv             []byte
}

func messagesOf(n, each, bits int) (ms messages) {
	ms.iv = make([]byte, 16)
	for i := range n {
		key := append([]byte(nil), keyOf(bits)...)
		key[0], key[1] = byte(i), byte(i>>8)
		ms.keys = append(ms.keys, key)
		ms.dst = append(ms.dst, make([]byte, each+16))
		ms.src = append(ms.src, make([]byte, each))
	}
	return ms
}

// manyTarget is a target of calls on many messages, which the standard library takes one after the other.
func manyTarget(name string, n, each int, least float64, f func(c config, ms messages) (ours, theirs func()), loops ...string) target {
	return target{fmt.Sprintf("%s, %d × %s", name, n, size(each)), n * each, least, func(c config, bits int) (ours, theirs func()) {
		return f(c, messagesOf(n, each, bits))
	}, loops}
}

func manyTargets() []target {
	return []target{
		manyTarget("new keys, GCM seal", 16, 64, 25, sealNew, "wideSealShort"),
		manyTarget("new keys, GCM open", 16, 64, 0, openNew),
		manyTarget("new keys, GCM seal", 64, 256, 0, sealNew),
		manyTarget("new keys, GCM seal", 16, 1350, 0, sealNew),
		manyTarget("new keys, CTR", 16, 64, 0, ctrNew),
		manyTarget("one key, CBC encrypt", 64, 1<<10, 18, cbcOne, "wideCBCLanes"),
		manyTarget("kept keys, CBC encrypt", 64, 1<<10, 0, cbcKept),
		manyTarget("new keys, CBC encrypt", 64, 1<<10, 18, cbcNew),
		manyTarget("one key, CBC encrypt", 16, 1<<10, 0, cbcOne),
		manyTarget("new keys, CBC encrypt", 64, 64, 0, cbcNew),
		manyTarget("new keys, CBC encrypt", 64, 16, 0, cbcNew),
	}
}

func sealNew(c config, ms messages) (ours, theirs func()) {
	_, std := sides(c)
	many := make([]aes.GCMMessage, len(ms.src))
	for i := range many {
		many[i] = aes.GCMMessage{Key: ms.keys[i], Nonce: ms.iv[:12], Dst: ms.dst[i], Src: ms.src[i]}
	}
	return func() { aes.SealMany(many) }, func() {
		for i, src := range ms.src {
			aead(block(std, ms.keys[i])).Seal(ms.dst[i][:0], ms.iv[:12], src, nil)
		}
	}
}

func openNew(c config, ms messages) (ours, theirs func()) {
	_, std := sides(c)
	many := make([]aes.GCMMessage, len(ms.src))
	for i := range many {
		sealed := aead(block(std, ms.keys[i])).Seal(nil, ms.iv[:12], ms.src[i], nil)
		many[i] = aes.GCMMessage{Key: ms.keys[i], Nonce: ms.iv[:12], Dst: ms.dst[i], Src: sealed}
	}
	return func() { must(0, aes.OpenMany(many)) }, func() {
		for i := range many {
			must(aead(block(std, ms.keys[i])).Open(ms.dst[i][:0], ms.iv[:12], many[i].Src, nil))
		}
	}
}

func ctrNew(c config, ms messages) (ours, theirs func()) {
	_, std := sides(c)
	many := make([]aes.CTRMessage, len(ms.src))
	for i := range many {
		many[i] = aes.CTRMessage{Key: ms.keys[i], IV: ms.iv, Dst: ms.dst[i], Src: ms.src[i]}
	}
	return func() { aes.XORKeyStreamMany(many) }, func() {
		for i, src := range ms.src {
			cipher.NewCTR(block(std, ms.keys[i]), ms.iv).XORKeyStream(ms.dst[i], src)
		}
	}
}

func cbcOne(c config, ms messages) (ours, theirs func()) {
	for i := range ms.keys {
		ms.keys[i] = ms.keys[0]
	}
	return cbcKept(c, ms)
}

// cbcKept has a cipher for every key that isn't the one before.
func cbcKept(c config, ms messages) (ours, theirs func()) {
	_, std := sides(c)
	many, blocks := make([]aes.CBCStream, len(ms.src)), make([]cipher.Block, len(ms.src))
	for i := range many {
		if i > 0 && string(ms.keys[i]) == string(ms.keys[i-1]) {
			many[i].Cipher, blocks[i] = many[i-1].Cipher, blocks[i-1]
		} else {
			many[i].Cipher, blocks[i] = must(aes.New(ms.keys[i])), block(std, ms.keys[i])
		}
		many[i].IV, many[i].Dst, many[i].Src = ms.iv, ms.dst[i], ms.src[i]
	}
	return func() { aes.EncryptCBC(many) }, func() {
		for i, src := range ms.src {
			cipher.NewCBCEncrypter(blocks[i], ms.iv).CryptBlocks(ms.dst[i], src)
		}
	}
}

func cbcNew(c config, ms messages) (ours, theirs func()) {
	_, std := sides(c)
	many := make([]aes.CBCKeyStream, len(ms.src))
	for i := range many {
		many[i] = aes.CBCKeyStream{Key: ms.keys[i], IV: ms.iv, Dst: ms.dst[i], Src: ms.src[i]}
	}
	return func() { aes.EncryptCBCKeys(many) }, func() {
		for i, src := range ms.src {
			cipher.NewCBCEncrypter(block(std, ms.keys[i]), ms.iv).CryptBlocks(ms.dst[i], src)
		}
	}
}
