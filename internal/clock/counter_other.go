//go:build !linux

package clock

import (
	"errors"
	"fmt"
)

// Counter counts the cycles that one thread spends in user mode. It is
// implemented on Linux only.
type Counter struct{}

// OpenCounter returns an error that wraps [errors.ErrUnsupported].
func OpenCounter() (*Counter, error) {
	return nil, fmt.Errorf("opening the cycle counter: %w on this system", errors.ErrUnsupported)
}

// Read returns [NoCycles].
func (c *Counter) Read() int64 { return NoCycles }

// Close does nothing.
func (c *Counter) Close() error { return nil }
