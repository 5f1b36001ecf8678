//go:build !unix

package worker

import (
	"os"
	"os/exec"
)

// EndWith does nothing here: a worker ends when it next reads its input.
func EndWith(*os.File, func()) {}

func ownGroup(*exec.Cmd)      {}
func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
