package command

import (
	"os"
	"strings"
	"sync"
	"time"
)

// What progress on a terminal is drawn with.
const (
	redraw   = 400 * time.Millisecond
	EraseEnd = "\x1b[K" // to the end of the line
	barWidth = 24
)

// Bar draws a share from 0 to 1.
func Bar(share float64) string {
	full := int(share * barWidth)
	return strings.Repeat("━", full) + strings.Repeat("─", barWidth-full)
}

// Redrawn calls draw a few times a second, until it is stopped.
func Redrawn(draw func()) (stop func()) {
	stopped := make(chan struct{})
	var ended sync.WaitGroup
	ended.Go(func() {
		for tick := time.NewTicker(redraw); ; {
			select {
			case <-stopped:
				tick.Stop()
				return
			case <-tick.C:
				draw()
			}
		}
	})
	return func() {
		close(stopped)
		ended.Wait()
	}
}

// Colour says whether marks may be coloured: on a terminal, unless NO_COLOR is
// set and not empty (no-color.org).
func Colour(w any) bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && IsTerminal(w)
}

// IsTerminal says whether a stream is one.
func IsTerminal(w any) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
