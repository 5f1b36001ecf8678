package main

import (
	"cmp"
	"crypto/cipher"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/kernel/turns"
)

// suspectRounds is over how many rounds at least what looks slower than gmsm is measured again, and places how often its
// buffers are made anew for it: two addresses that a processor can't tell apart in its first cache make one place slow, and not
// a length. At each place there are seven rounds or more (turns.Compare).
const (
	suspectRounds = 41
	places        = 7
)

// shown are the sizes whose ratios stand in the table.
var shown = []int{16, 64, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10}

// sweep prints the least ratio to gmsm for every mode, and where it is lower than gmsm's by more than the tolerance.
func sweep(w io.Writer, c config) error {
	b, err := newBlocks(c.implementation)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "speed over gmsm's\tsizes\tworst\tat\t")
	for _, n := range shown {
		fmt.Fprintf(t, "%s\t", size(n))
	}
	fmt.Fprintln(t, "slower by more than 3 %\t")
	slower := 0
	for _, m := range slices.Concat(c.modes(), c.sweptModes()) {
		swept := m.sweep(b, c.perRow)
		slower += len(swept.slower)
		fmt.Fprintf(t, "%s\t%d\t%.2f\t%s\t", m.name, swept.sizes, swept.worst, size(swept.at))
		for _, n := range shown {
			if ratio, there := swept.ratios[n]; there {
				fmt.Fprintf(t, "%.2f\t", ratio)
			} else {
				fmt.Fprint(t, "–\t")
			}
		}
		for _, n := range swept.slower {
			fmt.Fprintf(t, "%s ", size(n))
		}
		fmt.Fprintln(t, "\t")
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "slower than gmsm by more than 3 %% over %d rounds or more: %d\n", suspectRounds, slower)
	return err
}

// A swept is what a sweep found of a mode.
type swept struct {
	sizes, at int
	worst     float64
	ratios    map[int]float64
	slower    []int
}

func (m mode) sweep(b blocks, perRow time.Duration) (s swept) {
	s.ratios = map[int]float64{}
	for _, n := range turns.SweepSizes() {
		if n < m.least || n%m.unit != 0 {
			continue
		}
		s.sizes++
		_, ratio := turns.Compare(perRow/60, 50*time.Microsecond, m.make(b.ours, n), m.make(b.gmsm, n))
		if ratio < 1/tolerance {
			_, ratio = m.again(b.ours, b.gmsm, n, n, 2*suspectRounds*batch)
		}
		if ratio < 1/tolerance {
			s.slower = append(s.slower, n)
		}
		if s.ratios[n] = ratio; s.worst == 0 || ratio < s.worst {
			s.worst, s.at = ratio, n
		}
	}
	return s
}

// again compares two lengths by two ciphers for about d, with buffers at several places, and returns what the median of
// these says: times of both, and how many times as long the second one takes.
func (m mode) again(first, second cipher.Block, n1, n2 int, d time.Duration) (times [2]float64, ratio float64) {
	type result struct {
		times [2]float64
		ratio float64
	}
	var all []result
	for range places {
		a, b := m.make(first, n1), m.make(second, n2)
		times, ratio := turns.Compare(d/places, 50*time.Microsecond, a, b)
		all = append(all, result{times, ratio})
	}
	slices.SortFunc(all, func(x, y result) int { return cmp.Compare(x.ratio, y.ratio) })
	return all[places/2].times, all[places/2].ratio
}
