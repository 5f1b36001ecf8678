package check

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

// laboratory writes runs as measure does, from planted speeds: one group of trials
// of three libraries, with the references behind them.
type laboratory struct {
	rnd    *rand.Rand
	speed  map[string]float64 // by library or reference: its time, 1 where it is not named
	allocs map[string]float64
	status map[string]result.Status
	digest string
	exhibit,
	busy bool
	rough map[string]float64 // by library: how far its blocks scatter
	// By library: no block came to it, or none of its blocks came to their end.
	missed, broken map[string]bool

	libraries      []string
	version        map[string]string // by library; v1 where it is not named
	blocks, rounds int
}

// drawn is up to how many objects more tjfoc takes in a block, by chance.
const drawn = 4

func (l laboratory) run() *measured { return read(l.file(), "folder") }

func (l laboratory) file() *result.Run {
	run := &result.Run{Header: result.Header{Schema: result.SchemaRun, Seed: 7}}
	group := result.Group{Experiment: "modes", Name: "1024 bytes"}
	add := func(s result.Subject, c result.Case, name string) {
		i := len(run.Trials)
		info := result.TrialInfo{Index: i, Experiment: "modes", Trial: result.Trial{Subject: s, Case: c}, Loop: "block"}
		if !plan.IsReference(info.Trial) {
			info.Digest, info.Exhibit = l.digest, l.exhibit && name == "tjfoc"
		}
		run.Trials, group.Trials = append(run.Trials, info), append(group.Trials, i)
		if st := l.status[name]; st != "" {
			run.Statuses = append(run.Statuses, result.StatusChange{Trial: i, Status: st, Reason: "planted"})
			return
		}
		if l.missed[name] {
			return
		}
		for b := range l.blocks {
			allocs := l.allocs[name]
			if name == "tjfoc" {
				allocs += float64(l.rnd.IntN(drawn))
			}
			run.Opened = append(run.Opened, result.Opened{Trial: i, Block: b, Calls: 1, Allocs: allocs})
			if !l.broken[name] {
				run.Closed = append(run.Closed, result.Closed{Trial: i, Block: b})
			}
			layout := max(0.005, l.rough[name]) * l.rnd.NormFloat64()
			for r := range l.rounds {
				ns := int64(1e6 * max(l.speed[name], 0.1) * math.Exp(layout+0.005*l.rnd.NormFloat64()))
				s := result.Sample{Trial: int32(i), Block: int32(b), Round: int32(r), Calls: 1, Thread: ns, Process: ns, Wall: ns, Cycles: -1, SpinBefore: 40000, SpinAfter: 40000}
				if l.busy {
					s.Wall *= 3
				}
				run.Samples = append(run.Samples, s)
			}
		}
	}
	for _, library := range l.libraries {
		add(result.Subject{Library: library, Version: cmp.Or(l.version[library], "v1"), CallPath: "go"}, result.Case{Algorithm: "SM4", Mode: "CBC", Operation: "encrypt", Bytes: 1024}, library)
	}
	for _, c := range plan.ReferenceCases() {
		add(result.Subject{Library: subject.Harness, Version: "1", CallPath: "go"}, c, c.Mode)
	}
	run.Groups = []result.Group{group}
	run.End = &result.End{Samples: int64(len(run.Samples)), Seconds: 1}
	return run
}

func healthy(seed uint64) laboratory {
	return laboratory{rnd: rand.New(rand.NewPCG(seed, 1)), digest: "aa", allocs: map[string]float64{"go": 1, "tjfoc": 100},
		speed: map[string]float64{"go": 1, "gmsm": 2, "tjfoc": 3, "add": 1, "wide": 1, "loads": 1}, status: map[string]result.Status{},
		libraries: []string{"go", "gmsm", "tjfoc"}, blocks: speedBlocks, rounds: speedRounds}
}

// held makes a baseline of a healthy machine, and holds a changed one against it
// with all looks.
func held(change func(*laboratory)) (Verdict, map[string]Verdict) {
	v, by, _ := heldAgainst(nil, change)
	return v, by
}

// heldAgainst does so where the machine is rough to some libraries, and says how the
// check ends.
func heldAgainst(rough map[string]float64, change func(*laboratory)) (Verdict, map[string]Verdict, layout.Text) {
	s := &session{report: &Report{}}
	s.Suite.Tool = "v1"
	then := healthy(1)
	then.rough = rough
	s.base = s.baseline([]*measured{then.run()}, nil)
	s.base.Made = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	var seen []*measured
	for look := range uint64(looks) {
		l := healthy(2 + look)
		l.rough = rough
		change(&l)
		seen = append(seen, l.run())
	}
	trials := append(s.outputs(seen[0]), s.gone(seen[0])...)
	s.judgeSpeed(trials, seen)
	v := s.decide(trials, s.doubt(seen))
	by := map[string]Verdict{}
	for _, t := range trials {
		by[t.Library] = t.Verdict
	}
	return v, by, s.regressionSays(Round{Verdict: v, Trials: trials})
}

// TestCoarse: what is too rough for 15 % is held to what its noise leaves, beside the
// others that are held to theirs, and the check says so.
func TestCoarse(t *testing.T) {
	rough := map[string]float64{"tjfoc": 0.08}
	for _, test := range []struct {
		name   string
		change func(*laboratory)
		want   Verdict
		tjfoc  Verdict
	}{
		{"nothing", func(*laboratory) {}, Fine, Fine},
		{"twice as slow", func(l *laboratory) { l.speed["tjfoc"] *= 2 }, Failed, Slower},
		{"gmsm 15 % slower", func(l *laboratory) { l.speed["gmsm"] *= 1.15 }, Failed, Fine},
	} {
		v, by, says := heldAgainst(rough, test.change)
		if v != test.want || by["tjfoc"] != test.tjfoc {
			t.Errorf("%s: %s, tjfoc %s; all %v", test.name, v, by["tjfoc"], by)
		}
		if v == Fine && (!strings.Contains(says.EN, "nothing is slower (3 trials); a slowdown of 1.5 % or more is excluded for 2, one of 12 %") ||
			!strings.Contains(says.ZH, "3 个测试项均未变慢；其中 2 项可排除 1.5% 及以上的变慢，其余在本机噪声较大，可排除 12%")) {
			t.Errorf("%s: %q, %q", test.name, says.EN, says.ZH)
		}
	}
}

// TestRegression plants one change at a time.
func TestRegression(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*laboratory)
		want   Verdict
		gmsm   Verdict
	}{
		{"nothing", func(*laboratory) {}, Fine, Fine},
		{"gmsm 15 % slower", func(l *laboratory) { l.speed["gmsm"] *= 1.15 }, Failed, Slower},
		{"gmsm 20 % faster", func(l *laboratory) { l.speed["gmsm"] /= 1.2 }, Fine, Faster},
		{"everything 30 % slower: another clock", func(l *laboratory) {
			for name := range l.speed {
				l.speed[name] *= 1.3
			}
		}, Fine, Fine},
		{"a neighbour on the core: gmsm slower, and the fixed work that feels it", func(l *laboratory) { l.speed["gmsm"] *= 1.15; l.speed["wide"] *= 1.2 }, Inconclusive, Inconclusive},
		{"one object more", func(l *laboratory) { l.allocs["gmsm"] = 1 }, Failed, Allocates},
		{"one object less", func(l *laboratory) { l.allocs["go"] = 0 }, Fine, Fine},
		{"other objects by chance, as tjfoc's SM2 draws them", func(*laboratory) {}, Fine, Fine},
		{"one object more than chance ever took", func(l *laboratory) { l.allocs["tjfoc"] = 100 + drawn }, Failed, Fine},
		{"a wrong output", func(l *laboratory) { l.status["gmsm"] = result.Incorrect }, Wrong, Wrong},
		{"another output", func(l *laboratory) { l.digest = "bb" }, Wrong, Wrong},
		{"a crash", func(l *laboratory) { l.status["gmsm"] = result.Crashed }, Failed, Gone},
		{"a policy", func(l *laboratory) { l.status["gmsm"] = result.Unsupported }, Failed, Gone},
		{"an exhibit", func(l *laboratory) { l.status["tjfoc"], l.exhibit = result.Incorrect, true }, Fine, Fine},
		{"the CPU taken away", func(l *laboratory) { l.speed["gmsm"] *= 1.15; l.busy = true }, Inconclusive, Inconclusive},
	} {
		v, by := held(test.change)
		if v != test.want || by["gmsm"] != test.gmsm {
			t.Errorf("%s: %s, gmsm %s; all %v", test.name, v, by["gmsm"], by)
		}
	}
}

// TestBaselineOfNoise: what is too noisy is not guarded, and nothing else is.
func TestBaselineOfNoise(t *testing.T) {
	s := &session{report: &Report{}}
	b := s.baseline([]*measured{healthy(1).run()}, nil)
	guarded := 0
	for _, x := range b.Trials {
		if x.guarded() && !x.Control {
			guarded++
			if x.Tolerance < leastTolerance || x.Resolution > 0.06 || len(x.Ratios) != speedBlocks {
				t.Errorf("%+v", x)
			}
		}
	}
	if guarded != 3 || b.Outputs["SM4-CBC/encrypt/1024/"] != "aa" {
		t.Errorf("%d guarded, outputs %v", guarded, b.Outputs)
	}
	blocks := make([]float64, speedBlocks)
	scattered := func(step float64) []float64 {
		for i := range blocks {
			blocks[i] = step * float64(i%4)
		}
		return blocks
	}
	for _, test := range []struct {
		step      float64
		sharp, ok bool
	}{{0.01, true, true}, {0.07, false, true}, {0.3, false, false}} {
		if p := precisionOf(scattered(test.step), 3); p.sharp != test.sharp || p.ok != test.ok || p.resolution < test.step {
			t.Errorf("blocks that scatter by up to %g: %+v", 3*test.step, p)
		}
	}
	if p := precisionOf(scattered(0.01)[:5], 3); p.ok || p.sharp {
		t.Error("five blocks are enough")
	}
}

// TestOutputsSay counts what was held against the baseline, and claims no more.
func TestOutputsSay(t *testing.T) {
	s := &session{report: &Report{}}
	s.Suite.Tool = "v1"
	healthy := healthy(1)
	m := healthy.run()
	s.base = s.baseline([]*measured{m}, nil)
	s.base.Made = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	other := *s.base
	other.Outputs = map[string]string{"SM4-CBC/encrypt/64/": "aa"}
	newer := *s.base
	newer.Outputs = map[string]string{"SM4-CBC/encrypt/1024/": "bb"}
	less := healthy
	less.status = map[string]result.Status{"gmsm": result.Unsupported}
	none := healthy
	none.status = map[string]result.Status{"go": result.Unsupported, "gmsm": result.Crashed, "tjfoc": result.Incorrect}
	some := healthy.run()
	some.trials[0].info.Digest = "" // as of a signature
	for _, test := range []struct {
		name     string
		base     *Baseline
		m        *measured
		tool     string
		says, zh string
	}{
		{"all", s.base, m, "v1", "the outputs of 3 trials are the same as on 2026-03-01 00:00", "3 个测试项的输出均与 2026-03-01 00:00 相同"},
		{"all that answer", s.base, less.run(), "v1", "the outputs of 2 trials are the same as on 2026-03-01 00:00", "2 个测试项的输出均与 2026-03-01 00:00 相同"},
		{"some", s.base, some, "v1",
			"of 3 trials the outputs of 2 were compared, and are the same as on 2026-03-01 00:00; the baseline has none of the others",
			"3 个测试项中比较了 2 个的输出，均与 2026-03-01 00:00 相同；其余在基线中没有对应的输出"},
		{"of other sizes", &other, m, "v1", "no output of 3 trials was compared, for the baseline of 2026-03-01 00:00 has none of them", "3 个测试项的输出均未比较：2026-03-01 00:00 的基线中没有对应的输出"},
		{"of another version's data", &newer, m, "v2",
			"the outputs are right, but the data differ from those of the baseline of 2026-03-01 00:00, which another version made", "输出正确，但数据与 2026-03-01 00:00 由其他版本建立的基线不同"},
		{"none", s.base, none.run(), "v1", "there is no output to compare", "没有可比较的输出"},
	} {
		s.base, s.Suite.Tool = test.base, test.tool
		if got := s.outputsSay(s.outputs(test.m)); got.EN != test.says || got.ZH != test.zh {
			t.Errorf("%s: %q, %q", test.name, got.EN, got.ZH)
		}
	}
}

// TestPassesSay: a baseline that guards half of the trials or more is kept, and says
// how many it does not guard.
func TestPassesSay(t *testing.T) {
	for _, test := range []struct {
		noisy, timed int
		kept         bool
	}{{0, 0, true}, {0, 1, true}, {1, 1, false}, {62, 125, true}, {63, 125, false}, {50, 100, true}} {
		if kept := worthKeeping(test.noisy, test.timed); kept != test.kept {
			t.Errorf("%d of %d too noisy: kept %t", test.noisy, test.timed, kept)
		}
	}
	s := &session{path: "b.json"}
	says := func(guarded, coarse, noise, few int) layout.Text {
		b := &Baseline{Trials: []BaselineTrial{{ID: "control", Control: true, Ratios: []float64{1}, Resolution: 0.5}}}
		for n, trial := range map[*int]BaselineTrial{
			&guarded: {Ratios: []float64{1}, Resolution: 0.04}, &coarse: {Ratios: []float64{1}, Resolution: 0.3, Coarse: true},
			&noise: {Ratios: []float64{1}, Resolution: 0.2, Unguarded: whyNoise.EN}, &few: {Ratios: []float64{1}, Unguarded: whyFew.EN},
		} {
			b.Trials = append(b.Trials, slices.Repeat([]BaselineTrial{trial}, *n)...)
		}
		r, g := Round{Verdict: Fine, Trials: make([]*Trial, 4)}, b.guards()
		if len(g.resolutions) == 0 {
			r.Verdict = Inconclusive
		}
		return s.passesSay(r, g, 0, 0)
	}
	for _, test := range []struct {
		guarded, coarse, noise, few int
		en, zh                      string
	}{
		{85, 0, 40, 0, "the speed of 85 of 125 trials (the others are too noisy here) will be checked against this baseline" +
			"; a slowdown of 4 % is detected in the median trial, of 4 % in the worst; saved as b.json",
			"今后将检查 125 个测试项中的 85 个（其余在本机噪声过大）的速度：中位的测试项变慢 4% 即可发现，最差的一项须变慢 4%；已保存为 b.json"},
		{3, 0, 0, 0, "the speed of 3 trials will be checked against this baseline; a slowdown of 4 % is detected in the median trial, of 4 % in the worst; saved as b.json",
			"今后将检查 3 个测试项的速度：中位的测试项变慢 4% 即可发现，最差的一项须变慢 4%；已保存为 b.json"},
		{3, 0, 0, 2, "the speed of 3 of 5 trials (the others were measured in too few blocks) will be checked against this baseline" +
			"; a slowdown of 4 % is detected in the median trial, of 4 % in the worst; saved as b.json",
			"今后将检查 5 个测试项中的 3 个（其余测量的数据组过少）的速度：中位的测试项变慢 4% 即可发现，最差的一项须变慢 4%；已保存为 b.json"},
		{0, 0, 2, 1, "none was kept: 2 trials are too noisy here for their speed to be guarded; try when the machine is quiet (cryptogauge doctor)",
			"未保存：2 个测试项在本机噪声过大，速度无法对照；请在机器空闲时重试（cryptogauge doctor）"},
		{0, 0, 0, 2, "none was kept: 2 trials are measured in too few blocks for their speed to be guarded; choose others as well",
			"未保存：2 个测试项的数据组过少，速度无法对照；请同时选择其他测试项"},
		{3, 2, 0, 0, "the speed of 5 trials will be checked against this baseline" +
			"; a slowdown of 4 % is detected in the median trial, of 30 % in the worst; noise could hide a slowdown of 15 % in 2 of them; saved as b.json",
			"今后将检查 5 个测试项的速度：中位的测试项变慢 4% 即可发现，最差的一项须变慢 30%；其中 2 项噪声过大，变慢 15% 也可能发现不了；已保存为 b.json"},
		{0, 0, 0, 0, "none was kept: nothing of 4 trials is timed, so no speed could be guarded; choose cases that are timed (cryptogauge run --dry-run lists the cases)",
			"未保存：4 个测试项都不计时，没有速度可对照；请选择计时的测试项（cryptogauge run --dry-run 列出全部测试项）"},
	} {
		if got := says(test.guarded, test.coarse, test.noise, test.few); got.EN != test.en || got.ZH != test.zh {
			t.Errorf("%d guarded, %d too noisy: %q, %q", test.guarded, test.noise, got.EN, got.ZH)
		}
	}
}

// TestNoSpeedGuarded: a check against a baseline that guards no speed, or none of what
// is asked, does not end fine, whatever the outputs.
func TestNoSpeedGuarded(t *testing.T) {
	s := &session{base: example()}
	trials := []*Trial{{Verdict: Unguarded, answered: true, compared: true}, {Verdict: New, answered: true, compared: true}, {Verdict: Exhibit}}
	if v := s.decide(trials, layout.Text{}); v != Inconclusive {
		t.Errorf("%s", v)
	}
	says := s.regressionSays(Round{Verdict: Inconclusive, Trials: trials})
	if !strings.Contains(says.EN, "no speed is guarded by the baseline of 2026-03-01 00:00: make one that does with --new-baseline") || !strings.Contains(says.ZH, "--new-baseline") {
		t.Errorf("%+v", says)
	}
	short := &session{Config: Config{Budget: 5 * time.Second}}
	if g := (guards{resolutions: []float64{0.04}, few: 2}); !short.cutShort(g) || s.cutShort(g) {
		t.Error("a baseline that --budget cut short")
	}
}
