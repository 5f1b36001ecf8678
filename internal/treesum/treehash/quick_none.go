//go:build !linux || !(amd64 || arm64)

package treehash

// quick leaves all to careful where nobody has shown that less is enough.
func (w *worker) quick(*batch, int) bool { return false }

// An ahead is nothing, likewise.
type ahead struct{}

func (*ahead) prepare() {}
func (*ahead) close()   {}
func (*ahead) end()     {}
