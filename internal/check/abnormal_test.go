package check

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/abnormal"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/suite"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// tries are outcomes of the inputs of a case, in their order.
func tries(library, path string, c result.Case, outcomes ...abnormal.Outcome) (all []suite.Tried) {
	who := result.Subject{Library: library, Version: "1", CallPath: path}
	for n, i := range abnormal.Inputs(c, who) {
		all = append(all, suite.Tried{Subject: who, Input: i, Tried: worker.Tried{Outcome: outcomes[n], Text: "says " + string(outcomes[n])}})
	}
	return all
}

func TestAbnormalInputs(t *testing.T) {
	const a, r, p, w, x = abnormal.Accepted, abnormal.Refused, abnormal.Panicked, abnormal.Wrong, abnormal.Crashed
	cbc := result.Case{Algorithm: "SM4", Mode: "CBC", Operation: "encrypt"}
	gcm := result.Case{Algorithm: "SM4", Mode: "GCM", Operation: "decrypt"}
	good := append(tries("good", "go", cbc, a, p, p, p, p), tries("good", "go", gcm, a, a, a, a, r, r, r, r)...)
	for _, c := range []struct {
		name    string
		tried   []suite.Tried
		verdict Verdict
		says    []string
		chinese string
	}{
		{"nothing", nil, Fine, nil, ""},
		{"as it must be", good, Fine, []string{"✓ abnormal inputs (empty, 1 byte, a block ± 1, partial blocks, wrong tag, truncated): 13 given, all accepted or refused as they must be",
			"· good 1: 5 accepted, 8 refused, 4 of them by a panic"}, "good 1：接受 5 个，拒绝 8 个（其中 4 个以 panic 拒绝）"},
		{"a wrong tag is accepted", tries("lax", "cgo", gcm, a, a, a, a, a, r), Wrong, []string{"6 given, 1 not accepted or refused as they must be",
			"✗ lax SM4-GCM decrypt, a wrong tag: it must be refused, and is accepted"}, "认证标签错误：本应拒绝，却被接受"},
		{"a wrong output", tries("liar", "cgo", cbc, a, r, r, r, w), Wrong, []string{"✗ liar SM4-CBC encrypt, 100 B: says wrong", "1 with a wrong output"}, "100 B：“says wrong”"},
		{"an empty text is refused", tries("strict", "cgo", cbc, r, r, r, r, r), Fine, []string{"! abnormal inputs",
			"! strict SM4-CBC encrypt, 0 B: refused, and any length must be accepted (says refused)"}, "被拒绝，而任何长度都应接受"},
		{"it falls over", tries("rough", "cgo", gcm, x, a, a, a, p, r), Fine, []string{"! rough SM4-GCM decrypt, 0 B: no error but this: says crashed",
			"! rough SM4-GCM decrypt, a wrong tag: no error but this: says panicked", "rough 1: 3 accepted, 2 refused, 1 of them by a panic, 1 crashed"}, "未返回错误，而是"},
	} {
		round := Round{Verdict: Fine, Abnormal: countAbnormal(c.tried)}
		round.held()
		if round.Verdict != c.verdict {
			t.Errorf("%s: %s", c.name, round.Verdict)
		}
		var en, zh []string
		for _, l := range abnormalLines(round.Abnormal) {
			en, zh = append(en, l.Mark.Sign()+" "+l.Text.In(layout.English)), append(zh, l.Text.In(layout.Chinese))
		}
		for _, says := range c.says {
			if !strings.Contains(strings.Join(en, "\n"), says) {
				t.Errorf("%s: nothing says %q:\n%s", c.name, says, strings.Join(en, "\n"))
			}
		}
		if !strings.Contains(strings.Join(zh, "\n"), c.chinese) || c.says == nil && len(en) > 0 {
			t.Errorf("%s: %s", c.name, strings.Join(zh, "\n"))
		}
	}
	both := countAbnormal(append(good, tries("good", "go", cbc, a, p, p, p, p)...))
	if len(both) != 1 || both[0].Tried != 18 || both[0].Accepted != 6 || both[0].Panicked != 8 || both[0].Odd == nil {
		t.Errorf("%+v", both)
	}
	if says := wrongSays(nil).EN; says != "abnormal inputs have wrong outputs" {
		t.Error(says)
	}
}

// TestAbnormalInputsOnce: they are tried as a check begins, and not with what is only measured again.
func TestAbnormalInputsOnce(t *testing.T) {
	slower := healthy(2)
	slower.speed["gmsm"] *= 1.15 // and so it is looked at again
	s := &session{ctx: t.Context(), report: &Report{}, path: filepath.Join(t.TempDir(), "b.json")}
	s.base = s.baseline([]*measured{healthy(1).run()}, nil)
	var looked []look
	s.take = func(l look) (*measured, error) {
		looked = append(looked, l)
		m := slower.run()
		if l.abnormal {
			m.tried = tries("good", "cgo", result.Case{Algorithm: "SM4", Mode: "GCM", Operation: "decrypt"},
				abnormal.Accepted, abnormal.Accepted, abnormal.Accepted, abnormal.Accepted, abnormal.Refused, abnormal.Refused)
		}
		return m, nil
	}
	regressed, err := s.regression()
	if err != nil || len(looked) != looks || len(regressed.Abnormal) != 1 {
		t.Fatalf("%d looks, abnormal inputs: %v, %v", len(looked), regressed.Abnormal, err)
	}
	screened, err := s.screening()
	if err != nil || len(screened.Abnormal) != 1 {
		t.Fatalf("screening: abnormal inputs: %v, %v", screened.Abnormal, err)
	}
	if _, err := s.passes(); err != nil {
		t.Fatal(err)
	}
	for i, l := range looked {
		if want := i == 0 || i == looks; l.abnormal != want {
			t.Errorf("look %d, of the round %s: abnormal inputs tried: %t, want %t", i+1, l.round, l.abnormal, want)
		}
	}
}
