package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/cryptogauge/cryptogauge/internal/kernel/turns"
)

var (
	counts = []int{1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 17, 24, 32, 33, 48, 64, 65, 66, 100, 128, 129, 200, 500, 1000}
	sizes  = []int{0, 16, 55, 56, 64, 119, 120, 256, 1 << 10, 4 << 10, 16 << 10}
)

// most bounds the bytes of a batch, so that a sweep ends.
const most = 2 << 20

// again is how many times as long a ratio below 1 is measured for a second time.
const again = 30

// A cell is one batch of a sweep.
type cell struct {
	a           algorithm
	s           shape
	count, size int
	ratio       float64
}

func (x *cell) measure(c config, longer int) {
	ours, serial := x.a.make(c.hasher, x.s.make(x.count, x.size))
	m := turns.Measure(c.perRow, batch, ours, serial)
	if longer > 1 {
		m = turns.Measure(c.perRow*again, batch, ours, serial)
	}
	x.ratio = m[1] / m[0]
}

// sweep prints the ratio to the serial library for every count and size, and the worst ones.
func sweep(w io.Writer, c config) error {
	for _, a := range algorithms {
		if c.only != "" && c.only != a.name {
			continue
		}
		for _, s := range shapes {
			if err := c.table(w, a, s); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c config) table(w io.Writer, a algorithm, s shape) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "%s, %s\t", a.name, s.name)
	for _, n := range sizes {
		fmt.Fprintf(t, "%s\t", size(n))
	}
	fmt.Fprintln(t)
	worst := cell{ratio: 1e9}
	for _, count := range counts {
		fmt.Fprintf(t, "%d\t", count)
		for _, n := range sizes {
			if count*n > most {
				fmt.Fprint(t, "\t")
				continue
			}
			x := cell{a: a, s: s, count: count, size: n}
			x.measure(c, 1)
			if x.ratio < 1 {
				x.measure(c, again)
			}
			fmt.Fprintf(t, "%.2f\t", x.ratio)
			worst = slices.MinFunc([]cell{worst, x}, func(x, y cell) int {
				if x.ratio < y.ratio {
					return -1
				}
				return 1
			})
		}
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "worst: %.3f, %d messages of %s\n\n", worst.ratio, worst.count, size(worst.size))
	return err
}
