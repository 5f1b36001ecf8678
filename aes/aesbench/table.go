package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/cryptogauge/cryptogauge/aes"
	"github.com/cryptogauge/cryptogauge/internal/kernel/turns"
)

// A target is one line of the table: bytes a call, and how many times as fast as the other side ours shall be. Loops
// are the kernels that a call goes through, where their floors are measured.
type target struct {
	name  string
	bytes int
	least float64
	make  func(c config, bits int) (ours, theirs func())
	loops []string
}

// ofMode is a target against the standard library.
func ofMode(name string, n int, least float64, loops ...string) target {
	m := modeNamed(name)
	return target{fmt.Sprintf("%s, %s", name, size(n)), n, least, func(c config, bits int) (ours, theirs func()) {
		a, b := sides(c)
		return m.make(a, keyOf(bits), n), m.make(b, keyOf(bits), n)
	}, loops}
}

func allTargets() []target {
	return []target{
		ofMode("CTR, kept stream", 16<<10, 4, "wideCTR"),
		ofMode("CTR, kept stream", 128, 0),
		ofMode("CTR, kept stream", 64, 0),
		ofMode("CTR, kept stream", 20, 0),
		ofMode("CBC decrypt", 16<<10, 15, "wideCBCDecrypt"),
		ofMode("GCM seal", 16<<10, 4.5, "wideSealBulk"),
		ofMode("GCM open", 16<<10, 3, "wideGHASH", "wideCTR"),
		ofMode("GCM seal", 1350, 3.5, "wideSealWhole1350"),
		ofMode("GCM open", 1350, 0),
		ofMode("GCM seal", 64, 4.5, "wideSealWhole64"),
		ofMode("GCM open", 64, 0),
		ofMode("GCM seal, 13 additional", 64, 0),
		ofMode("new key, GCM seal", 64, 1.7),
		ofMode("new key, SealOnce", 64, 7),
		ofMode("CBC encrypt", 16<<10, 0),
		ofMode("ECB encrypt", 16<<10, 0, "wideECBEncrypt"),
		{"XTS, sectors of 4 KiB", 4 << 10, 12, func(c config, bits int) (ours, theirs func()) {
			return xtsSubjects(c, bits, 4<<10)
		}, []string{"wideXTSEncrypt"}},
	}
}

// targets prints the table.
func targets(w io.Writer, c config) error {
	rows := allTargets()
	if c.implementation == aes.Implementations()[0] { // which calls on many messages use
		rows = append(rows, manyTargets()...)
	}
	for _, bits := range []int{128, 256} {
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintf(t, "AES-%d\tns\tMB/s\tcrypto/aes ns\tMB/s\tratio\ttarget\t\n", bits)
		for _, x := range rows {
			ours, theirs := x.make(c, bits)
			m, ratio := turns.Compare(c.perRow, batch, ours, theirs)
			rate := func(ns float64) float64 { return float64(x.bytes) * 1e3 / ns }
			mark := ""
			if x.least > 0 {
				mark = fmt.Sprintf("%.2f", x.least)
			}
			fmt.Fprintf(t, "%s\t%.1f\t%.0f\t%.1f\t%.0f\t%.2f\t%s\t\n", x.name, m[0], rate(m[0]), m[1], rate(m[1]), ratio, mark)
		}
		fmt.Fprintln(t)
		if err := t.Flush(); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w, "XTS is compared with golang.org/x/crypto/xts over crypto/aes.")
	return err
}

// size prints a number of bytes.
func size(n int) string {
	if n >= 1<<10 && n%(1<<10) == 0 {
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d B", n)
}
