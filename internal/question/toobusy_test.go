package question

import (
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// TestTooBusyToJudge: where other programs used CPUs that a comparison needs, an interval clear of 1 is said with that
// reason, and one that holds 1 is inconclusive.
func TestTooBusyToJudge(t *testing.T) {
	doc := busyRun(result.WallClock)
	same, faster := &doc.Comparisons[0], &doc.Comparisons[1]
	for _, c := range []*document.Comparison{same, faster} {
		if c.Verdict != "inconclusive" || c.Low == nil || c.High == nil {
			t.Fatalf("%+v", c)
		}
	}
	for _, tt := range []struct {
		got  layout.Text
		want layout.Text
	}{
		{answer.Open(same), layout.Text{EN: "inconclusive", ZH: "无法判定"}},
		{answer.Open(faster), layout.Text{EN: "machine too busy to judge", ZH: "机器过忙，不作判定"}},
		{answer.Versus(faster, layout.Same("X")), layout.Say("is about %s times as fast as X (%s, machine too busy to judge)",
			"的速度约是 X 的 %s 倍（%s，机器过忙，不作判定）", answer.Factor(faster.Ratio), answer.Limits(faster))},
		{answer.Ratio(faster, layout.Same("X")), layout.Say("about %s times as fast (%s, machine too busy to judge) as X",
			"速度约是 X 的 %s 倍（%s，机器过忙，不作判定）", answer.Factor(faster.Ratio), answer.Limits(faster))},
	} {
		if tt.got != tt.want {
			t.Errorf("%+v, want %+v", tt.got, tt.want)
		}
	}
}

// TestOneCPUIsNotTooBusy: what others use of the CPUs says nothing against a comparison of what runs on one of them, on
// the clock of its thread.
func TestOneCPUIsNotTooBusy(t *testing.T) {
	doc := busyRun("")
	if c := doc.Comparisons[1]; c.Verdict != "faster" || c.TooBusy() {
		t.Errorf("%+v", c)
	}
	if why := doc.Trust.Reasons; len(why) != 1 || strings.Contains(why[0].EN, "no verdicts") {
		t.Errorf("%+v", why)
	}
}

// busyRun is a run of an experiment that uses every CPU, of which others used a fifth.
func busyRun(clock result.Clock) *document.Document {
	f := documenttest.NewFixture(15, 7)
	trial := func(mode string, ns float64) int {
		return f.Trial("bulkhash", documenttest.SM4(mode, 1024), documenttest.GMSM, documenttest.Plan{NS: ns})
	}
	cbc, again, ecb := trial("CBC", 5000), trial("OFB", 5000), trial("ECB", 1000)
	f.Group("bulkhash", "SM4", "", []int{cbc, again, ecb}, result.Pair{Base: cbc, Other: again}, result.Pair{Base: cbc, Other: ecb, Headline: true})
	f.Run.Groups[0].EveryCPU = true
	for i := range f.Run.Trials {
		f.Run.Trials[i].Clock = clock
	}
	run := f.End()
	run.End.Experiments = []result.ExperimentEnd{{Experiment: "bulkhash", Strain: result.Strain{CPUSeconds: 100, UsedSeconds: 70, OwnSeconds: 50}}}
	return document.Build(run)
}
