//go:build !linux || (!amd64 && !arm64)

package main

// librariesInC are none: the laboratory opens no shared object here.
func librariesInC() []peer { return nil }
