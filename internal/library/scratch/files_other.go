//go:build !linux

package scratch

// FileSystem says what a directory lies on, where that can be told.
func FileSystem(string) string       { return "on an unknown file system" }
func freeBytes(string) (int64, bool) { return 0, false }
