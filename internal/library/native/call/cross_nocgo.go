//go:build linux && (amd64 || arm64) && !cgo

package call

// Paths are the ways that this binary has: without a C compiler there is one.
func Paths() []Path { return []Path{Purego} }
