package scratch

import (
	"os"

	"golang.org/x/sys/unix"
)

// fileSystems are the usual ones by the number that statfs gives (linux/magic.h).
var fileSystems = map[int64]string{
	unix.EXT4_SUPER_MAGIC: "ext4", unix.TMPFS_MAGIC: "tmpfs", unix.XFS_SUPER_MAGIC: "xfs", unix.BTRFS_SUPER_MAGIC: "btrfs",
	unix.OVERLAYFS_SUPER_MAGIC: "overlayfs", unix.NFS_SUPER_MAGIC: "nfs", unix.F2FS_SUPER_MAGIC: "f2fs", 0x2fc12fc1: "zfs",
}

// FileSystem says what a directory lies on.
func FileSystem(dir string) string {
	if dir == "" {
		dir = os.TempDir()
	}
	var s unix.Statfs_t
	if unix.Statfs(dir, &s) == nil {
		if name, known := fileSystems[int64(s.Type)]; known {
			return "on " + name
		}
	}
	return "on an unknown file system"
}

// freeBytes is what a process without privileges may still write.
func freeBytes(dir string) (int64, bool) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil || s.Blocks == 0 {
		return 0, false // a file system that does not count
	}
	return int64(s.Bavail) * int64(s.Bsize), true
}
