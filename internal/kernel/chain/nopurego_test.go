//go:build !purego

package chain

const purego = false
