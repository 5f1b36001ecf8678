//go:build unix

package command

import (
	"os"

	"golang.org/x/sys/unix"
)

// become makes this process another program: its signals and its exit code are that one's.
func become(path string, args []string) error {
	return unix.Exec(path, append([]string{path}, args...), os.Environ())
}
