package main

import (
	"crypto/cipher"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
	"time"

	gmsm "github.com/emmansun/gmsm/sm4"
	tjfoc "github.com/tjfoc/gmsm/sm4"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/kernel/turns"
	"github.com/cryptogauge/cryptogauge/sm4"
)

// A target is one line of the table: bytes a call, and the ratio to gmsm that is aimed at. loops are the
// kernels that a call goes through, where their floors are measured, and like what a library in C does for it.
type target struct {
	name  string
	bytes int
	least float64
	make  func(b blocks) (ours, gmsm, tjfoc func())
	loops []string
	like  likeCase
}

// ofMode is a target that all three libraries reach by the same calls.
func ofMode(name string, n int, least float64, loops ...string) target {
	m, as := modeNamed(name), likeModes[name]
	return target{fmt.Sprintf("%s %s", name, size(n)), n, least, func(b blocks) (ours, gmsm, tjfoc func()) {
		return m.make(b.ours, n), m.make(b.gmsm, n), m.make(b.tjfoc, n)
	}, loops, like(as.mode, as.operation, n, 1)}
}

// likeModes are what the laboratory calls the modes that have targets.
var likeModes = map[string]struct {
	mode      algorithm.Mode
	operation algorithm.Operation
}{
	"ECB encrypt": {algorithm.ECB, algorithm.Encrypt},
	"CBC encrypt": {algorithm.CBC, algorithm.Encrypt},
	"CBC decrypt": {algorithm.CBC, algorithm.Decrypt},
	"CTR":         {algorithm.CTR, algorithm.Encrypt},
	"GCM seal":    {algorithm.GCM, algorithm.Encrypt},
	"GCM open":    {algorithm.GCM, algorithm.Decrypt},
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
		}, nil, like("", algorithm.Schedule, 0, 1)},
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
	}, nil, like(algorithm.GCM, algorithm.NewEncrypt, n, 1)}
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
	}, loops, like(algorithm.CBC, algorithm.Encrypt, s.bytes, s.n)}
}

// targets prints the table.
func targets(w io.Writer, c config) error {
	b, err := newBlocks(c.implementation)
	if err != nil {
		return err
	}
	inC := librariesInC()
	names, heads := []string(nil), ""
	for _, p := range inC {
		names, heads = append(names, p.name+" "+p.version), heads+p.name+"\t"
	}
	if len(names) > 0 {
		fmt.Fprintf(w, "libraries in C: %s; of many messages they do one after the other\n\n", strings.Join(names, ", "))
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "\tns\tMB/s\tgmsm\ttjfoc\t%sto gmsm\ttarget\tto tjfoc\tto the best in C\t\n", heads)
	for _, x := range append(allTargets(), manyTargets()...) {
		x.print(t, b, inC, c.perRow)
	}
	return t.Flush()
}

// print measures a row of the table and prints it.
func (x target) print(w io.Writer, b blocks, inC []peer, perRow time.Duration) {
	ours, g, f := x.make(b)
	subjects := []func(){ours, g, f}
	for _, p := range inC {
		subjects = append(subjects, p.open(x.like))
	}
	m := turns.Measure(perRow, batch, subjects...)
	rate := func(ns float64) float64 { return float64(x.bytes) * 1e3 / ns }
	theirs, best := "", math.Inf(1)
	for i := range inC {
		if subjects[3+i] == nil {
			theirs += "–\t"
			continue
		}
		ns := x.like.ns(m[3+i])
		theirs, best = theirs+fmt.Sprintf("%.0f\t", rate(ns)), min(best, ns)
	}
	aim, toC := "", ""
	if x.least > 0 {
		aim = fmt.Sprintf("%.2f", x.least)
	}
	if !math.IsInf(best, 1) {
		toC = fmt.Sprintf("%.2f", best/m[0])
	}
	fmt.Fprintf(w, "%s\t%.0f\t%.0f\t%.0f\t%.0f\t%s%.2f\t%s\t%.2f\t%s\t\n",
		x.name, m[0], rate(m[0]), rate(m[1]), rate(m[2]), theirs, m[1]/m[0], aim, m[2]/m[0], toC)
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
