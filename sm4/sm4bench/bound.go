package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/cryptogauge/cryptogauge/internal/kernel/chain"
	"github.com/cryptogauge/cryptogauge/internal/kernel/sm4/floor"
	"github.com/cryptogauge/cryptogauge/internal/kernel/turns"
)

const preface = `Vector instructions per 16 bytes; then cycles per KiB:
floor   the same instructions where none waits for an inversion or a product
kernel  as it is; kernel/floor is what it waits
call    by way of the package
Ratios are to gmsm. "instructions": even at its floor the kernel would miss the target here.

`

// bounds prints for each target of a mode what its kernels execute, how long that takes when
// nothing waits (package floor), and how long it does take: whether what is missing to
// the target is lost waiting or was never there.
func bounds(w io.Writer, c config) error {
	b, err := newBlocks(c.implementation)
	if err != nil {
		return err
	}
	loops, err := floor.Loops()
	if err != nil {
		return err
	}
	if loops == nil || c.implementation != "avx512+gfni" {
		fmt.Fprintln(w, "no floors are known for this implementation")
		return nil
	}
	fmt.Fprint(w, preface)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\tGFNI\tlogic\tshuffle\tclmul\tcopy\tload\tstore\tfloor\tkernel\tcall\tgmsm\tkernel/floor\tratio\tat floor\ttarget\tbound by\t")
	for _, x := range allTargets() {
		if len(x.loops) == 0 {
			continue
		}
		m := measureBound(c, b, x, loops)
		n := m.perBlock
		fmt.Fprintf(t, "%s\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t", x.name, n[0], n[1], n[2], n[3], n[4], n[5], n[6])
		fmt.Fprintf(t, "%.0f\t%.0f\t%.0f\t%.0f\t%.2f\t%.2f\t%.2f\t%.2f\t%s\t\n", m.floor, m.kernel, m.call, m.gmsm,
			m.kernel/m.floor, m.gmsm/m.call, m.gmsm/m.floor, x.least, m.by(x.least))
	}
	return t.Flush()
}

// A bound is what was found for one target: instructions per block of 16 bytes in the order of
// floor.Counts, and cycles per KiB.
type bound struct {
	perBlock                  [7]float64
	floor, kernel, call, gmsm float64
}

// by names what keeps the ratio below the target.
func (m bound) by(least float64) string {
	switch {
	case m.gmsm/m.call >= least:
		return "met"
	case m.gmsm/m.floor < least:
		return "instructions"
	case m.gmsm/m.kernel < least:
		return "waiting"
	}
	return "the call"
}

// chainSteps takes some microseconds.
const chainSteps = 10_000

func measureBound(c config, b blocks, x target, loops map[string]floor.Loop) (m bound) {
	ours, g, _ := x.make(b)
	subjects := []func(){func() { chain.Add(chainSteps) }, ours, g}
	for _, name := range x.loops {
		l := loops[name]
		subjects = append(subjects, l.Floor, l.Kernel)
		for i, n := range []int{l.GFNI, l.Logic, l.Shuffle, l.Multiply, l.Copy, l.Load, l.Store} {
			m.perBlock[i] += float64(n) * 16 / float64(l.Turn)
		}
	}
	times := turns.Measure(c.perRow, batch, subjects...)
	cyclesPerKiB := func(ns float64, bytes int) float64 { return ns / times[0] * chainSteps * 1024 / float64(bytes) }
	m.call, m.gmsm = cyclesPerKiB(times[1], x.bytes), cyclesPerKiB(times[2], x.bytes)
	for i, name := range x.loops {
		bytes := loops[name].Bytes
		m.floor += cyclesPerKiB(times[3+2*i], bytes)
		m.kernel += cyclesPerKiB(times[4+2*i], bytes)
	}
	return m
}
