package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
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
	mixed, short := logUniform(10_000), shapes[1].make(1000, 100)
	return []target{
		{"MD5", "64 × 64 B", equal(64, 64), 15},
		{"MD5", "64 × 1 KiB", equal(64, 1<<10), 18},
		{"MD5", "64 × 64 KiB", equal(64, 64<<10), 15},
		{"MD5", "10,000 × 16 B … 64 KiB", mixed, 10},
		{"MD5", "1000 × 0 … 200 B", short, 0},
		{"SM3", "64 × 64 B", equal(64, 64), 0},
		{"SM3", "64 × 1 KiB", equal(64, 1<<10), 8},
		{"SM3", "64 × 64 KiB", equal(64, 64<<10), 0},
		{"SM3", "10,000 × 16 B … 64 KiB", mixed, 0},
		{"SHA-256", "64 × 64 B", equal(64, 64), 3},
		{"SHA-256", "64 × 1 KiB", equal(64, 1<<10), 3.5},
		{"SHA-256", "64 × 64 KiB", equal(64, 64<<10), 3.2}, // 1.05 of ISA-L's 6081 MB/s, where crypto/sha256 has 2000
		{"SHA-256", "10,000 × 16 B … 64 KiB", mixed, 2.5},
		{"SHA-1", "64 × 64 B", equal(64, 64), 1.3},
		{"SHA-1", "64 × 1 KiB", equal(64, 1<<10), 1.3},
		{"SHA-1", "64 × 64 KiB", equal(64, 64<<10), 1.3},
		{"SHA-1", "10,000 × 16 B … 64 KiB", mixed, 1.3},
		{"HMAC-SM3", "64 × 64 B", equal(64, 64), 6},
		{"HMAC-SM3", "64 × 1 KiB", equal(64, 1<<10), 6},
		{"HMAC-SM3", "1000 × 0 … 200 B", short, 0},
		{"HMAC-SM3, a key each", "64 × 64 B", equal(64, 64), 6},
		{"HMAC-SM3, new keys", "64 × 64 B", equal(64, 64), 6},
		{"HMAC-SHA-256", "64 × 64 B", equal(64, 64), 2},
		{"HMAC-SHA-256", "64 × 1 KiB", equal(64, 1<<10), 2},
		{"HMAC-SHA-256", "1000 × 0 … 200 B", short, 0},
		{"HMAC-SHA-256, a key each", "64 × 64 B", equal(64, 64), 2},
		{"HMAC-SHA-256, new keys", "64 × 64 B", equal(64, 64), 2},
	}
}

// A row is a target and what was measured: nanoseconds of a call, ours and serial, and the ratio.
type row struct {
	target
	ns    [2]float64
	ratio float64
}

// targets prints the table, and of each hash the worst row.
func targets(w io.Writer, c config) error {
	var rows []row
	for _, x := range allTargets() {
		if c.only != "" && c.only != x.hash {
			continue
		}
		a := algorithms[slices.IndexFunc(algorithms, func(a algorithm) bool { return a.name == x.hash })]
		ours, serial := a.make(c.hasher, x.messages)
		r := row{target: x}
		r.ns, r.ratio = turns.Compare(c.perRow, batch, ours, serial)
		rows = append(rows, r)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\t\tMB/s\tserial\tns a message\tserial\tratio\ttarget\t")
	for _, r := range rows {
		rate := func(ns float64) float64 { return float64(total(r.messages)) * 1e3 / ns }
		each := func(ns float64) float64 { return ns / float64(len(r.messages)) }
		mark := ""
		if r.least > 0 {
			mark = fmt.Sprintf("%.1f", r.least)
		}
		fmt.Fprintf(t, "%s\t%s\t%.0f\t%.0f\t%.1f\t%.1f\t%.2f\t%s\t\n", r.hash, r.name,
			rate(r.ns[0]), rate(r.ns[1]), each(r.ns[0]), each(r.ns[1]), r.ratio, mark)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, a := range algorithms {
		writeWorstRow(w, a.name, rows)
	}
	return nil
}

// writeWorstRow says which row of a hash is nearest to its target, or furthest below.
func writeWorstRow(w io.Writer, hash string, rows []row) {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r.hash != hash || r.least == 0 })
	if len(rows) == 0 {
		return
	}
	worst := slices.MinFunc(rows, func(x, y row) int { return cmp.Compare(x.ratio/x.least, y.ratio/y.least) })
	fmt.Fprintf(w, "%s, worst: %.2f times the serial library's speed, target %.1f, %s\n", hash, worst.ratio, worst.least, worst.name)
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
