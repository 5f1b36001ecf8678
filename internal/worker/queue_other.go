//go:build !linux

package worker

import "time"

// queueing is not told here.
func queueing(int) func() time.Duration { return func() time.Duration { return 0 } }
