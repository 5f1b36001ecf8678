//go:build !linux

package command

import (
	"io"
	"os"
)

// AskSecret asks nobody here.
func AskSecret(*os.File, io.Writer, string) ([]byte, error) { return nil, ErrNoTerminal }
