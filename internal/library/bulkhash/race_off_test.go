//go:build !race

package bulkhash

// race says that the race detector is on, which allocates.
const race = false
