//go:build !linux

package command

// Closed isn't known here.
func Closed(any) bool { return false }

// ReserveDescriptors has nothing to do here.
func ReserveDescriptors() error { return nil }
