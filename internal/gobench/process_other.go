//go:build !linux

package gobench

import "os/exec"

// withParent has nothing to set: the laboratory kills the worker's process group.
func withParent(*exec.Cmd) {}
