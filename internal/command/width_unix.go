//go:build unix

package command

import (
	"os"

	"golang.org/x/sys/unix"
)

// Reports are drawn for 100 columns, and for fewer where the terminal has fewer.
const (
	widest   = 100
	leastFit = 40
)

// TerminalWidth is the width of the terminal that w is, within what a report
// fits; 0, which leaves it to the report, where w is none.
func TerminalWidth(w any) int {
	f, ok := w.(*os.File)
	if !ok {
		return 0
	}
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil || size.Col == 0 {
		return 0
	}
	return min(widest, max(leastFit, int(size.Col)))
}
