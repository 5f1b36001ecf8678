package question

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/render"
	"github.com/cryptogauge/cryptogauge/result"
)

// The rule: in a Chinese report no three English words follow each other, but in what is no
// sentence: names (of libraries, features, processors, standards and settings), code, commands,
// paths, units, and what somebody else said, which stands in “ ”.
var (
	notProse = regexp.MustCompile(`(?s)<span[^>]* lang="en"[^>]*>.*?</span>|<textarea.*?</textarea>|<script.*?</script>|<style.*?</style>|` +
		`<svg.*?</svg>|<code.*?</code>|<pre.*?</pre>|` + "```.*?```|`[^`]*`|" +
		`<[^>]*>|“[^”]*”|cryptogauge (run|report|check|list|doctor|compare)( [\w=,./-]+)*|[\w.@-]*/[^\s|，。；：）]*|--[a-z-]+`)
	sentence = regexp.MustCompile(`\b[A-Za-z][a-z']+( [a-z][a-z']+){2,}\b`)
)

// names are sequences of three words and more that are no sentence.
var names = []string{"aes pclmulqdq avx"} // features of the processor

// english are the English sentences of a report.
func english(report string) (found []string) {
	text := html.UnescapeString(notProse.ReplaceAllString(report, " # "))
	for _, s := range sentence.FindAllString(text, -1) {
		if !slices.Contains(names, s) && !slices.Contains(found, s) {
			found = append(found, s)
		}
	}
	return found
}

// records are the sentences of a table of package reason.
func records(t *testing.T, name string, lines int) (all [][]string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "reason", name))
	if err != nil {
		t.Fatal(err)
	}
	for record := range strings.SplitSeq(strings.TrimSpace(string(b)), "\n\n") {
		if r := strings.Split(record, "\n"); len(r) == lines && !strings.HasPrefix(record, "#") {
			all = append(all, r)
		}
	}
	return all
}

var verb = regexp.MustCompile(`%[sq]`)

// everythingWrong is a run in which everything is wrong that can be: each reason on a row, by its
// code and as files of before had it, each way to end, each doubt of samples, each weakness, missing
// libraries, missing functions, a machine that is busy and throttled, and an end before its time.
func everythingWrong(t *testing.T) *result.Run {
	f := documenttest.NewFixture(9, 5)
	h := &f.Run.Header
	n := 0
	trial := func(c result.Case, p documenttest.Plan) int {
		n++
		s := result.Subject{Library: []string{"gmsm", "openssl", "botan"}[n%3], Version: fmt.Sprintf("1.%d", n), Implementation: fmt.Sprintf("k%d", n),
			CallPath: []string{"go", "cgo", "purego"}[n%3]}
		return f.Trial(rooms[n%len(rooms)].answer.Name, c, s, p)
	}
	usual := result.Case{Algorithm: algorithm.SM4, Mode: algorithm.GCM, Operation: algorithm.Encrypt, Bytes: 1024}
	statuses := []result.Status{result.Incorrect, result.Unsupported, result.Crashed}
	for i, r := range records(t, "table.txt", 3) {
		args := make([]any, len(verb.FindAllString(r[1], -1)))
		for j := range args {
			args[j] = fmt.Sprintf("x%d", j)
		}
		cause := reason.Cause(r[0], args...)
		at := trial(usual, documenttest.Plan{Silent: true})
		f.Run.Trials[at].ConstantTime = reason.Timing([]string{"yes", "no", "unknown"}[i%3], r[0], args...)
		s := result.StatusChange{Trial: at, Status: statuses[i%3], Reason: reason.English(cause), Cause: cause, Returned: i%2 == 0}
		f.Run.Statuses = append(f.Run.Statuses, s)
		h.Libraries = append(h.Libraries, result.Library{Library: fmt.Sprintf("lib%d", i), CallPath: "cgo", Missing: s.Reason, Cause: cause})
	}
	for _, r := range records(t, "notes.txt", 2) {
		at := trial(usual, documenttest.Plan{NS: 1000})
		f.Run.Trials[at].Note = verb.ReplaceAllString(r[0], "x0")
	}
	for _, change := range []func(*result.Sample){
		func(s *result.Sample) { s.Process = 2 * s.Thread }, func(s *result.Sample) { s.Throttled = 1 },
		func(s *result.Sample) { s.Wall = 3 * s.Wall }, func(s *result.Sample) { s.SpinAfter = s.SpinBefore * 105 / 100 },
		func(s *result.Sample) { s.SpinAfter = 2 * s.SpinBefore }, func(s *result.Sample) { s.SpinBefore, s.SpinAfter = 200_000, 200_000 },
		func(s *result.Sample) { s.Collections, s.Migrated = 1, 1 }, func(s *result.Sample) { s.Thread, s.Process = 1, 1 },
		func(s *result.Sample) { s.Thread, s.Process = 0, 0 }, func(s *result.Sample) { s.Thread, s.Process = 7000, 7000 },
		func(s *result.Sample) { s.Thread += 1_000_000 * int64(s.Block); s.Process = s.Thread },
	} {
		a, b := trial(usual, documenttest.Plan{NS: 1000, Change: change}), trial(usual, documenttest.Plan{NS: 1000})
		f.Run.Trials[b].Experiment = f.Run.Trials[a].Experiment
		f.Group(f.Run.Trials[a].Experiment, fmt.Sprint("pair ", a), "", []int{a, b}, result.Pair{Base: a, Other: b, Headline: true, Crossover: true})
	}
	for _, c := range []result.Case{
		{Algorithm: algorithm.SM4, Mode: algorithm.ECB}, {Algorithm: algorithm.SM4, Mode: algorithm.CBC}, {Algorithm: algorithm.MD5}, {Algorithm: algorithm.SHA1},
		{Algorithm: algorithm.RSA1024, Mode: algorithm.OAEP}, {Algorithm: algorithm.RSA2048, Mode: algorithm.PKCS1v15},
		{Algorithm: algorithm.Envelope, Mode: algorithm.SM4GCM, Parameters: parameter.ReusedKey},
		{Algorithm: algorithm.SM4, Mode: algorithm.GCM, Parameters: parameter.Join(parameter.Chunk.Is(1<<16), parameter.Compress.Is(parameter.Zstd))},
		{Algorithm: algorithm.SM4, Mode: algorithm.GCM, Parameters: parameter.Join(parameter.Messages.Is(64), parameter.Sizes.Is(parameter.Mix))},
	} {
		c.Operation, c.Bytes = algorithm.Encrypt, 1024
		for _, bytes := range []int64{64, 1 << 10, 1 << 16} { // a fit that is refused, since time falls
			c.Bytes = bytes
			f.Run.Trials[trial(c, documenttest.Plan{NS: 1e9 / float64(bytes), Allocs: 5000})].Trial.Subject = documenttest.GMSM
		}
		trial(c, documenttest.Plan{NS: 1000, Open: true})
	}
	late := trial(usual, documenttest.Plan{Silent: true})
	f.Run.Trials[late].Loop = "scenario"
	a, b := trial(usual, documenttest.Plan{NS: 900}), trial(usual, documenttest.Plan{NS: 990})
	f.Group(f.Run.Trials[a].Experiment, "A/A", result.KindNoise, []int{a, b})
	h.Environment = []string{"GODEBUG=cpu.aes=off", "GOMAXPROCS=1"}
	h.Libraries = append(h.Libraries, result.Library{Library: "botan", Version: "2.19.3", CallPath: "cgo", Path: "/a.so", SHA256: "0a", Lacks: "f g h i"},
		result.Library{Library: "botan", Version: "3.1", CallPath: "cgo", Path: "/b.so", SHA256: "0a", Lacks: "f"})
	run := f.End()
	for block := range 9 {
		run.Records = append(run.Records, result.Record{Trial: late, Block: block, Metrics: []result.Metric{{Name: "behind", Value: 0.05 * float64(block%2), Unit: "1"},
			{Name: "latency_p99_ns", Value: float64(block), Unit: "ns"}}})
		run.Closed = append(run.Closed, result.Closed{Trial: late, Block: block})
	}
	cause := reason.Cause("stopped-early", "x0", 3, 9, reason.Cause("interrupted"))
	run.End.Partial, run.End.Reason, run.End.Cause = true, reason.English(cause), cause
	run.End.Strain = result.Strain{CPUSeconds: 100, StealSeconds: 20, Throttled: 7, LoadBefore: 9}
	return run
}

// TestNoEnglishInChinese: however wrong a run is, its Chinese reports say it in Chinese, by the
// codes and, as of a file of an earlier version, by the English sentences alone.
func TestNoEnglishInChinese(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	old := everythingWrong(t)
	for i := range old.Statuses {
		old.Statuses[i].Cause = result.Cause{}
	}
	// Sentences that have hardly a letter of their own are not known without their codes; what they
	// say is then quoted.
	for name, run := range map[string]*result.Run{"with codes": everythingWrong(t), "without": old} {
		d := document.Build(run)
		if d.Trust.Level != document.TrustLow || len(d.Trust.Reasons) < 5 || !d.Partial {
			t.Errorf("%s: %+v", name, d.Trust)
		}
		Answer(d)
		for _, format := range []render.Format{render.FormatText, render.FormatMarkdown, render.FormatHTML} {
			report := written(t, format, d, render.Options{Lang: layout.Chinese, Width: 1000})
			if found := english(report); len(found) > 0 {
				t.Errorf("%s, %s: %q", name, format, found)
			}
			if format == render.FormatHTML {
				everyReasonStands(t, html.UnescapeString(report), run)
			}
			const planted = "nobody wrote this in Chinese"
			if got := english(strings.Replace(report, "。", "。"+planted+"。", 1)); !slices.Contains(got, "nobody wrote this in") {
				t.Errorf("%s, %s: a planted sentence is not found: %q", name, format, got)
			}
		}
	}
}

// everyReasonStands: what was planted reached the report, in Chinese.
func everyReasonStands(t *testing.T, report string, run *result.Run) {
	for _, s := range run.Statuses {
		if zh := reason.Said(s.Reason, s.Cause).ZH; !strings.Contains(report, zh) {
			t.Errorf("the reason %q is not in the report: %s", s.Reason, zh)
		}
	}
	for _, i := range run.Trials {
		if i.Note != "" && !strings.Contains(report, reason.Note(i.Note).ZH) {
			t.Errorf("the note %q is not in the report: %s", i.Note, reason.Note(i.Note).ZH)
		}
	}
}
