//go:build !unix

package build

import "os/exec"

func ownGroup(*exec.Cmd)            {}
func interrupt(cmd *exec.Cmd) error { return cmd.Process.Kill() }
func killGroup(*exec.Cmd)           {}
