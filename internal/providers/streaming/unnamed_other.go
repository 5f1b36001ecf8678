//go:build !linux

package streaming

import "os"

// unnamed makes a file whose name lives for an instant.
func unnamed(dir string) (*os.File, error) {
	if dir == "" {
		dir = os.TempDir()
	}
	return removed(dir)
}
