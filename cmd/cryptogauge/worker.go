package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/providers"
	"github.com/cryptogauge/cryptogauge/measure"
	"github.com/cryptogauge/cryptogauge/worker"
)

// newWorker is the child's side of a run. It is not for typing.
func newWorker(s streams) *cobra.Command {
	return &cobra.Command{
		Use:    "worker",
		Short:  "Serve operations over standard input and output (see worker/PROTOCOL.md)",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			in := s.in
			if pipe, ok := in.(*os.File); ok {
				worker.EndWith(pipe, func() { os.Exit(exitOK) })
				in = worker.Quiet(pipe)
			}
			return worker.Serve(in, s.out, providers.Bench)
		},
	}
}

// ownImage is the program that runs, even where its file was replaced or removed
// since: a run must not go on with another build in the middle.
const ownImage = "/proc/self/exe"

// workerCommand starts this binary again as a worker, with the environment of its trials.
func workerCommand() (func(measure.WorkerKey) worker.Command, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding this program to start it again: %w", err)
	}
	if self, err = filepath.EvalSymlinks(self); err != nil {
		return nil, fmt.Errorf("finding this program to start it again: %w", err)
	}
	name := self
	if _, err := os.Stat(ownImage); err == nil {
		self = ownImage
	}
	return func(key measure.WorkerKey) worker.Command {
		return worker.Command{Path: self, Name: name, Args: []string{"worker"}, Env: append(os.Environ(), asked(key)...)}
	}, nil
}

// asked are the variables that a trial's environment sets. GODEBUG holds several
// settings: what the user set stays, and the trial's comes after it.
func asked(key measure.WorkerKey) (env []string) {
	for _, variable := range strings.Fields(key.Environment) {
		name, value, _ := strings.Cut(variable, "=")
		if before := os.Getenv(name); name == "GODEBUG" && before != "" {
			variable = name + "=" + before + "," + value
		}
		env = append(env, variable)
	}
	return env
}
