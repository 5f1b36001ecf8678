//go:build unix

package access

import (
	"io/fs"
	"syscall"
)

// openTo are the permissions that a token's file must not give. One that root owns its group may read, as clusters
// mount secrets for a user.
func openTo(info fs.FileInfo) fs.FileMode {
	const others, notToRead = 0o077, 0o037
	if owner, ok := info.Sys().(*syscall.Stat_t); ok && owner.Uid == 0 {
		return notToRead
	}
	return others
}
