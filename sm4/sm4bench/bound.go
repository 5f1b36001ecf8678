package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/cryptogauge/cryptogauge/internal/kernel/bound"
	"github.com/cryptogauge/cryptogauge/internal/kernel/sm4/floor"
)

const preface = `Vector instructions per 16 bytes; then cycles per KiB:
floor   the same instructions where none waits for an inversion or a product
kernel  as it is; kernel/floor is what it waits
call    by way of the package
Ratios are to gmsm. "instructions": even at its floor the kernel would miss the target here.

`

// bounds prints for each target of a mode what its kernels execute, how long that takes when
// nothing waits (package bound), and how long it does take: whether what is missing to
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
	for _, x := range slices.Concat(allTargets(), manyTargets()) {
		if len(x.loops) == 0 {
			continue
		}
		ours, g, _ := x.make(b)
		var through []bound.Loop
		for _, name := range x.loops {
			through = append(through, loops[name])
		}
		m := bound.Measure(c.perRow, batch, ours, g, x.bytes, through...)
		fmt.Fprintf(t, "%s\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t", x.name, m.GFNI, m.Logic, m.Shuffle, m.Multiply, m.Copy, m.Load, m.Store)
		fmt.Fprintf(t, "%.0f\t%.0f\t%.0f\t%.0f\t%.2f\t%.2f\t%.2f\t%.2f\t%s\t\n", m.Floor, m.Kernel, m.Call, m.Other,
			m.Kernel/m.Floor, m.Ratio(), m.AtFloor(), x.least, m.By(x.least))
	}
	return t.Flush()
}
