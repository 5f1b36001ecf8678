package scratch

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"

	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// File makes a file that never has a name, so that nothing is left of it
// however the process ends. Where the file system can't (NFS, overlays on old
// kernels), its name lives for an instant.
func File(dir string) (*os.File, error) {
	if dir == "" {
		dir = os.TempDir()
	}
	fd, err := unix.Open(dir, unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	switch {
	case err == nil:
		return os.NewFile(uintptr(fd), dir+" (a file without a name)"), nil
	case errors.Is(err, unix.EOPNOTSUPP), errors.Is(err, unix.EISDIR), errors.Is(err, unix.EINVAL):
		return removed(dir)
	}
	return nil, reason.New("making-file", dir, err)
}
