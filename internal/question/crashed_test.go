package question

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/answer/answertest"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/question/modes"
	"github.com/cryptogauge/cryptogauge/result"
)

// TestCrashed: an error that a library returned is no crash, and each reason is said,
// that of the most rows first, for all who lost rows by it.
func TestCrashed(t *testing.T) {
	m := answertest.NewTimings(15)
	const died, returned = "it ended with exit status 7", "botan_cipher_update returned -20 (Exception thrown)"
	for _, lost := range []struct {
		library, reason string
		returned        bool
	}{{"openssl", died, false}, {"botan", returned, true}, {"botan", "it ended with exit status 9", false},
		{"libgcrypt", died, false}} {
		s := result.Subject{Library: lost.library, Version: "1", CallPath: "cgo"}
		c := result.Case{Algorithm: "AES-128", Mode: "CTR", Operation: "encrypt", Bytes: int64(len(m.Run.Trials) + 1)}
		i := m.Trial("modes", s, c, 100)
		m.Group("modes", []int{i})
		m.Run.Statuses = append(m.Run.Statuses, result.StatusChange{Trial: i, Status: result.Crashed, Reason: lost.reason,
			Returned: lost.returned})
	}
	d := m.Document(modes.Question)
	var en, zh, words []string
	for _, a := range d.Answers {
		if a.Mark == layout.Beware {
			en, zh = append(en, a.Text.EN), append(zh, a.Text.ZH)
		}
	}
	for i := range d.Rows {
		words = append(words, d.Rows[i].StatusText().EN)
	}
	if want := []string{"Rows of openssl (1), libgcrypt (1) are missing. The worker crashed: it ended with exit status 7.",
		"Rows of botan (1) are missing: " + returned + ".",
		"Rows of botan (1) are missing. The worker crashed: it ended with exit status 9."}; !slices.Equal(en, want) {
		t.Errorf("%q", en)
	}
	if want := []string{"缺少 openssl（1 行）、libgcrypt（1 行）的结果。工作进程崩溃：进程结束（退出状态 7）。",
		"缺少 botan（1 行）的结果：botan_cipher_update 返回 -20（“Exception thrown”）。",
		"缺少 botan（1 行）的结果。工作进程崩溃：进程结束（退出状态 9）。"}; !slices.Equal(zh, want) {
		t.Errorf("%q", zh)
	}
	if want := []string{"crashed", "error", "crashed", "crashed"}; !slices.Equal(words, want) {
		t.Errorf("%q", words)
	}
}

// TestOneBlockIsSaid: a run that was cut short in its first block says so, whatever
// its experiment, and names flags that the experiment takes.
func TestOneBlockIsSaid(t *testing.T) {
	s := &answertest.Sheet{}
	for i := range 3 {
		s.Doc.Rows = append(s.Doc.Rows, &document.Row{ID: fmt.Sprint("streaming/", i), Experiment: "streaming", Library: "go", Algorithm: "AES-256", Mode: "GCM",
			Operation: "stream", Parameters: "chunk=4096,io=memory", Status: result.Unstable, Blocks: i % 2})
	}
	answer.Add(&s.Doc, answers())
	if len(s.Doc.Answers) != 1 || s.Doc.Answers[0].Text.EN != "No numbers. "+
		"Run longer (raise --budget or --blocks if you set one), or measure less with --algorithms, --chunks or --libraries. "+
		"The rows have at most 1 block (worker restarts); an interval takes at least 5." {
		t.Errorf("answers: %s", answertest.Texts(&s.Doc, layout.English))
	}
	s.Doc.Answers, s.Doc.Layouts = nil, nil
	s.Doc.Rows = append(s.Doc.Rows, &document.Row{ID: "scenario", Experiment: "streaming", Library: "go", Algorithm: "AES-256", Mode: "GCM",
		Operation: "stream", Parameters: "chunk=4096,io=memory", Status: result.OK, Loop: "scenario", Blocks: 1})
	answer.Add(&s.Doc, answers())
	if len(s.Doc.Answers) != 1 || !strings.HasPrefix(s.Doc.Answers[0].Text.EN, "No verdicts. ") ||
		!strings.HasSuffix(s.Doc.Answers[0].Text.EN, " The rows have at most 1 block (worker restarts); an interval takes at least 5.") {
		t.Errorf("beside a scenario: %s", answertest.Texts(&s.Doc, layout.English))
	}
}
