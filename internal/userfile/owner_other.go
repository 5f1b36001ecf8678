//go:build !unix

package userfile

import "io/fs"

// OpenTo is unknown here: permissions are kept elsewhere.
func OpenTo(fs.FileInfo) fs.FileMode { return 0 }
