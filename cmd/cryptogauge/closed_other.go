//go:build !linux

package main

// closed isn't known here.
func closed(any) bool { return false }

// reserveDescriptors has nothing to do here.
func reserveDescriptors() error { return nil }
