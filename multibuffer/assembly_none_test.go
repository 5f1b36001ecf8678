//go:build !amd64 || purego

package multibuffer

const assembly = false
