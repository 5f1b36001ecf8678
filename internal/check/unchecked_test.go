package check

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// cut is a laboratory whose time was over before it came to some libraries, or to the end of their blocks.
func cut(seed uint64, missed, broken []string) laboratory {
	l := healthy(seed)
	l.missed, l.broken = map[string]bool{}, map[string]bool{}
	for _, library := range missed {
		l.missed[library] = true
	}
	for _, library := range broken {
		l.broken[library] = true
	}
	return l
}

// replay has a check take what laboratories give, one after another.
func replay(t *testing.T, runs ...laboratory) *session {
	s := &session{ctx: t.Context(), report: &Report{}, path: filepath.Join(t.TempDir(), "b.json")}
	s.Suite.Tool = "v1"
	s.take = func(look) (*measured, error) {
		if len(runs) == 0 {
			return nil, errors.New("one look more than was thought")
		}
		m := runs[0].run()
		runs = runs[1:]
		return m, nil
	}
	return s
}

func (s *session) against(l laboratory) *session {
	s.base = s.baseline([]*measured{l.run()}, nil)
	s.base.Made = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	return s
}

func verdicts(trials []*Trial) map[string]Verdict {
	by := map[string]Verdict{}
	for _, t := range trials {
		by[t.Library] = t.Verdict
	}
	return by
}

var everyone = []string{"go", "gmsm", "tjfoc"}

// TestScreeningUnchecked: what no block's end judged is not said to be right.
func TestScreeningUnchecked(t *testing.T) {
	for _, test := range []struct {
		name           string
		missed, broken []string
		want, gmsm     Verdict
		en, zh         string
	}{
		{"all is measured", nil, nil, Fine, Fine, "3 trials ran with right outputs", "3 个测试项均可运行，输出正确"},
		{"nothing is", everyone, nil, Inconclusive, Inconclusive,
			"3 trials were not checked in the time given", "3 个测试项在给定时间内未检查"},
		{"no block ends", nil, everyone, Inconclusive, Inconclusive,
			"3 trials were not checked in the time given", "3 个测试项在给定时间内未检查"},
		{"one is not reached", []string{"gmsm"}, nil, Inconclusive, Inconclusive,
			"2 trials ran with right outputs; 1 trial was not checked in the time given",
			"2 个测试项均可运行，输出正确；1 个测试项在给定时间内未检查"},
		{"one is broken off", nil, []string{"tjfoc"}, Inconclusive, Fine,
			"2 trials ran with right outputs; 1 trial was not checked in the time given",
			"2 个测试项均可运行，输出正确；1 个测试项在给定时间内未检查"},
	} {
		r, err := replay(t, cut(1, test.missed, test.broken)).screening()
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		by, says := verdicts(r.Trials), r.Says[0].Text
		if r.Verdict != test.want || by["gmsm"] != test.gmsm || says.EN != test.en || says.ZH != test.zh {
			t.Errorf("%s: %s, %v, %q", test.name, r.Verdict, by, says)
		}
	}
}

// TestFirstCheckUnchecked: what screening does not check, stress does; what neither does ends the check.
func TestFirstCheckUnchecked(t *testing.T) {
	none := cut(1, everyone, nil)
	for _, test := range []struct {
		name   string
		stress laboratory
		want   Verdict
		rounds int
	}{
		{"stress checks all", healthy(2), Fine, 3},
		{"stress checks two", cut(2, nil, []string{"gmsm"}), Inconclusive, 2},
	} {
		s := replay(t, none, test.stress, healthy(3))
		if err := s.rounds(); err != nil || s.report.Verdict != test.want || len(s.report.Rounds) != test.rounds {
			t.Errorf("%s: %s after %d rounds, %v", test.name, s.report.Verdict, len(s.report.Rounds), err)
		}
		if v := s.report.Rounds[0].Verdict; v != Inconclusive {
			t.Errorf("%s: screening is %s", test.name, v)
		}
	}
}

// TestPassesUnchecked: what was not measured to the end of a block is among those of too few blocks.
func TestPassesUnchecked(t *testing.T) {
	s := replay(t, cut(1, []string{"gmsm"}, nil))
	r, err := s.passes()
	if err != nil || r.Verdict != Fine ||
		!strings.Contains(r.Says[0].Text.EN, "the speed of 2 of 3 trials (the others were measured in too few blocks)") {
		t.Errorf("one: %s, %q, %v", r.Verdict, r.Says[0].Text.EN, err)
	}
	b, err := Load(s.path)
	if err != nil {
		t.Fatal(err)
	}
	for _, trial := range b.Trials {
		if strings.Contains(trial.ID, "gmsm") && trial.Unguarded != whyFew.EN {
			t.Errorf("%+v", trial)
		}
	}
	s = replay(t, cut(1, []string{"gmsm"}, []string{"tjfoc"}))
	s.Budget = 5 * time.Second
	r, err = s.passes()
	if err != nil || r.Verdict != Inconclusive ||
		!strings.Contains(r.Says[0].Text.EN, "--budget 5s leaves 2 trials too few blocks for their speed to be guarded") {
		t.Errorf("most: %s, %q, %v", r.Verdict, r.Says[0].Text.EN, err)
	}
}

// TestRegressionUnchecked: what no look checked is neither new nor right, whether its speed is guarded or not.
func TestRegressionUnchecked(t *testing.T) {
	const two = "the outputs of 2 trials are the same as on 2026-03-01 00:00; 1 trial was not checked in the time given"
	const twoZH = "2 个测试项的输出均与 2026-03-01 00:00 相同；1 个测试项在给定时间内未检查"
	missed := cut(2, []string{"gmsm"}, nil)
	always := []laboratory{missed, missed, missed}
	fewer := healthy(1)
	fewer.libraries = []string{"go", "tjfoc"}
	for _, test := range []struct {
		name       string
		base       laboratory
		runs       []laboratory
		want, gmsm Verdict
		says, zh   string
	}{
		{"guarded", healthy(1), always, Inconclusive, Inconclusive, two, twoZH},
		{"not guarded", cut(1, []string{"gmsm"}, nil), always, Inconclusive, Inconclusive, two, twoZH},
		{"new", fewer, always, Inconclusive, Inconclusive, two, twoZH},
		{"checked in the second look", healthy(1), []laboratory{missed, healthy(3)}, Fine, Fine,
			"the outputs of 3 trials are the same as on 2026-03-01 00:00; nothing is slower (3 trials)",
			"3 个测试项均未变慢"},
		{"more allocations in the second look", healthy(1), []laboratory{missed, greedy("gmsm")}, Failed, Allocates,
			"1 of 3 trials not as on 2026-03-01 00:00", "3 个测试项中有 1 个与"},
		{"wrong in the second look", healthy(1), []laboratory{missed, wrong("gmsm")}, Wrong, Wrong,
			"wrong outputs: 1 trial", "输出错误：1 个测试项"},
		{"none", healthy(1), []laboratory{cut(2, everyone, nil), cut(3, everyone, nil), cut(4, nil, everyone)},
			Inconclusive, Inconclusive, "3 trials were not checked in the time given", "3 个测试项在给定时间内未检查"},
	} {
		s := replay(t, test.runs...).against(test.base)
		r, err := s.regression()
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		by, says := verdicts(r.Trials), r.Says[0].Text
		if r.Verdict != test.want || by["gmsm"] != test.gmsm ||
			!strings.HasPrefix(says.EN, test.says) || !strings.Contains(says.ZH, test.zh) {
			t.Errorf("%s: %s, %v, %q, %q", test.name, r.Verdict, by, says.EN, says.ZH)
		}
	}
}

func greedy(library string) laboratory {
	l := healthy(3)
	l.allocs[library] = 1
	return l
}

func wrong(library string) laboratory {
	l := healthy(3)
	l.status[library] = result.Incorrect
	return l
}

// TestApartUnchecked: a baseline of something else is refused, however little was checked.
func TestApartUnchecked(t *testing.T) {
	s := replay(t, cut(1, everyone, nil)).against(healthy(2))
	s.id.Machine.CPU.Model = "EPYC"
	if err := s.rounds(); err != nil || s.report.Verdict != Refused {
		t.Fatalf("%s, %v", s.report.Verdict, err)
	}
	says := s.report.Rounds[len(s.report.Rounds)-1].Says[0].Text.EN
	if !strings.HasPrefix(says, "3 trials were not checked in the time given; the speeds can't be compared") {
		t.Error(says)
	}
}

// TestUnsteadyUnchecked: what was unsteady once and is not checked again is neither steady nor unsteady.
func TestUnsteadyUnchecked(t *testing.T) {
	trials := []*Trial{{ID: "x", Verdict: Unsteady, answered: true}}
	judgeAgain(trials, []*Trial{{ID: "x", Verdict: Inconclusive, Reason: layout.Same("not measured")}})
	if x := trials[0]; x.Verdict != Inconclusive || x.Reason.EN != "not measured" {
		t.Errorf("%+v", x)
	}
}
