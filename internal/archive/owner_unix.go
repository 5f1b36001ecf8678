//go:build unix

package archive

import (
	"io/fs"
	"syscall"
)

// openTo are the permissions that a password file must not give.
func openTo(info fs.FileInfo) fs.FileMode {
	const others, notToRead = 0o077, 0o037
	if owner, ok := info.Sys().(*syscall.Stat_t); ok && owner.Uid == 0 {
		return notToRead
	}
	return others
}
