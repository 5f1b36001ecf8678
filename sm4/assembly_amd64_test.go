//go:build amd64 && !purego

package sm4

// assembly: the build has kernels.
const assembly = true
