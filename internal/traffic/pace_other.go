//go:build !linux

package traffic

import "time"

func precise() {}

func sleep(d time.Duration) { time.Sleep(d) }
