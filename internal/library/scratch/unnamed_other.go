//go:build !linux

package scratch

import "os"

// File makes a file whose name lives for an instant.
func File(dir string) (*os.File, error) {
	if dir == "" {
		dir = os.TempDir()
	}
	return removed(dir)
}
