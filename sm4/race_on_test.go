//go:build race

package sm4

// race: the detector is on, which lets pools forget what they hold.
const race = true
