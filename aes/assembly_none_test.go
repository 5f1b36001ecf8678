//go:build !amd64 || purego

package aes

const assembly = false
