//go:build amd64 && !purego

package aes

// assembly: the build has kernels.
const assembly = true
