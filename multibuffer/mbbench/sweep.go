package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/kernel/turns"
)

var (
	counts = []int{1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 17, 24, 32, 33, 48, 64, 65, 66, 100, 128, 129, 200, 500, 1000}
	sizes  = []int{0, 16, 55, 56, 64, 119, 120, 256, 1 << 10, 4 << 10, 16 << 10}
)

// most bounds the bytes of a batch, so that a sweep ends.
const most = 2 << 20

// A ratio below 1 is measured again for so many times as long, and one that is more than 5 % below twice
// more, when the others of its table are done: what the machine did then it may not do now.
const (
	again = 30
	slow  = 0.95
	later = 2
)

// A cell is one batch of a sweep, and its ratios to the serial library, in the order of their taking.
type cell struct {
	count, size  int
	ours, serial func()
	ratios       []float64
}

// ratio is what counts: the first one where that was enough, else the median of the longer ones.
func (x *cell) ratio() float64 {
	if len(x.ratios) == 1 {
		return x.ratios[0]
	}
	sorted := slices.Sorted(slices.Values(x.ratios[1:]))
	return sorted[len(sorted)/2]
}

func (x *cell) measure(d time.Duration) {
	_, ratio := turns.Compare(d, batch, x.ours, x.serial)
	x.ratios = append(x.ratios, ratio)
}

// sweep prints the ratio to the serial library for every count and size, and the worst ones.
func sweep(w io.Writer, c config) error {
	for _, a := range algorithms {
		if c.only != "" && c.only != a.name {
			continue
		}
		for _, s := range shapes {
			cells := c.measureAll(a, s)
			if err := writeTable(w, a.name+", "+s.name, cells); err != nil {
				return err
			}
			writeWorst(w, cells)
		}
	}
	return nil
}

// measureAll measures all batches of a shape.
func (c config) measureAll(a algorithm, s shape) []*cell {
	var cells []*cell
	for _, count := range counts {
		for _, n := range sizes {
			if count*n > most {
				continue
			}
			x := &cell{count: count, size: n}
			x.ours, x.serial = a.make(c.hasher, s.make(count, n))
			x.measure(c.perRow)
			if x.ratio() < 1 {
				x.measure(c.perRow * again)
			}
			if x.ratio() >= slow {
				x.ours, x.serial = nil, nil // their messages aren't needed any more
			}
			cells = append(cells, x)
		}
	}
	for range later {
		for _, x := range cells {
			if x.ours != nil {
				x.measure(c.perRow * again)
			}
		}
	}
	return cells
}

func writeTable(w io.Writer, title string, cells []*cell) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "%s\t", title)
	for _, n := range sizes {
		fmt.Fprintf(t, "%s\t", size(n))
	}
	for i, x := range cells {
		if i == 0 || x.count != cells[i-1].count {
			fmt.Fprintf(t, "\n%d\t", x.count)
		}
		fmt.Fprintf(t, "%.2f\t", x.ratio())
	}
	fmt.Fprintln(t)
	return t.Flush()
}

// writeWorst tells the worst ratio, and how sure that is.
func writeWorst(w io.Writer, cells []*cell) {
	longer := 0
	for _, x := range cells {
		if len(x.ratios) > 1 {
			longer++
		}
	}
	worst := slices.MinFunc(cells, func(x, y *cell) int { return cmp.Compare(x.ratio(), y.ratio()) })
	fmt.Fprintf(w, "worst: %.3f, %d messages of %s", worst.ratio(), worst.count, size(worst.size))
	if len(worst.ratios) > 2 {
		fmt.Fprintf(w, ", the median of %.3f, one after the other for longer", worst.ratios[1:])
	}
	fmt.Fprintf(w, "; %d of %d read below 1 at first and were measured again for longer\n\n", longer, len(cells))
}
