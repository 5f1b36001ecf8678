//go:build amd64 && !purego

package multibuffer

// assembly: the build has kernels.
const assembly = true
