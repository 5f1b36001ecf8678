//go:build !linux

package main

import "os"

// unchanging makes a file that no folder has any more.
func unchanging(content []byte) (*os.File, error) {
	f, err := os.CreateTemp("", "cryptogauge-sample-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, err
	}
	_, err = f.Write(content)
	return f, err
}
