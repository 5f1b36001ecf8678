package main

import (
	"crypto/cipher"
	"fmt"

	gmsm "github.com/emmansun/gmsm/sm4"
	tjfoc "github.com/tjfoc/gmsm/sm4"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/sm4"
)

// manyTargets are those of many messages under many keys. Their targets were set as nanoseconds and MB/s on a
// Zen 5 of full width, and are ratios to gmsm there.
func manyTargets() []target {
	return []target{
		{"16 key schedules at once", 256, 30, schedules, nil, like("", algorithm.Schedule, 0, 16)},
		sealManyTarget("GCM seal 16 × 64 B, 16 new keys", 16, 64, 27, "sixteen of 64 bytes"),
		sealManyTarget("GCM seal 16 × 1350 B, 16 new keys", 16, 1350, 12.5),
		sealManyTarget("GCM seal 64 × 64 B, 64 new keys", 64, 64, 27),
		streamsTarget("CBC encrypt 96 × 1 KiB, one key", streams{96, 1 << 10, 1}, 65),
		streamsTarget("CBC encrypt 64 × 64 B, 16 keys", streams{64, 64, 16}, 35),
		streamsTarget("CBC encrypt 64 × 16 B, 16 keys", streams{64, 16, 16}, 14),
		rawStreamsTarget("CBC encrypt 64 × 64 B, 64 new keys", streams{64, 64, 64}),
	}
}

// numberedKeys are n keys that differ.
func numberedKeys(n int) (keys [][]byte) {
	for i := range n {
		keys = append(keys, fmt.Appendf(nil, "key number %5d", i))
	}
	return keys
}

func schedules(b blocks) (ours, g, t func()) {
	keys := numberedKeys(16)
	each := func(create func(key []byte) (cipher.Block, error)) func() {
		return func() {
			for _, key := range keys {
				if _, err := create(key); err != nil {
					panic("sm4bench: internal error: " + err.Error())
				}
			}
		}
	}
	ours = each(func(key []byte) (cipher.Block, error) { return sm4.NewWith(key, b.ours.Implementation()) })
	if b.fastest() {
		ours = func() {
			if _, err := sm4.NewCiphers(keys); err != nil {
				panic("sm4bench: internal error: " + err.Error())
			}
		}
	}
	return ours, each(gmsm.NewCipher), each(tjfoc.NewCipher)
}

// fastest says whether the implementation is the one that raw keys are given to.
func (b blocks) fastest() bool { return b.ours.Implementation() == sm4.Implementations()[0] }

// sealManyTarget has no time of ours but for the fastest implementation.
func sealManyTarget(name string, n, size int, least float64, loops ...string) target {
	return target{name, n * size, least, func(b blocks) (ours, g, t func()) {
		messages := make([]sm4.GCMMessage, n)
		for i, key := range numberedKeys(n) {
			messages[i] = sm4.GCMMessage{Key: key, Nonce: make([]byte, 12), Dst: make([]byte, size+16), Src: make([]byte, size)}
		}
		each := func(create func(key []byte) (cipher.Block, error)) func() {
			return func() {
				for i := range messages {
					m := &messages[i]
					c, err := create(m.Key)
					if err != nil {
						panic("sm4bench: internal error: " + err.Error())
					}
					newGCM(c).Seal(m.Dst[:0], m.Nonce, m.Src, nil)
				}
			}
		}
		ours = each(func(key []byte) (cipher.Block, error) { return sm4.NewWith(key, b.ours.Implementation()) })
		if b.fastest() {
			ours = func() { sm4.SealMany(messages) }
		}
		return ours, each(gmsm.NewCipher), each(tjfoc.NewCipher)
	}, loops, like(algorithm.GCM, algorithm.NewEncrypt, size, n)}
}

// rawStreamsTarget is streamsTarget with a raw key for each stream.
func rawStreamsTarget(name string, s streams) target {
	return target{name, s.n * s.bytes, 0, func(b blocks) (ours, g, t func()) {
		all := make([]sm4.CBCKeyStream, s.n)
		for i, key := range numberedKeys(s.n) {
			all[i] = sm4.CBCKeyStream{Key: key, IV: make([]byte, 16), Dst: make([]byte, s.bytes), Src: make([]byte, s.bytes)}
		}
		each := func(create func(key []byte) (cipher.Block, error)) func() {
			return func() {
				for i := range all {
					c, err := create(all[i].Key)
					if err != nil {
						panic("sm4bench: internal error: " + err.Error())
					}
					cipher.NewCBCEncrypter(c, all[i].IV).CryptBlocks(all[i].Dst, all[i].Src)
				}
			}
		}
		ours = each(func(key []byte) (cipher.Block, error) { return sm4.NewWith(key, b.ours.Implementation()) })
		if b.fastest() {
			ours = func() { sm4.EncryptCBCKeys(all) }
		}
		return ours, each(gmsm.NewCipher), each(tjfoc.NewCipher)
	}, nil, likeCase{}}
}
