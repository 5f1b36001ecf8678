package main

import (
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/asking"
	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/library"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/suite"
	"github.com/cryptogauge/cryptogauge/internal/worker"
)

// newWorker is the child's side of a run. It is not for typing.
func newWorker(s streams) *cobra.Command {
	var asks bool
	var stands standing
	cmd := &cobra.Command{
		Use:    "worker",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("serve") {
				return stands.run(cmd, s)
			}
			in := s.In
			pipe, piped := in.(*os.File)
			if piped {
				worker.EndWith(pipe, func() { os.Exit(command.ExitOK) })
			}
			if asks {
				return asking.Serve(in, s.Out)
			}
			if piped {
				in = worker.Quiet(pipe)
			}
			return worker.Serve(in, s.Out, withClient)
		},
	}
	cmd.Flags().BoolVar(&asks, "ask", false, "")
	cmd.Flags().StringVar(&stands.mode, "serve", "", "")
	cmd.Flags().StringVar(&stands.bytes, "bytes", "1KiB", "")
	cmd.Flags().IntVar(&stands.port, "port", 0, "")
	return cmd
}

// standing is the server of a service that is measured, for another generator than its client.
type standing struct {
	mode, bytes string
	port        int
}

func (f standing) run(cmd *cobra.Command, s streams) error {
	if !slices.Contains(library.Served(), f.mode) {
		return language.Errorf("--serve %q: there are %s", "--serve %q：可选 %s", f.mode, strings.Join(library.Served(), ", "))
	}
	bytes, err := plan.ParseSize(f.bytes)
	if err != nil {
		return language.Errorf("--bytes: %w", "--bytes：%s", err)
	}
	if f.port < 0 || f.port > 65535 {
		return language.Errorf("--port %d: give a number from 0 to 65535", "--port %d：请给出 0 至 65535 之间的数", f.port)
	}
	return library.Stand(cmd.Context(), f.mode, bytes, f.port, s.Out)
}

// withClient is the bench of a worker that starts clients of its services: this program again.
func withClient(s provider.Setting) worker.Bench {
	s.Client = worker.Shared(func() (io.ReadWriteCloser, error) {
		c := worker.Command{Path: ownImage, Name: os.Args[0], Args: []string{"worker", "--ask"}, Env: os.Environ()}
		if _, err := os.Stat(ownImage); err != nil {
			if c.Path, err = command.ThisProgram(); err != nil {
				return nil, err
			}
		}
		return worker.Beside(c)
	})
	return library.Bench(s)
}

// ownImage is the program that runs, even where its file was replaced or removed
// since: a run must not go on with another build in the middle.
const ownImage = "/proc/self/exe"

// workerCommand starts this binary again as a worker, with the environment of its trials.
func workerCommand() (func(plan.WorkerKey) worker.Command, error) {
	self, err := command.ThisProgram()
	if err != nil {
		return nil, language.Errorf("finding this program to start it again: %w", "查找本程序以启动工作进程：%s", err)
	}
	name := self
	if _, err := os.Stat(ownImage); err == nil {
		self = ownImage
	}
	return func(key plan.WorkerKey) worker.Command {
		return worker.Command{Path: self, Name: name, Args: []string{"worker"}, Env: environ(key.Environment)}
	}, nil
}

func newWorkers(objects []string, setting provider.Setting, deadline time.Duration) (*suite.Workers, error) {
	again, err := workerCommand()
	if err != nil {
		return nil, err
	}
	natives, err := natives(objects)
	if err != nil {
		return nil, err
	}
	return suite.NewWorkers(again, setting, deadline).Beyond(natives), nil
}

// environ is the environment of a worker: this program's, and what that of its trials sets.
func environ(environment string) []string {
	return append(os.Environ(), asked(environment)...)
}

// asked are the variables that a trial's environment sets. GODEBUG holds several
// settings: what the user set stays, and the trial's comes after it.
func asked(environment string) (env []string) {
	for variable := range strings.FieldsSeq(environment) {
		name, value, _ := strings.Cut(variable, "=")
		if before := os.Getenv(name); name == "GODEBUG" && before != "" {
			variable = name + "=" + before + "," + value
		}
		env = append(env, variable)
	}
	return env
}
