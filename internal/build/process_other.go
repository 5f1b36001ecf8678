//go:build !unix

package build

import (
	"errors"
	"os"
	"os/exec"
)

func ownGroup(*exec.Cmd)            {}
func interrupt(cmd *exec.Cmd) error { return cmd.Process.Kill() }
func killGroup(*exec.Cmd)           {}

func lock(*os.File, waits) error { return errors.ErrUnsupported }
