//go:build !unix || aix || solaris

package sums

import "os"

// renamesOpen says that a file can be renamed while it is open.
const renamesOpen = false

// noFollow is nothing here: only what is made anew is no link for certain.
const noFollow = 0

// lock does nothing: here nothing keeps a second run from the file.
func lock(*os.File) error { return nil }

// closeLocked closes what openLocked opened.
func closeLocked(f *os.File) error { return f.Close() }

// namesOf is how many names a file has, as far as anybody tells.
func namesOf(os.FileInfo) uint64 { return 1 }

// inheritOwner does nothing: here nobody tells whose a file is.
func inheritOwner(*os.File, os.FileInfo) {}
