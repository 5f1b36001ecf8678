//go:build purego

package isa

const Assembly = false
