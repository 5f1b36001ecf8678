package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/build"
	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/machine"
	"github.com/cryptogauge/cryptogauge/internal/render"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/internal/treesum/digest"
	"github.com/cryptogauge/cryptogauge/internal/treesum/hashing"
	"github.com/cryptogauge/cryptogauge/internal/version"
)

// streams are what the program was started with, so that tests can pass their own.
type streams struct {
	command.Session
	state func() machine.State // what others take of the machine; nil reads its files
}

// repeated are the flags that a command to run next repeats.
func (s streams) repeated() (flags []string) {
	for _, f := range document.TypedFlags(s.Args, "lang") {
		flags = []string{"--" + f.Name, f.Value}
	}
	return flags
}

func run(s streams) int { return program(s).Main(s.Session) }

// program is all verbs. Those of stores are another program's.
func program(s streams) command.Program {
	return command.Program{Version: version.Tool(),
		Words: []string{"{formats}", strings.Join(render.Formats(), ", "), "{algorithms}", strings.Join(digest.Names(), ", "), "{oldest Go}", build.OldestGo,
			"{versioned}", strings.Join(subject.Versioned(), ", ")},
		Verbs: func(session command.Session) []*cobra.Command {
			s.Session = session
			children := []*cobra.Command{newWorker(s), newBenchworker(s)}
			if len(s.Args) > 0 && slices.ContainsFunc(children, func(c *cobra.Command) bool { return c.Name() == s.Args[0] }) {
				return children // of which a run starts one a block: the help of all verbs would be a fifth of their start
			}
			return append(children, newRun(s), newPlan(s), newCheck(s), newVerify(s), newCompare(s), command.Forwarded(session, "store"),
				command.Forwarded(session, "history"), command.Forwarded(session, "serve"), hashing.New(s.Session, nil), newLoad(s),
				newReport(s), newList(s), newDoctor(s), newSelftest(s), newVersion(s))
		}}
}
