//go:build !linux

package turns

import "time"

// Clock names the clock.
const Clock = "wall clock"

var start = time.Now()

// now is time in nanoseconds.
func now() int64 { return int64(time.Since(start)) }
