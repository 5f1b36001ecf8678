//go:build unix

package userfile

import (
	"io/fs"
	"syscall"
)

// OpenTo are the permissions that a file with a password or a token must not give. One that root owns its group may
// read, as clusters mount secrets for a user.
func OpenTo(info fs.FileInfo) fs.FileMode {
	const others, notToRead = 0o077, 0o037
	if owner, ok := info.Sys().(*syscall.Stat_t); ok && owner.Uid == 0 {
		return notToRead
	}
	return others
}
