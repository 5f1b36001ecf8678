package main

import (
	"crypto/cipher"
	"fmt"
	"io"
	"text/tabwriter"

	gmsm "github.com/emmansun/gmsm/sm4"
	tjfoc "github.com/tjfoc/gmsm/sm4"

	"github.com/cryptogauge/cryptogauge/internal/kernel/turns"
	"github.com/cryptogauge/cryptogauge/sm4"
)

// A target is one line of the table: bytes a call, and the ratio to gmsm that is aimed at. loops are the
// kernels that a call goes through, where their floors are measured.
type target struct {
	name  string
	bytes int
	least float64
	make  func(b blocks) (ours, gmsm, tjfoc func())
	loops []string
}

// ofMode is a target that all three libraries reach by the same calls.
func ofMode(name string, n int, least float64, loops ...string) target {
	m := modeNamed(name)
	return target{fmt.Sprintf("%s %s", name, size(n)), n, least, func(b blocks) (ours, gmsm, tjfoc func()) {
		return m.make(b.ours, n), m.make(b.gmsm, n), m.make(b.tjfoc, n)
	}, loops}
}

func allTargets() []target {
	return []target{
		ofMode("ECB encrypt", 16<<10, 6.5, "wideECB"),
		ofMode("ECB encrypt", 64, 3.5, "wideShort"),
		ofMode("CTR", 16<<10, 15, "wideCTR"),
		ofMode("CBC decrypt", 16<<10, 5.5, "wideCBCDecrypt"),
		ofMode("GCM seal", 16<<10, 10, "wideGCMSeal"),
		ofMode("GCM open", 16<<10, 10, "wideGHASH", "wideCTR"),
		ofMode("GCM seal", 64, 3.6),
		ofMode("GCM seal", 512, 5),
		ofMode("GCM seal", 1350, 10),
		newKeyTarget("new key, GCM seal 64 B", 64, 3.2, usual),
		newKeyTarget("new key, GCM seal 64 B in one call", 64, 6, oneCall),
		ofMode("CBC encrypt", 16<<10, 1.35),
		streamsTarget("CBC encrypt 64 streams × 1 KiB", streams{64, 1 << 10, 1}, 47, "wideLanes64"),
		streamsTarget("CBC encrypt 64 streams × 1 KiB, 16 keys", streams{64, 1 << 10, 16}, 51),
		streamsTarget("CBC encrypt 16 streams × 1 KiB", streams{16, 1 << 10, 1}, 0),
		{"key schedule", 16, 1, func(b blocks) (ours, g, t func()) {
			key := []byte("0123456789abcdef")
			ours = func() { sm4.New(key) }
			if name := b.ours.Implementation(); name != sm4.Implementations()[0] {
				ours = func() { sm4.NewWith(key, name) }
			}
			return ours, func() { gmsm.NewCipher(key) }, func() { tjfoc.NewCipher(key) }
		}, nil},
	}
}

// A way is how a message is sealed under a new key: by the usual constructors or, ours, in one call.
type way int

const (
	usual way = iota
	oneCall
)

func newKeyTarget(name string, n int, least float64, how way) target {
	return target{name, n, least, func(b blocks) (ours, g, t func()) {
		key, nonce := []byte("0123456789abcdef"), make([]byte, 12)
		src, dst := make([]byte, n), make([]byte, 0, n+16)
		with := func(create func(key []byte) (cipher.Block, error)) func() {
			return func() {
				c, err := create(key)
				if err != nil {
					panic("sm4bench: internal error: " + err.Error())
				}
				newGCM(c).Seal(dst, nonce, src, nil)
			}
		}
		ours = with(func(key []byte) (cipher.Block, error) { return sm4.NewWith(key, b.ours.Implementation()) })
		if b.ours.Implementation() == sm4.Implementations()[0] {
			ours = with(sm4.NewCipher)
			if how == oneCall {
				ours = func() { sm4.SealOnce(dst, key, nonce, src, nil) }
			}
		}
		return ours, with(gmsm.NewCipher), with(tjfoc.NewCipher)
	}, nil}
}

// streams are n messages of so many bytes that share keys.
type streams struct{ n, bytes, keys int }

// ciphers are as many as there are keys.
func (s streams) ciphers(b blocks) (cs []*sm4.Cipher) {
	if s.keys == 1 {
		return []*sm4.Cipher{b.ours}
	}
	for _, key := range numberedKeys(s.keys) {
		c, err := sm4.NewWith(key, b.ours.Implementation())
		if err != nil {
			panic("sm4bench: internal error: " + err.Error())
		}
		cs = append(cs, c)
	}
	return cs
}

func streamsTarget(name string, s streams, least float64, loops ...string) target {
	return target{name, s.n * s.bytes, least, func(b blocks) (ours, gmsm, tjfoc func()) {
		ciphers, streams := s.ciphers(b), make([]sm4.CBCStream, s.n)
		for i := range streams {
			streams[i] = sm4.CBCStream{Cipher: ciphers[i%s.keys], IV: make([]byte, 16), Dst: make([]byte, s.bytes), Src: make([]byte, s.bytes)}
		}
		serial := func(c cipher.Block) func() {
			iv := make([]byte, 16)
			return func() {
				for i := range streams {
					cipher.NewCBCEncrypter(c, iv).CryptBlocks(streams[i].Dst, streams[i].Src)
				}
			}
		}
		return func() { sm4.EncryptCBC(streams) }, serial(b.gmsm), serial(b.tjfoc)
	}, loops}
}

// targets prints the table.
func targets(w io.Writer, c config) error {
	b, err := newBlocks(c.implementation)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\tns\tMB/s\tgmsm\ttjfoc\tto gmsm\ttarget\tto tjfoc\t")
	for _, x := range append(allTargets(), manyTargets()...) {
		ours, g, f := x.make(b)
		m := turns.Measure(c.perRow, batch, ours, g, f)
		rate := func(ns float64) float64 { return float64(x.bytes) * 1e3 / ns }
		mark := ""
		if x.least > 0 {
			mark = fmt.Sprintf("%.2f", x.least)
		}
		fmt.Fprintf(t, "%s\t%.0f\t%.0f\t%.0f\t%.0f\t%.2f\t%s\t%.2f\t\n", x.name, m[0], rate(m[0]), rate(m[1]), rate(m[2]), m[1]/m[0], mark, m[2]/m[0])
	}
	return t.Flush()
}

// size prints a number of bytes.
func size(n int) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d B", n)
}
