//go:build !linux

package main

import (
	"os"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// memoryFile is for PINs, and so for Linux alone.
func memoryFile(string, []byte) (*os.File, error) {
	return nil, language.Errorf("PKCS#11 modules are measured on Linux only", "仅在 Linux 上测量 PKCS#11 模块")
}

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
