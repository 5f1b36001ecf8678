//go:build !unix

package access

import "io/fs"

// openTo is unknown here: permissions are kept elsewhere.
func openTo(fs.FileInfo) fs.FileMode { return 0 }
