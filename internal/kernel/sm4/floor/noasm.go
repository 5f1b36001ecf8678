//go:build !amd64 || purego

package floor

// Loops are the kernels by name, none here.
func Loops() (map[string]Loop, error) { return nil, nil }
