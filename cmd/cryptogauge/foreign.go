package main

import (
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/suite"
	"github.com/cryptogauge/cryptogauge/internal/worker"
)

// addWorkers adds the workers that --worker names to a run, and with them the cases that they bring.
func addWorkers(c *suite.Config, commands []string) error {
	for i, text := range commands {
		switch {
		case strings.TrimSpace(text) == "":
			return language.Errorf("--worker is empty; give the command that starts one, as in --worker ./mybench",
				"--worker 为空；请给出启动工作进程的命令，例如 --worker ./mybench")
		case slices.Contains(commands[:i], text):
			return language.Errorf("--worker %s is given twice", "--worker %s 给了两次", text)
		}
		c.Native = append(c.Native, suite.Native{Library: text, Foreign: true, Command: shellCommand(text)})
	}
	own := slices.ContainsFunc(c.Experiments, func(e plan.Experiment) bool { return e.Name == plan.OwnName })
	switch {
	case own && len(commands) == 0:
		return language.Errorf("own measures what workers bring; name one, as in --worker ./mybench",
			"own 测量工作进程自带的操作；请指定一个，例如 --worker ./mybench")
	case !own && len(commands) > 0:
		c.Experiments = append(c.Experiments, plan.Brought())
	}
	return nil
}

// shellCommand starts a worker by a command line, as a shell reads it.
func shellCommand(text string) func(environment string, twin int) worker.Command {
	return inEnvironment(worker.Command{Path: "/bin/sh", Name: "sh", Args: []string{"-c", "exec " + text}})
}

// inEnvironment starts a worker in the environment of its trials.
func inEnvironment(c worker.Command) func(environment string, twin int) worker.Command {
	return func(environment string, _ int) worker.Command {
		started := c
		started.Env = environ(environment)
		return started
	}
}
