//go:build !linux

package gobench

import (
	"os/exec"
	"time"
)

// withParent has nothing to set: the laboratory kills the worker's process group.
func withParent(*exec.Cmd) {}

// queues knows nothing of what a process waits for.
func queues(int, map[string]time.Duration) {}
