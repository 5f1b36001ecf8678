//go:build !linux

package clock

import (
	"errors"
	"fmt"
)

// What follows is implemented on Linux only; the errors wrap [errors.ErrUnsupported].

func AllowedCPUs(int) ([]int, error) {
	return nil, fmt.Errorf("reading the thread's CPUs: %w on this system", errors.ErrUnsupported)
}

func Allow(int, []int) error {
	return fmt.Errorf("pinning the thread: %w on this system", errors.ErrUnsupported)
}

type Counter struct{}

func OpenCounter() (*Counter, error) {
	return nil, fmt.Errorf("opening the cycle counter: %w on this system", errors.ErrUnsupported)
}

func (c *Counter) Read() int64  { return NoCycles }
func (c *Counter) Close() error { return nil }
func CPU() int                  { return -1 }
