package bound

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

const preface = `Vector instructions per 16 bytes; then cycles per KiB:
floor   the same instructions where no inversion, product or round of AES waits for what was computed before
kernel  as it is; kernel/floor is what it waits
call    by way of the package
Ratios are to %s. "instructions": even at its floor the kernel would miss the target here.

`

// A Row is a call that goes through loops, what it is compared with, both for so many bytes, and how many times as
// fast it shall be, or 0.
type Row struct {
	Name        string
	Bytes       int
	Call, Other func()
	Target      float64
	Loops       []Loop
}

// Preface prints what a table shows whose calls are compared with other.
func Preface(w io.Writer, other string) { fmt.Fprintf(w, preface, other) }

// Table prints a line for each row, which takes about d: what its kernels execute, how long that takes when nothing
// waits, and how long it does take: whether what is missing to the target is lost waiting or was never there.
func Table(w io.Writer, title, other string, d, batch time.Duration, rows []Row) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "%s\tAES\tGFNI\tlogic\tshuffle\tclmul\tcopy\tload\tstore\t", title)
	fmt.Fprintf(t, "floor\tkernel\tcall\t%s\tkernel/floor\tratio\tat floor\ttarget\tbound by\t\n", other)
	for _, r := range rows {
		m := measure(d, batch, r)
		fmt.Fprintf(t, "%s\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t", r.Name,
			m.aes, m.gfni, m.logic, m.shuffle, m.multiply, m.copies, m.load, m.store)
		fmt.Fprintf(t, "%.0f\t%.0f\t%.0f\t%.0f\t%.2f\t%.2f\t%.2f\t", m.floor, m.kernel, m.call, m.other, m.kernel/m.floor, m.ratio(), m.atFloor())
		if r.Target > 0 {
			fmt.Fprintf(t, "%.2f\t%s", r.Target, m.by(r.Target))
		} else {
			fmt.Fprint(t, "\t")
		}
		fmt.Fprintln(t, "\t")
	}
	return t.Flush()
}
