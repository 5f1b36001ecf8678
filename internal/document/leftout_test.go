package document

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

func TestLeftOut(t *testing.T) {
	cut := func(code string, seconds float64, args ...any) result.LeftOut {
		c := reason.Cause(code, args...)
		return result.LeftOut{What: reason.English(c), Cause: c, Seconds: seconds}
	}
	run := &result.Run{Header: result.Header{Command: []string{"run", "modes", "--budget", "30s", "--seed=7"}, Budget: 30, Whole: 205,
		LeftOut: []result.LeftOut{cut("object-has-no", 12.34, "one"), cut("object-has-no", 160, "two"), cut("object-has-no", 3, "three")}}}
	d := Build(run)
	var raw struct {
		LeftOut []struct {
			What    string
			Seconds float64
		} `json:"left_out"`
	}
	text, err := json.Marshal(d)
	if err != nil || json.Unmarshal(text, &raw) != nil || len(raw.LeftOut) != 3 ||
		raw.LeftOut[0].What != "its object has no one" || raw.LeftOut[0].Seconds != 12.34 {
		t.Errorf("%v: %v", err, raw)
	}
	for lang, want := range map[layout.Lang]string{
		layout.English: "to keep within 30 s: its object has no two (about 3 min), its object has no one (about 12 s), its object has no three (about 3.0 s); " +
			"measuring everything takes about 3 min: cryptogauge run modes --seed=7 --budget 4m",
		layout.Chinese: "为在 30 s 内完成，省去了共享库中没有 two（约 3 分钟）、共享库中没有 one（约 12 s）、共享库中没有 three（约 3.0 s）；" +
			"全部测完约需 3 分钟：cryptogauge run modes --seed=7 --budget 4m",
	} {
		if got := LeftOutLine(run).In(lang); got != want {
			t.Errorf("%q\nwant %q", got, want)
		}
	}
	run.Header.Reserved = 5
	for lang, want := range map[layout.Lang]string{layout.English: "to keep within 35 s (5.0 s of it for the check): its object",
		layout.Chinese: "为在 35 s 内完成（其中核对用 5.0 s），省去了共享库"} {
		if got := LeftOutLine(run).In(lang); !strings.HasPrefix(got, want) {
			t.Errorf("%q does not begin with %q", got, want)
		}
	}
	if got := LeftOutBriefly(run); got.EN != "to keep within 35 s: about 3 min of the plan; report --format json lists it" || !strings.Contains(got.ZH, "约 3 分钟的测量") {
		t.Errorf("in brief: %q", got)
	}
	run.Header.LeftOut = slices.Repeat(run.Header.LeftOut[:2], 3)[:6]
	if got := LeftOutLine(run).EN; !strings.Contains(got, ", and 2 more; ") {
		t.Errorf("six things: %q", got)
	}
	run.End = &result.End{LeftOut: []result.LeftOut{cut("cut-rounds", 1, 4, 7)}}
	if got := Build(run).LeftOut; len(got) != 1 || got[0].English != "4 of 7 rounds" {
		t.Errorf("the end knows better: %v", got)
	}
	run.End.LeftOut = []result.LeftOut{cut("cut-of", 5, "rsa", reason.Cause("cut-rows", 3))}
	for range 4 {
		run.End.LeftOut = append(run.End.LeftOut, cut("cut-of", 2, "modes", reason.Cause("cut-rounds", 4, 7)))
	}
	if got := LeftOutLine(run).EN; !strings.Contains(got, ": rounds, blocks and time of samples (about 8.0 s), rsa: rows that no headline comparison needs: 3 (about 5.0 s); ") {
		t.Errorf("of several experiments: %q", got)
	}
	if d := Build(&result.Run{}); d.LeftOut == nil || len(d.LeftOut) != 0 || LeftOutLine(d.Run) != (layout.Text{}) || LeftOutBriefly(d.Run) != (layout.Text{}) {
		t.Errorf("nothing was left out: %v, %q", d.LeftOut, LeftOutLine(d.Run))
	}
	for seconds, want := range map[float64]string{12: "20s", 59: "70s", 60: "2m", 600: "11m"} {
		if got := WithBudget([]string{"run", "--dry-run", "--budget=5s"}, seconds); !slices.Equal(got, []string{"run", "--budget", want}) {
			t.Errorf("%v s: %v, want %s", seconds, got, want)
		}
	}
}

// TestTyped: a command that a report names can be pasted into a shell, whatever a path or a title holds.
func TestTyped(t *testing.T) {
	got := Typed("run", "rsa", "--sizes=1KiB,2KiB", "~/my runs/a", "", "x; touch PWNED $(id)", "it's", "~/plain", "botan=~/a b.so", "botan=~/b.so", "a b=~/c")
	if want := `run rsa --sizes=1KiB,2KiB ~/'my runs/a' '' 'x; touch PWNED $(id)' 'it'\''s' ~/plain botan=~/'a b.so' botan=~/b.so 'a b=~/c'`; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// TestShortDone: a short form that ended long before the budget that was asked for says so, with the command of the
// full form in that time; others say nothing.
func TestShortDone(t *testing.T) {
	done := func(suite string, seconds float64, command ...string) string {
		run := &result.Run{Header: result.Header{Suite: suite, Command: command, Budget: 25}, End: &result.End{Seconds: seconds}}
		return newDocument(run).ShortDone().EN
	}
	for _, c := range []struct{ got, want string }{
		{done("rsa", 8.2, "run", "rsa", "--quick", "--budget", "25s"), "the short form is done in 8.2 s of the 25 s; " +
			"for more precise answers from the full form in that time: cryptogauge run rsa --budget 25s"},
		{done("quick", 8.2, "run", "--budget=25s"), "the short form is done in 8.2 s of the 25 s; " +
			"for more precise answers from the full form in that time: cryptogauge run full --budget=25s"},
		{done("rsa", 24, "run", "rsa", "--quick", "--budget", "25s"), ""},
		{done("rsa", 8.2, "run", "rsa", "--quick"), ""},
		{done("rsa", 8.2, "run", "rsa", "--budget", "25s"), ""},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// TestLeftOutOnTheQuickScreen: there it takes two lines at most.
func TestLeftOutOnTheQuickScreen(t *testing.T) {
	run := &result.Run{Header: result.Header{Suite: "quick", Budget: 60, Whole: 60}}
	for _, name := range []string{"modes", "rsa", "primitives", "gc", "streaming"} {
		run.Header.LeftOut = append(run.Header.LeftOut, result.LeftOut{Seconds: 2, Cause: reason.Cause("cut-of", name, reason.Cause("cut-rows", 3))})
	}
	line := LeftOutLine(run).EN
	if !strings.Contains(line, "modes: ") || !strings.HasSuffix(line, ", and 3 more") || len(line) > 2*88 {
		t.Errorf("%d characters: %s", len(line), line)
	}
}
