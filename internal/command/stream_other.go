//go:build !linux

package command

import (
	"io"
	"os"
)

// Closed isn't known here.
func Closed(any) bool { return false }

// ReserveDescriptors has nothing to do here.
func ReserveDescriptors() error { return nil }

// AskSecret asks nobody here.
func AskSecret(*os.File, io.Writer, string) ([]byte, error) { return nil, ErrNoTerminal }
