//go:build !race

package aes

const raceEnabled = false
