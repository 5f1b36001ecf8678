package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/cryptogauge/cryptogauge/aes"
	"github.com/cryptogauge/cryptogauge/internal/kernel/aes/floor"
	"github.com/cryptogauge/cryptogauge/internal/kernel/bound"
)

const preface = `Vector instructions per 16 bytes; then cycles per KiB:
floor   the same instructions where no round of AES and no product waits for another
kernel  as it is; kernel/floor is what it waits
call    by way of the package
Ratios are to crypto/aes. "instructions": even at its floor the kernel would miss the target here.

`

// bounds prints for each target of a mode what its kernels execute, how long that takes when
// nothing waits (package bound), and how long it does take: whether what is missing to
// the target is lost waiting or was never there.
func bounds(w io.Writer, c config) error {
	fmt.Fprint(w, preface)
	for _, bits := range []int{128, 256} {
		loops, err := floor.Loops(bits)
		if err != nil {
			return err
		}
		if loops == nil || c.implementation != aes.Implementations()[0] {
			fmt.Fprintln(w, "no floors are known for this implementation")
			return nil
		}
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintf(t, "AES-%d\tAES\tlogic\tshuffle\tclmul\tload\tstore\tfloor\tkernel\tcall\tcrypto/aes\tkernel/floor\tratio\tat floor\ttarget\tbound by\t\n", bits)
		for _, x := range append(allTargets(), manyTargets()...) {
			if len(x.loops) == 0 {
				continue
			}
			ours, theirs := x.make(c, bits)
			var through []bound.Loop
			for _, name := range x.loops {
				through = append(through, loops[name])
			}
			m := bound.Measure(c.perRow, batch, ours, theirs, x.bytes, through...)
			fmt.Fprintf(t, "%s\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t", x.name, m.AES, m.Logic, m.Shuffle, m.Multiply, m.Load, m.Store)
			fmt.Fprintf(t, "%.0f\t%.0f\t%.0f\t%.0f\t%.2f\t%.2f\t%.2f\t%.2f\t%s\t\n", m.Floor, m.Kernel, m.Call, m.Other,
				m.Kernel/m.Floor, m.Ratio(), m.AtFloor(), x.least, m.By(x.least))
		}
		fmt.Fprintln(t)
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return nil
}
