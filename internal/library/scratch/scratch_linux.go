package scratch

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"

	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// fileSystems are the usual ones by the number that statfs gives (linux/magic.h).
var fileSystems = map[int64]string{
	unix.EXT4_SUPER_MAGIC: "ext4", unix.TMPFS_MAGIC: "tmpfs", unix.XFS_SUPER_MAGIC: "xfs", unix.BTRFS_SUPER_MAGIC: "btrfs",
	unix.OVERLAYFS_SUPER_MAGIC: "overlayfs", unix.NFS_SUPER_MAGIC: "nfs", unix.F2FS_SUPER_MAGIC: "f2fs", 0x2fc12fc1: "zfs",
}

func fileSystem(dir string) string {
	var s unix.Statfs_t
	_ = unix.Statfs(dir, &s) // 0 is none of them
	return fileSystems[int64(s.Type)]
}

// freeBytes is what a process without privileges may still write.
func freeBytes(dir string) (int64, bool) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil || s.Blocks == 0 {
		return 0, false // a file system that does not count
	}
	return int64(s.Bavail) * int64(s.Bsize), true
}

// unnamed makes a file that never has a name. Where the file system can't (NFS, overlays
// on old kernels), its name lives for an instant.
func unnamed(dir string) (*os.File, error) {
	fd, err := unix.Open(dir, unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	switch {
	case err == nil:
		return os.NewFile(uintptr(fd), dir+" (a file without a name)"), nil
	case errors.Is(err, unix.EOPNOTSUPP), errors.Is(err, unix.EISDIR), errors.Is(err, unix.EINVAL):
		return removed(dir)
	}
	return nil, reason.New("making-file", dir, err)
}
