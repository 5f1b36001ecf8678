//go:build race

package aes

const raceEnabled = true
