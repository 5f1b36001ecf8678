//go:build !linux || !(amd64 || arm64)

package treehash

// quick leaves all to careful where nobody has shown that less is enough.
func (w *worker) quick(*batch, *entry) bool { return false }
