//go:build !linux

package traffic

import (
	"runtime"
	"time"
)

func precise() {}

func sleep(d time.Duration) { time.Sleep(d) }

func processors() int { return runtime.NumCPU() }
