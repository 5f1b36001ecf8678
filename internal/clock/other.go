//go:build !linux

package clock

import (
	"errors"
	"fmt"
)

// What follows is implemented on Linux only; the errors wrap [errors.ErrUnsupported].

// AllowedCPUs returns an error.
func AllowedCPUs() ([]int, error) {
	return nil, fmt.Errorf("reading the thread's CPUs: %w on this system", errors.ErrUnsupported)
}

// Allow returns an error.
func Allow([]int) error {
	return fmt.Errorf("pinning the thread: %w on this system", errors.ErrUnsupported)
}

// Counter counts the cycles that one thread spends in user mode.
type Counter struct{}

// OpenCounter returns an error.
func OpenCounter() (*Counter, error) {
	return nil, fmt.Errorf("opening the cycle counter: %w on this system", errors.ErrUnsupported)
}

// Read returns [NoCycles].
func (c *Counter) Read() int64 { return NoCycles }

// Close does nothing.
func (c *Counter) Close() error { return nil }

// CPU returns −1: the system does not tell on which CPU a thread runs.
func CPU() int { return -1 }
