package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/cryptogauge/cryptogauge/internal/kernel/turns"
)

var sizes = []int{16, 32, 48, 64, 80, 128, 256, 272, 512, 528, 1008, 1 << 10, 1536, 2 << 10, 3 << 10, 4 << 10, 8 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 10 << 20}

// sweep prints the ratio to gmsm for every mode and size, and the worst of each mode.
func sweep(w io.Writer, c config) error {
	b, err := newBlocks(c.implementation)
	if err != nil {
		return err
	}
	chosen := c.modes()
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "speed over gmsm's\t")
	for _, m := range chosen {
		fmt.Fprintf(t, "%s\t", m.name)
	}
	fmt.Fprintln(t)
	worst, at := make([]float64, len(chosen)), make([]int, len(chosen))
	for _, n := range sizes {
		fmt.Fprintf(t, "%s\t", size(n))
		for i, m := range chosen {
			medians := turns.Measure(c.perRow, batch, m.make(b.ours, n), m.make(b.gmsm, n))
			ratio := medians[1] / medians[0]
			if worst[i] == 0 || ratio < worst[i] {
				worst[i], at[i] = ratio, n
			}
			fmt.Fprintf(t, "%.2f\t", ratio)
		}
		fmt.Fprintln(t)
	}
	fmt.Fprint(t, "worst\t")
	for i := range chosen {
		fmt.Fprintf(t, "%.2f at %s\t", worst[i], size(at[i]))
	}
	fmt.Fprintln(t)
	return t.Flush()
}
