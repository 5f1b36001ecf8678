package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"hash"
	"io"
	"math"
	"math/rand/v2"

	"github.com/emmansun/gmsm/sm3"

	"github.com/cryptogauge/cryptogauge/multibuffer"
)

// An algorithm makes the functions that hash a batch of messages once: ours, and one by one; and ours of
// readers of the messages, where there is one.
type algorithm struct {
	name string
	make func(h multibuffer.Hasher, messages [][]byte) (ours, serial func())
	read func(h multibuffer.Hasher, messages [][]byte) func()
}

var algorithms = []algorithm{
	{"MD5", subjects(multibuffer.Hasher.SumMD5, md5.Sum), reading(multibuffer.Hasher.ReadMD5)},
	{"SM3", subjects(multibuffer.Hasher.SumSM3, sm3.Sum), reading(multibuffer.Hasher.ReadSM3)},
	{"SHA-256", subjects(multibuffer.Hasher.SumSHA256, sha256.Sum256), reading(multibuffer.Hasher.ReadSHA256)},
	{"SHA-1", subjects(multibuffer.Hasher.SumSHA1, sha1.Sum), reading(multibuffer.Hasher.ReadSHA1)},
	{"HMAC-SM3", macs(multibuffer.Hasher.NewHMACSM3, sm3.New), nil},
	{"HMAC-SHA-256", macs(multibuffer.Hasher.NewHMACSHA256, sha256.New), nil},
	{"HMAC-SM3, a key each", macsOfKeys(multibuffer.Hasher.NewHMACsSM3, sm3.New), nil},
	{"HMAC-SHA-256, a key each", macsOfKeys(multibuffer.Hasher.NewHMACsSHA256, sha256.New), nil},
	{"HMAC-SM3, new keys", macsOfNewKeys(multibuffer.Hasher.NewHMACsSM3, sm3.New), nil},
	{"HMAC-SHA-256, new keys", macsOfNewKeys(multibuffer.Hasher.NewHMACsSHA256, sha256.New), nil},
}

func subjects[D [16]byte | [20]byte | [32]byte](sum func(multibuffer.Hasher, []D, [][]byte), one func([]byte) D) func(multibuffer.Hasher, [][]byte) (ours, serial func()) {
	return func(h multibuffer.Hasher, messages [][]byte) (ours, serial func()) {
		digests := make([]D, len(messages))
		return func() { sum(h, digests, messages) }, func() {
			for i, m := range messages {
				digests[i] = one(m)
			}
		}
	}
}

// macs authenticates all messages under one key, which both sides have made ready.
func macs(prepare func(multibuffer.Hasher, []byte) *multibuffer.HMAC, library func() hash.Hash) func(multibuffer.Hasher, [][]byte) (ours, serial func()) {
	return func(h multibuffer.Hasher, messages [][]byte) (ours, serial func()) {
		key, out := make([]byte, 32), make([][32]byte, len(messages))
		m, one := prepare(h, key), hmac.New(library, key)
		return func() { m.Sum(out, messages) }, func() {
			for i, text := range messages {
				one.Reset()
				one.Write(text)
				one.Sum(out[i][:0])
			}
		}
	}
}

// macsOfKeys authenticates each message under a key of its own, which both sides have made ready.
func macsOfKeys(prepare func(multibuffer.Hasher, [][]byte) []multibuffer.HMAC, library func() hash.Hash) func(multibuffer.Hasher, [][]byte) (ours, serial func()) {
	return func(h multibuffer.Hasher, messages [][]byte) (ours, serial func()) {
		out, keys := make([][32]byte, len(messages)), newKeys(len(messages))
		all := prepare(h, keys)
		ready, singles := make([]*multibuffer.HMAC, len(keys)), make([]hash.Hash, len(keys))
		for i, key := range keys {
			ready[i], singles[i] = &all[i], hmac.New(library, key)
		}
		return func() { multibuffer.SumHMAC(out, ready, messages) }, func() {
			for i, text := range messages {
				singles[i].Reset()
				singles[i].Write(text)
				singles[i].Sum(out[i][:0])
			}
		}
	}
}

// macsOfNewKeys makes a key ready for each message in the call.
func macsOfNewKeys(prepare func(multibuffer.Hasher, [][]byte) []multibuffer.HMAC, library func() hash.Hash) func(multibuffer.Hasher, [][]byte) (ours, serial func()) {
	return func(h multibuffer.Hasher, messages [][]byte) (ours, serial func()) {
		out, keys := make([][32]byte, len(messages)), newKeys(len(messages))
		ready := make([]*multibuffer.HMAC, len(keys))
		return func() {
				all := prepare(h, keys)
				for i := range all {
					ready[i] = &all[i]
				}
				multibuffer.SumHMAC(out, ready, messages)
			}, func() {
				for i, text := range messages {
					one := hmac.New(library, keys[i])
					one.Write(text)
					one.Sum(out[i][:0])
				}
			}
	}
}

func newKeys(n int) [][]byte { return cut(n, func(int) int { return 32 }) }

// reading calls read with readers of the messages, made anew for each call.
func reading[D [16]byte | [20]byte | [32]byte](
	read func(multibuffer.Hasher, []D, []error, []io.Reader),
) func(multibuffer.Hasher, [][]byte) func() {
	return func(h multibuffer.Hasher, messages [][]byte) func() {
		digests, errs, readers := make([]D, len(messages)), make([]error, len(messages)), make([]io.Reader, len(messages))
		return func() {
			for i, m := range messages {
				readers[i] = bytes.NewReader(m)
			}
			read(h, digests, errs, readers)
		}
	}
}

// A shape makes n messages around a size.
type shape struct {
	name string
	make func(n, size int) [][]byte
}

var shapes = []shape{
	{"equal", func(n, size int) [][]byte {
		return cut(n, func(int) int { return size })
	}},
	{"mixed", func(n, size int) [][]byte {
		r := rand.New(rand.NewPCG(uint64(n), uint64(size)))
		return cut(n, func(int) int { return r.IntN(2*size + 1) })
	}},
	{"one long", func(n, size int) [][]byte {
		return cut(n, func(i int) int {
			if i == n/2 {
				return 16*size + 16
			}
			return size
		})
	}},
}

// cut returns messages of the lengths that size names, each a slice of its own.
func cut(n int, size func(i int) int) [][]byte {
	messages := make([][]byte, n)
	for i := range messages {
		messages[i] = make([]byte, size(i))
		for j := range messages[i] {
			messages[i][j] = byte(i + j)
		}
	}
	return messages
}

// logUniform returns n messages of 16 bytes to 64 KiB, as many between any size and its double.
func logUniform(n int) [][]byte {
	r := rand.New(rand.NewPCG(1, 1))
	return cut(n, func(int) int { return int(math.Exp2(4 + 12*r.Float64())) })
}

func total(messages [][]byte) (bytes int) {
	for _, m := range messages {
		bytes += len(m)
	}
	return bytes
}
