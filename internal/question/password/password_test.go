package password

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer/answertest"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/plan/plantest"
	"github.com/cryptogauge/cryptogauge/result"
)

// TestStepsGrowStronger: each step is more work than the one before, and keeps the memory.
func TestStepsGrowStronger(t *testing.T) {
	for _, s := range schemes() {
		for _, memory := range []int64{1 << 20, 19 << 20, 64 << 20, 1 << 30} {
			last, n := 0.0, 0
			for p := range s.steps(memory) {
				if s.work(p) <= last {
					t.Errorf("%s: %s is no more work than the step before it", s.name, p)
				}
				if s.memory(p) > memory {
					t.Errorf("%s: %s takes %d bytes of %d", s.name, p, s.memory(p), memory)
				}
				if last = s.work(p); n > 60 {
					break
				}
				n++
			}
			if n < 10 {
				t.Errorf("%s has %d steps", s.name, n)
			}
		}
		for _, p := range slices.Concat(s.minimum, s.recommended) {
			if !s.strong(p, []string{p}) || s.strong(s.cheapest(), s.minimum) {
				t.Errorf("%s: how strong %s is", s.name, p)
			}
		}
	}
}

func TestRoundNumbers(t *testing.T) {
	var got []int64
	for n := int64(1000); n < 20_000; n += roundStep(n) {
		got = append(got, n)
	}
	if len(got) != 45 || got[10] != 2000 || got[11] != 2200 || got[25] != 5000 || got[26] != 5500 || got[35] != 10_000 {
		t.Errorf("%d: %v", len(got), got)
	}
}

// TestPredictions are exact where the time is as the model says, whatever the memory; by one rung alone they are in
// proportion. Their intervals hold the truth.
func TestPredictions(t *testing.T) {
	for _, s := range schemes() {
		for _, selection := range []plan.Selection{{Short: true}, {}} {
			rungs, fixed := s.rungs(selection), 3.0
			if len(rungs) == 1 {
				fixed = 0
			}
			truth := func(p string) float64 { return s.size(p) * (fixed*s.unit + s.unit*s.times(p)) }
			var known []point
			for _, p := range rungs {
				known = append(known, point{parameters: p, ns: truth(p), low: 0.99 * truth(p), high: 1.02 * truth(p)})
			}
			for _, p := range s.minimum {
				if slices.Contains(rungs, p) {
					continue
				}
				if got, ok := s.foresee(known, p); !ok || math.Abs(got.ns/truth(p)-1) > 1e-9 || got.low >= truth(p) || got.high <= truth(p) {
					t.Errorf("%s: %s is predicted to take %+v, want %g", s.name, p, got, truth(p))
				}
			}
		}
		if _, ok := s.predict(nil, s.minimum[0]); ok {
			t.Errorf("%s is predicted by nothing", s.name)
		}
	}
}

// TestWhatCannotBePredicted: points whose intervals are wide, or have none, or whose line does not rise, predict nothing.
func TestWhatCannotBePredicted(t *testing.T) {
	s := argon2id()
	at := func(passes int64, ns, low, high float64) point {
		return point{argon(4<<10, passes), ns, low, high}
	}
	for name, known := range map[string][]point{
		"wide":         {at(8, 10, 6.9, 11)},
		"no interval":  {at(8, 10, 0, 0)},
		"falls":        {at(1, 5.48, 5.4, 5.6), at(2, 4.39, 4.3, 4.5)},
		"may not rise": {at(1, 4, 3.9, 4.6), at(2, 4.5, 4.4, 4.6)},
	} {
		if f, ok := s.foresee(known, secondRecommended()); ok {
			t.Errorf("%s: %+v", name, f)
		}
	}
	if f, ok := s.foresee([]point{at(8, 10, 9, 11)}, secondRecommended()); !ok || math.Abs(f.low/54-1) > 1e-9 || math.Abs(f.high/66-1) > 1e-9 {
		t.Errorf("%+v", f)
	}
}

// TestChoice: the strongest that keep the budget, and the next step exceeds it.
func TestChoice(t *testing.T) {
	for _, s := range schemes() {
		cost := func(p string) (float64, bool) { return s.unit * s.work(p), true }
		for _, b := range []result.LoginBudget{Usual, {Seconds: 0.05, Memory: 1 << 20}, {Seconds: 1, Memory: 1 << 30}} {
			kept, next, ok := s.choose(b, 0, cost)
			if kept == "" || next == "" || !ok {
				t.Fatalf("%s: %q, %q", s.name, kept, next)
			}
			took, _ := cost(kept)
			longer, _ := cost(next)
			if took > b.Seconds*1e9 || longer <= b.Seconds*1e9 || s.memory(kept) > b.Memory || s.before(b.Memory, next) != kept {
				t.Errorf("%s, %+v: %s takes %g, %s %g", s.name, b, kept, took, next, longer)
			}
		}
		if kept, next, ok := s.choose(result.LoginBudget{Seconds: 1e-9, Memory: 1 << 20}, 0, cost); kept != "" || next == "" || !ok {
			t.Errorf("%s: a nanosecond is kept by %q; next %q", s.name, kept, next)
		}
	}
}

// TestWeakerUnknown: that nothing keeps a budget is not said where nobody knows what weaker parameters take.
func TestWeakerUnknown(t *testing.T) {
	s, b := bcrypt(), result.LoginBudget{Seconds: 0.008, Memory: 1 << 20}
	for weakest, want := range map[int]bool{parameter.Cost.Least: true, 7: false} {
		cost := func(p string) (float64, bool) {
			c := parameter.Cost.In(p)
			return 9e6, c >= weakest
		}
		if kept, next, ok := s.choose(b, s.work(parameter.Cost.Is(10)), cost); kept != "" || ok != want || ok && next != parameter.Cost.Is(weakest) {
			t.Errorf("the weakest known is %d: %q, %q, %v", weakest, kept, next, ok)
		}
	}
}

// TestPlan: the short form has the rungs, the full one the choices by what was timed, those beside them, and every CPU.
func TestPlan(t *testing.T) {
	offers := plantest.Offered(Experiment())
	for _, g := range planPasswords(Experiment().Narrowed(plan.Selection{Short: true}, offers), 4) {
		for _, tr := range g.Trials {
			of, _ := schemeOf(tr.Case.Algorithm)
			if !slices.Contains(of.rungs(plan.Selection{Short: true}), tr.Case.Parameters) || tr.Blocks != 0 && tr.Blocks < plan.LeastBlocks {
				t.Errorf("the short form has %s", tr.ID())
			}
		}
	}
	budget := result.LoginBudget{Seconds: 0.1, Memory: 32 << 20, PerSecond: 1}
	s := plan.Selection{Logins: &budget}
	const slower = 2 // than the units say
	for _, c := range timed(Experiment().Narrowed(s, nil)) {
		of, _ := schemeOf(c.Algorithm)
		for _, who := range offers.Subjects(of.at(of.cheapest())) {
			offers = append(offers, plan.Offer{Subject: who, Case: c, Call: slower * of.nominal(c.Parameters)})
		}
	}
	groups := planPasswords(Experiment().Narrowed(s, offers), 4)
	if len(groups) != 2 || len(groups[1].Trials) != len(schemes()) || groups[1].Target < 300*time.Millisecond {
		t.Fatalf("%+v", groups)
	}
	for _, tr := range groups[1].Trials {
		of, _ := schemeOf(tr.Case.Algorithm)
		kept := parameter.Without(tr.Case.Parameters, parameter.Busy)
		took := slower * of.nominal(kept)
		if below := of.before(budget.Memory, kept); of.work(below) >= of.work(kept)/2 &&
			!slices.ContainsFunc(groups[0].Trials, func(alone plan.Trial) bool { return alone.Case == of.at(below) }) {
			t.Errorf("%s may turn out slower, and %s is not measured", tr.ID(), below)
		}
		longer := time.Duration(0)
		for _, alone := range groups[0].Trials {
			if alone.Case.Algorithm == of.name && alone.Call > took && (longer == 0 || alone.Call < longer) {
				longer = alone.Call
			}
		}
		if took > 100*time.Millisecond || longer < 97*time.Millisecond || parameter.Busy.In(tr.Case.Parameters) != 4 {
			t.Errorf("%s takes %v, and the next step %v", tr.ID(), took, longer)
		}
	}
}

// aRun is a run in which calls take as long as the schemes' units say, so many times.
func aRun(b *result.LoginBudget, selection plan.Selection, factor float64) *document.Document {
	return timings(b, selection, factor).Document(Question)
}

func timings(b *result.LoginBudget, selection plan.Selection, factor float64) *answertest.Timings {
	m := answertest.NewTimings(12)
	m.Run.Header.Logins, selection.Logins = b, b
	m.Run.Header.Machine.CPU = result.CPU{Online: 2, Allowed: 2}
	for _, g := range planPasswords(Experiment().Narrowed(selection, plantest.Offered(Experiment())), 2) {
		var trials []int
		for _, tr := range g.Trials {
			of, _ := schemeOf(tr.Case.Algorithm)
			ns := factor * of.unit * of.work(parameter.Without(tr.Case.Parameters, parameter.Busy))
			if parameter.Busy.Has(tr.Case.Parameters) {
				ns *= 1.25
			}
			trials = append(trials, m.Trial("password", tr.Subject, tr.Case, ns))
		}
		var pairs []result.Pair
		for _, p := range g.Pairs {
			pairs = append(pairs, result.Pair{Base: trials[p.Base], Other: trials[p.Other], Headline: p.Headline})
		}
		m.Group("password", trials, pairs...)
	}
	return m
}

// TestUnpredictedChoosesNothing: where Argon2id's time scatters, nothing that is worse is chosen in its place, and no
// parameters are made up.
func TestUnpredictedChoosesNothing(t *testing.T) {
	m := timings(nil, plan.Selection{Short: true}, 1)
	m.Disturb(0, 2)
	d := m.Document(Question)
	answertest.CheckLayout(t, d)
	line := d.Layouts[0].Line
	if line.Mark != layout.Unclear || line.Text.EN != "Nothing is chosen: Argon2id can't be predicted from this run; run it in full: cryptogauge run password." {
		t.Errorf("%s: %s", line.Mark, line.Text.EN)
	}
	answertest.Says(t, d, layout.English, "Argon2id can't be predicted from this run; run it in full: cryptogauge run password.", "bcrypt: the strongest setting that should keep the budget is cost 12")
	answertest.Says(t, d, layout.Chinese, "暂无结论：本次运行无法预测 Argon2id 的耗时；请完整运行：cryptogauge run password。")
	for _, l := range []layout.Lang{layout.English, layout.Chinese} {
		for _, never := range []string{"0 B", "0 pass", "0 遍", "unknown time", "时间未知", "Hash passwords with", "口令杂凑请用"} {
			if strings.Contains(answertest.Texts(d, l), never) {
				t.Errorf("%q is said", never)
			}
		}
	}
	// In a full run the choice was measured, and needs no prediction.
	m = timings(nil, plan.Selection{}, 1)
	m.Disturb(0, 2)
	answertest.Says(t, m.Document(Question), layout.English, "Hash passwords with Argon2id (64 MiB, 5 passes): a login takes 21")
}

// TestSecondBest: what takes no memory is advised with the reason why nothing better is.
func TestSecondBest(t *testing.T) {
	b := result.LoginBudget{Seconds: 0.25, Memory: 1 << 20, PerSecond: 20}
	answertest.Says(t, aRun(&b, plan.Selection{Short: true}, 1), layout.English, "Hash passwords with bcrypt (cost 12)",
		"It takes next to no memory, which helps an attacker, but within this budget Argon2id, scrypt would be too weak.")
}

func TestAnswers(t *testing.T) {
	d := aRun(nil, plan.Selection{}, 1)
	answertest.CheckLayout(t, d)
	answertest.Says(t, d, layout.English, "Hash passwords with Argon2id (64 MiB, 5 passes): a login takes 21",
		"of the 250 ms allowed; 20 logins per second keep 5.3", "each with 64 MiB of memory for its login. This machine has 2 CPUs: about 7.",
		"; the next step, 64 MiB, 6 passes, takes 25", "and exceeds it",
		"scrypt: the strongest setting that should keep the budget is N=2^16, r=8, p=1: 18", "Too weak: OWASP asks for N=2^17, r=8, p=1 at least",
		"Too weak: OWASP says nothing of SM3; for SHA-256 it asks for 600,000 iterations at least",
		"At 8,000 iterations PBKDF2-HMAC-SM3 (gmsm) takes 2.9", "What cheaper parameters predicted, against what was measured: Argon2id ")
	answertest.Says(t, d, layout.Chinese, "口令杂凑请用 Argon2id（64 MiB、5 遍）", "强度不足：OWASP 至少要求 N=2^17、r=8、p=1", "次迭代时 PBKDF2-HMAC-SM3（gmsm）")
	line := d.Layouts[0].Line
	if line.Mark != layout.Choose || len(line.Text.EN) > 100 || !strings.HasPrefix(line.Text.EN, "Argon2id (64 MiB, 5 passes): 21") {
		t.Errorf("%s, %d columns: %s", line.Mark, len(line.Text.EN), line.Text.EN)
	}
	short := aRun(nil, plan.Selection{Short: true}, 1)
	answertest.CheckLayout(t, short)
	answertest.Says(t, short, layout.English, "Hash passwords with Argon2id (64 MiB, 5 passes): a login takes about 21")
	answertest.Says(t, short, layout.Chinese, "每次登录约 21")
}

// TestTooWeak: where nothing is as strong as it must be, the line says so and what it would take.
func TestTooWeak(t *testing.T) {
	for _, b := range []result.LoginBudget{{Seconds: 0.005, Memory: 1 << 20, PerSecond: 20}, {Seconds: 0.25, Memory: 64 << 20, PerSecond: 20}} {
		factor := 1.0
		if b.Seconds > 0.1 {
			factor = 20 // a slow machine
		}
		d := aRun(&b, plan.Selection{Short: true}, factor)
		answertest.CheckLayout(t, d)
		line := d.Layouts[0].Line
		if line.Mark != layout.Beware || !strings.HasPrefix(line.Text.EN, "Too weak: nothing reaches OWASP's minimum within ") || !strings.Contains(line.Text.ZH, "强度不足") {
			t.Errorf("%s: %s", line.Mark, line.Text.EN)
		}
	}
	b := result.LoginBudget{Seconds: 1e-3, Memory: 1 << 20, PerSecond: 20}
	d := aRun(&b, plan.Selection{Short: true, Algorithms: []string{algorithm.Bcrypt}}, 50)
	answertest.CheckLayout(t, d)
	answertest.Says(t, d, layout.English, "bcrypt: no parameters stay within 1.00 ms and 1 MiB; even the weakest, cost 4, takes about 44.")
}

func TestFlags(t *testing.T) {
	for text, want := range map[string]float64{"20/s": 20, "0.5": 0.5, " 3 /s ": 3, "1e3/s": 1000, "90/min": 1.5, " 1 / h": 1.0 / 3600, "7200/h": 2} {
		if got, err := ParseRate(text); err != nil || got != want {
			t.Errorf("%q: %g, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "/s", "0", "-1", "nan", "inf", "20/m", "20/", "1e9", "0x10", "1_0", "0.9/h", "1/2", "1/s/s"} {
		if got, err := ParseRate(text); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q is read as %g", text, got)
		}
	}
	for _, text := range []string{"", "0", "1KiB", "2TiB", "x"} {
		if got, err := plan.ParseMemory(text); err == nil || !strings.HasPrefix(err.Error(), "--memory: ") {
			t.Errorf("%q is read as %d, %v", text, got, err)
		}
	}
}

// TestRatesAreSaidAsPeopleCount: by the shortest unit of time that needs no fraction.
func TestRatesAreSaidAsPeopleCount(t *testing.T) {
	for text, want := range map[string]string{"20/s": "20 s", "1234": "1,234 s", "90/min": "90 min", "120/min": "2 s", "500/h": "500 h", "7/h": "7 h", "0.5": "30 min", "0.0123456": "0.0123456 s"} {
		v, err := ParseRate(text)
		if err != nil {
			t.Fatal(err)
		}
		p := view{budget: result.LoginBudget{PerSecond: v}}
		if number, unit := p.rate(); number+" "+unit.name != want {
			t.Errorf("%s: %s %s, want %s", text, number, unit.name, want)
		}
	}
	d := aRun(&result.LoginBudget{Seconds: 0.25, Memory: 64 << 20, PerSecond: 1.5}, plan.Selection{Short: true}, 1)
	answertest.CheckLayout(t, d)
	answertest.Says(t, d, layout.English, "90 logins per minute keep 0.")
	answertest.Says(t, d, layout.Chinese, "每分钟 90 次登录占满 0.")
}

// TestMemoryForEveryCPU: what was asked for and does not fit is refused with what does.
func TestMemoryForEveryCPU(t *testing.T) {
	const gib = 1 << 30
	for _, c := range []struct {
		room int64
		cpus int
		most int64
	}{{8 * gib, 4, gib}, {4*gib + 1, 64, 32 << 20}, {1 << 20, 64, 1 << 20}, {0, 64, math.MaxInt64}} {
		if got := MostMemory(c.room, c.cpus); got != c.most {
			t.Errorf("%+v: %d", c, got)
		}
		if err := Bear(min(c.most, 1<<40), c.room, c.cpus); err != nil {
			t.Errorf("%+v: %v", c, err)
		}
	}
	err := Bear(gib+1<<20, 8*gib, 4)
	if err == nil || !strings.HasSuffix(err.Error(), "4 logins take that at once, and half of the available memory is 4 GiB: give 1 GiB or less") {
		t.Error(err)
	}
}
