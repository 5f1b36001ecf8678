//go:build !linux

package clock

import (
	"errors"
	"fmt"
)

// AllowedCPUs returns an error that wraps [errors.ErrUnsupported].
func AllowedCPUs() ([]int, error) {
	return nil, fmt.Errorf("reading the thread's CPUs: %w on this system", errors.ErrUnsupported)
}

// Allow returns an error that wraps [errors.ErrUnsupported].
func Allow([]int) error {
	return fmt.Errorf("pinning the thread: %w on this system", errors.ErrUnsupported)
}
