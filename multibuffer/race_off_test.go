//go:build !race

package multibuffer

const race = false
