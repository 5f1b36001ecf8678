package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/kernel/turns"
)

// Up to mostStep bytes every length is measured, and held against the ends of steps: the lengths at which
// a kernel is full. A suspect is measured again beside the end of its step (mode.again).
const (
	mostStep  = 8 << 10
	stepBytes = 2 << 10
	tolerance = 1.03
)

// steps prints for every mode the length that costs most over the next full size, which is the next multiple
// of stepBytes.
func steps(w io.Writer, c config) error {
	b, err := newBlocks(c.implementation)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "time over that of the next multiple of 2 KiB\tworst\tat\tns\tagainst\tsuspects\tconfirmed\t")
	for _, m := range c.modes() {
		s := m.steps(b, c.perRow)
		fmt.Fprintf(t, "%s\t%.3f\t%d B\t%.0f\t%.0f\t%d\t%d\t\n", m.name, s.ratio, s.at, s.ns, s.against, s.suspects, s.confirmed)
	}
	return t.Flush()
}

// A step is the worst of a mode.
type step struct {
	ratio               float64
	at                  int
	ns, against         float64
	suspects, confirmed int
}

func (m mode) steps(b blocks, perRow time.Duration) (worst step) {
	ns := make([]float64, mostStep+1)
	for n := m.least; n <= mostStep; n += m.unit {
		ns[n] = turns.Measure(perRow/300, 20*time.Microsecond, m.make(b.ours, n))[0]
	}
	type suspect struct {
		at, full int
		ratio    float64
	}
	var suspects []suspect
	for n := m.least; n < mostStep; n += m.unit {
		full := (n/stepBytes + 1) * stepBytes
		s := suspect{n, full, ns[n] / ns[full]}
		if s.ratio > tolerance {
			suspects = append(suspects, s)
		}
		if s.ratio > worst.ratio && s.ratio <= tolerance {
			worst = step{ratio: s.ratio, at: n, ns: ns[n], against: ns[full]}
		}
	}
	worst.suspects = len(suspects)
	// The worst first, and no more than can be measured again.
	slices.SortFunc(suspects, func(a, b suspect) int { return int(1e6 * (b.ratio - a.ratio)) })
	for _, s := range suspects[:min(len(suspects), 20)] {
		times, ratio := m.again(b.ours, b.ours, s.full, s.at, perRow/2)
		if ratio > tolerance {
			worst.confirmed++
		}
		if ratio > worst.ratio {
			worst.ratio, worst.at, worst.ns, worst.against = ratio, s.at, times[1], times[0]
		}
	}
	return worst
}
