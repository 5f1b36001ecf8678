//go:build !amd64 || purego

package sm4

const assembly = false
