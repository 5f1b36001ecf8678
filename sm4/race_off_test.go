//go:build !race

package sm4

const race = false
