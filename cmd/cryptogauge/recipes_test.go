package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/question"
)

// recipe is a line of a readme's table: a question and the command that answers it.
type recipe struct {
	question string
	args     []string // behind the program's name
}

var recipeLine = regexp.MustCompile("(?m)^\\| (.+) \\| `cryptogauge ([^`]+)` \\|$")

// recipes are those of a readme, with the names of files in English.
func recipes(t *testing.T, file string) (all []recipe) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range recipeLine.FindAllStringSubmatch(string(text), -1) {
		all = append(all, recipe{m[1], strings.Fields(strings.ReplaceAll(m[2], "目录", "DIR"))})
	}
	return all
}

// TestRecipesAgree: both readmes have the same commands in the same order, each once, with a
// question of its own; every question of the laboratory and every verb that answers one is there.
func TestRecipesAgree(t *testing.T) {
	en, zh := recipes(t, readmes[0].file), recipes(t, readmes[1].file)
	if len(en) != len(zh) {
		t.Fatalf("%d recipes in English, %d in Chinese", len(en), len(zh))
	}
	seen := map[string]bool{}
	for i, r := range en {
		command := strings.Join(r.args, " ")
		if !slices.Equal(r.args, zh[i].args) {
			t.Errorf("%q is %q in Chinese", command, zh[i].args)
		}
		for _, text := range []string{command, r.question, zh[i].question} {
			if seen[text] {
				t.Errorf("%q stands twice", text)
			}
			seen[text] = true
		}
	}
	for _, e := range question.All() {
		if !seen["run "+e.Name] {
			t.Errorf("no recipe for run %s", e.Name)
		}
	}
	for _, verb := range []string{"run", "doctor", "check", "verify", "plan", "hash"} {
		if !slices.ContainsFunc(en, func(r recipe) bool { return r.args[0] == verb }) {
			t.Errorf("no recipe for %s", verb)
		}
	}
}

// firstScreen is so many lines.
const firstScreen = 60

// shortForms are what makes a recipe's answer a matter of seconds where nothing else runs (the budgets leave
// room for enough blocks where much does), what an answer begins with, and the
// exit codes of one: a verdict of verify is one, whatever it says.
var shortForms = map[string]struct {
	more   []string
	answer *regexp.Regexp
	codes  []int
}{
	"run":    {[]string{"--quick", "--budget", "120s", "--seed", "7", "--output", "OUT"}, regexp.MustCompile(`^\S* *[✗✓!?·] \S`), []int{command.ExitOK}},
	"doctor": {nil, regexp.MustCompile(`^(GOOD|FAIR|LOW): \S`), []int{command.ExitOK}},
	"check": {strings.Fields("modes --algorithms SM4 --modes CBC --operations encrypt --libraries gmsm --sizes 1KiB --baseline-dir OUT --output OUT"),
		regexp.MustCompile(`^✓ screening: `), []int{command.ExitOK}},
	"verify": {strings.Fields("--budget 20s --seed 7 --output OUT"), regexp.MustCompile(`^\d+ statements: \d`), []int{command.ExitOK, exitFailed, command.ExitInconclusive}},
	"plan": {strings.Fields("--budget 120s --seed 7 --libraries go,gmsm,tjfoc --output OUT"),
		regexp.MustCompile(`^\S* *✓ \S.* (use|to) (go|gmsm|tjfoc) `), []int{command.ExitOK}},
	"hash": {nil, regexp.MustCompile(`^[0-9a-f]{64}  \S+/abc$`), []int{command.ExitOK}},
}

// shortly is a recipe in its short form, and what its answer begins with. A question of the laboratory that the
// quick run of an earlier version answers, and the many published figures, are answered from that.
func (r recipe) shortly(t *testing.T, kept *document.Document) (args []string, answer *regexp.Regexp, codes []int) {
	form, known := shortForms[r.args[0]]
	name := append(slices.Clone(r.args), question.All()[0].Name)[1] // run alone answers every question
	switch {
	case !known:
		t.Fatalf("%s has no short form here", r.args[0])
	case r.args[0] == "run" && slices.ContainsFunc(kept.Layouts, func(l layout.Layout) bool { return l.Experiment == name && len(r.args) <= 2 }):
		return []string{"report", "KEPT"}, regexp.MustCompile("^" + name + " +[✗✓!?·] \\S"), form.codes
	case r.args[0] == "verify" && strings.Contains(r.args[1], "published"):
		form.more = []string{"--run", "KEPT"}
	}
	return slices.Concat(r.args, form.more), form.answer, form.codes
}

// TestRecipes: each command of the table, in a short form, answers on the first screen. Its workers read a
// clock that nothing disturbs.
func TestRecipes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes many seconds")
	}
	kept := filepath.Join(t.TempDir(), "run.jsonl")
	if err := os.WriteFile(kept, unzip(t, "testdata/runs/quick.jsonl.gz"), 0o600); err != nil {
		t.Fatal(err)
	}
	doc := keptRun(t)
	for _, r := range recipes(t, readmes[0].file) {
		t.Run(strings.Join(r.args, "_"), func(t *testing.T) {
			t.Parallel()
			words, answer, codes := r.shortly(t, doc)
			out, dir := t.TempDir(), t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "abc"), []byte("abc"), 0o600); err != nil {
				t.Fatal(err)
			}
			var args []string
			for _, word := range words {
				args = append(args, strings.NewReplacer("OUT", out, "KEPT", kept, "DIR", dir).Replace(word))
			}
			answers(t, args, answer, codes)
			if r.args[0] == "plan" { // from its rows again, in Chinese
				runs, err := filepath.Glob(filepath.Join(out, "*"))
				if err != nil || len(runs) != 1 {
					t.Fatalf("%v: %v", runs, err)
				}
				again := slices.Concat(r.args, []string{"--run", runs[0], "--budget", "0", "--lang", "zh"})
				answers(t, again, regexp.MustCompile(`^\S* *✓ \S.*(请用|改用) (go|gmsm|tjfoc) `), codes)
			}
		})
	}
}

// answers runs the program in the repository's root, with nothing but these arguments, and looks for
// a line of an answer on the first screen. What is planned says a number of CPUs in its first line.
func answers(t *testing.T, args []string, answer *regexp.Regexp, codes []int) {
	t.Helper()
	program := "cryptogauge-clocked"
	if args[0] == "doctor" || args[0] == "hash" {
		program = "cryptogauge"
	}
	cmd := exec.Command(program, args...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = "../..", &out, &errs
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
	code := 0
	var exit *exec.ExitError
	if err := cmd.Run(); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(codes, code) {
		t.Fatalf("%q: exit code %d\n%s%s", args, code, &errs, &out)
	}
	lines := strings.Split(out.String(), "\n")
	if !slices.ContainsFunc(lines[:min(firstScreen, len(lines))], answer.MatchString) {
		t.Errorf("%q: no line of the first %d matches %s:\n%s", args, firstScreen, answer, &out)
	}
	if args[0] == "plan" && !regexp.MustCompile(`\d.*vCPU`).MatchString(lines[0]) {
		t.Errorf("%q: the first line is %q", args, lines[0])
	}
}
