//go:build !purego && !floor

package floor

import "errors"

// Loops tells how to get the kernels: their assembly is no part of this build.
func Loops() (map[string]Loop, error) {
	return nil, errors.New("floors are not part of this build: run make bound, which generates them")
}
