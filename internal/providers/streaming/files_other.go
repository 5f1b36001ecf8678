//go:build !linux

package streaming

func fileSystem(string) string       { return "on an unknown file system" }
func freeBytes(string) (int64, bool) { return 0, false }
