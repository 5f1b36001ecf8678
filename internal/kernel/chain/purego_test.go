//go:build purego

package chain

const purego = true
