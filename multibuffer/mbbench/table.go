package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/cryptogauge/cryptogauge/internal/kernel/turns"
)

// A target is one line of the table: a batch, and the ratio to the serial library that is aimed at.
type target struct {
	hash     string
	name     string
	messages [][]byte
	least    float64
}

func allTargets() []target {
	equal := func(n, size int) [][]byte { return cut(n, func(int) int { return size }) }
	mixed := logUniform(10_000)
	return []target{
		{"MD5", "64 × 64 B", equal(64, 64), 15},
		{"MD5", "64 × 1 KiB", equal(64, 1<<10), 18},
		{"MD5", "64 × 64 KiB", equal(64, 64<<10), 15},
		{"MD5", "10,000 × 16 B … 64 KiB", mixed, 10},
		{"MD5", "1000 × 0 … 200 B", shapes[1].make(1000, 100), 0},
		{"SM3", "64 × 64 B", equal(64, 64), 0},
		{"SM3", "64 × 1 KiB", equal(64, 1<<10), 8},
		{"SM3", "64 × 64 KiB", equal(64, 64<<10), 0},
		{"SM3", "10,000 × 16 B … 64 KiB", mixed, 0},
		{"SHA-256", "64 × 64 B", equal(64, 64), 1.3},
		{"SHA-256", "64 × 1 KiB", equal(64, 1<<10), 1.3},
		{"SHA-256", "64 × 64 KiB", equal(64, 64<<10), 1.3},
		{"SHA-256", "10,000 × 16 B … 64 KiB", mixed, 1.3},
		{"SHA-1", "64 × 64 B", equal(64, 64), 1.3},
		{"SHA-1", "64 × 1 KiB", equal(64, 1<<10), 1.3},
		{"SHA-1", "64 × 64 KiB", equal(64, 64<<10), 1.3},
		{"SHA-1", "10,000 × 16 B … 64 KiB", mixed, 1.3},
	}
}

// targets prints the table.
func targets(w io.Writer, c config) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\t\tMB/s\tserial\tns a message\tserial\tratio\ttarget\t")
	for _, x := range allTargets() {
		if c.only != "" && c.only != x.hash {
			continue
		}
		for _, a := range algorithms {
			if a.name != x.hash {
				continue
			}
			ours, serial := a.make(c.hasher, x.messages)
			m, ratio := turns.Compare(c.perRow, batch, ours, serial)
			rate := func(ns float64) float64 { return float64(total(x.messages)) * 1e3 / ns }
			each := func(ns float64) float64 { return ns / float64(len(x.messages)) }
			mark := ""
			if x.least > 0 {
				mark = fmt.Sprintf("%.1f", x.least)
			}
			fmt.Fprintf(t, "%s\t%s\t%.0f\t%.0f\t%.1f\t%.1f\t%.2f\t%s\t\n", x.hash, x.name, rate(m[0]), rate(m[1]), each(m[0]), each(m[1]), ratio, mark)
		}
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
