//go:build !linux

package main

import (
	"os"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

func inMemory([]byte) (*os.File, error) {
	return nil, language.Errorf("PKCS#11 modules are measured on Linux only", "仅在 Linux 上测量 PKCS#11 模块")
}

func askPIN(streams) ([]byte, error) { return nil, nil }
