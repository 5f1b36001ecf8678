//go:build race

package multibuffer

// race: the detector is on, which lets pools forget what they hold.
const race = true
