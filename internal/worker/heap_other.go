//go:build !linux

package worker

func populate(uintptr) bool { return false }
