//go:build !unix

package archive

import "io/fs"

// openTo are the permissions that a password file must not give.
func openTo(fs.FileInfo) fs.FileMode { return 0 }
