package answer

import (
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// narrowings are the flags of run that say what it measures and where it is filed, and librariesAsked those of them that every
// question takes in the same way.
var (
	narrowings = []string{"algorithms", "modes", "operations", "sizes", "libraries", "library", "worker", "goroutines", "messages",
		"dir", "chunks", "total", "time", "memory", "logins", "sample", "token", "pin-file", "output"}
	librariesAsked = []string{"libraries", "library", "worker", "token", "pin-file", "output"}
)

const runCommand = "cryptogauge run "

// Run suggests a run, by its question and flags: "rsa --sizes 190,300".
func Run(what, en, zh string) layout.Next {
	return layout.Next{Command: runCommand + what, Why: layout.Text{EN: en, ZH: zh}}
}

// alone is the command that asks the question alone and in full, of what the run asked.
func (q Question) alone(d *document.Document) string {
	if q.Verb {
		return "cryptogauge " + document.Typed(d.Command...)
	}
	return q.narrowed(d, runCommand+q.Name)
}

// next are the commands that a question suggests, of what the run asked, each once. What was just run
// is not suggested.
func (q Question) next(d *document.Document, all []layout.Next) (kept []layout.Next) {
	if q.Verb {
		return all
	}
	plain := runCommand + q.Name
	for _, n := range all {
		command := q.narrowed(d, n.Command)
		switch {
		case n.Command == plain && InFull(d), slices.ContainsFunc(kept, func(k layout.Next) bool { return k.Command == command }):
			continue
		case n.Command == plain && command != plain:
			n.Why = layout.Text{EN: "the full form of what was asked here", ZH: "在同样的范围内完整测量"}
		}
		n.Command = command
		kept = append(kept, n)
	}
	return kept
}

// InFull says whether a run was in the full form, and nothing of it was cut.
func InFull(d *document.Document) bool {
	return len(d.Command) > 0 && d.Suite != "quick" && !slices.Contains(d.Command, "--quick") && len(d.LeftOut) == 0 && !d.Partial
}

// narrowed is a command of run with the flags that narrowed the run, but for those that it has
// itself. Of another question's they are which libraries are asked. Another verb's stays as it is.
func (q Question) narrowed(d *document.Document, command string) string {
	if !strings.HasPrefix(command, runCommand) {
		return command
	}
	words := strings.Fields(command)
	names := librariesAsked
	if strings.HasPrefix(command+" ", runCommand+q.Name+" ") {
		names = narrowings
	}
	for _, f := range document.TypedFlags(d.Command, names...) {
		if !slices.Contains(words, "--"+f.Name) && (q.Takes == nil || q.Takes(f.Name, f.Value)) {
			command += " " + document.Typed("--"+f.Name, f.Value)
		}
	}
	return command
}
