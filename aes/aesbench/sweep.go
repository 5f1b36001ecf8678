package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/cryptogauge/cryptogauge/internal/kernel/turns"
)

// tolerance is how much slower than crypto/aes nothing may be, and suspectRounds over how many rounds what
// looks so is measured again.
const (
	tolerance     = 0.03
	suspectRounds = 41
)

// sweep prints the least and the median ratio to crypto/aes for every mode and length of keys.
func sweep(w io.Writer, c config) error {
	ours, std := sides(c)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "speed over crypto/aes's\tsizes\tworst\tat\tslower by more than 3 %\t")
	slower := 0
	for _, bits := range []int{128, 192, 256} {
		for _, m := range modes {
			worst, at, sizes, below := 0.0, 0, 0, ""
			for _, n := range turns.SweepSizes() {
				if m.whole && (n == 0 || n%16 != 0) {
					continue
				}
				sizes++
				a, b := m.make(ours, keyOf(bits), n), m.make(std, keyOf(bits), n)
				_, ratio := turns.Compare(c.perRow, batch/4, a, b)
				if ratio < 1-tolerance {
					_, ratio = turns.Compare(2*suspectRounds*batch, batch, a, b)
				}
				if ratio < 1-tolerance {
					if slower++; below == "" {
						below = "at"
					}
					below += " " + size(n)
				}
				if worst == 0 || ratio < worst {
					worst, at = ratio, n
				}
			}
			fmt.Fprintf(t, "%s, %d bits\t%d\t%.2f\t%s\t%s\t\n", m.name, bits, sizes, worst, size(at), below)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "slower than crypto/aes by more than 3 %% over %d rounds of %v: %d\n", suspectRounds, batch, slower)
	return err
}
