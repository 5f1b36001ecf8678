package decide

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/render"
	"github.com/cryptogauge/cryptogauge/result"
)

// screen is a plan of so many steps on a terminal, with all that a plan may have to say.
func screen(t *testing.T, steps, columns int, lang layout.Lang) string {
	t.Helper()
	text := "name: token service\nrate: 3000/s\nlimits: {p99: 5ms, utilization: 0.7}\nprice: {vcpu_hour: 0.04, currency: USD, vcpu_per_instance: 4}\nsteps:\n"
	requirements := []string{"constant-time", "standard:gb", "post-quantum", "standard:nist", "maintained"}
	for i := range steps {
		text += fmt.Sprintf("  - {name: step number %d of them, sign: , require: [%s]}\n", i+1, requirements[i])
	}
	weights, err := ParseWeights("time=40,throughput=30,errors=20,resources=10")
	if err != nil {
		t.Fatal(err)
	}
	doc := signed("")
	d := Make(workload(t, text), weights, doc)
	p99 := document.Estimate{Median: 4e6}
	d.Check = &Check{Rate: 3000, PredictedVCPU: 1.2, ObservedVCPU: 1.5, Ratio: &document.Estimate{Median: 1.25}, Outcome: Off, ObservedP99: &p99.Median}
	d.Latencies = []Latency{{CPUs: 3, Servers: 2, Utilization: 0.7, P99: &p99, Kept: Held}}
	d.countForP99()
	d.Lay(doc)
	doc.Layouts[0].Next = []layout.Next{{Command: "cryptogauge plan token-service.yaml --run cryptogauge-results/20261123T050813Z-plan --budget 0 --all",
		Why: layout.Text{EN: "all of the plan from the same rows, with what was excluded and why", ZH: "显示计划的全部内容"}}}
	var out bytes.Buffer
	if err := render.WriteText(&out, []*document.Document{doc}, render.Options{Lang: lang, Width: columns}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// columnsOf is how many columns of a terminal a line takes: Chinese characters and their
// punctuation take two, and begin with the radicals.
func columnsOf(line string) (n int) {
	for _, r := range line {
		n++
		if r >= '\u2e80' {
			n++
		}
	}
	return n
}

// TestOneScreen: a plan of one step and one of five are each one screen that begins with the
// choice and the CPUs, names every step's choice, and is not wider than the terminal.
func TestOneScreen(t *testing.T) {
	const most = 60
	for _, steps := range []int{1, 5} {
		for _, columns := range []int{100, 60} {
			for _, lang := range []layout.Lang{layout.English, layout.Chinese} {
				text := screen(t, steps, columns, lang)
				lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
				if len(lines) >= most && columns == 100 { // the last is the path of the page
					t.Errorf("%d steps: %d lines of %d columns in %s:\n%s", steps, len(lines), columns, lang, text)
				}
				first := strings.Join(lines[:4], " ")
				chosen, cpus := strings.Index(first, "ECDSA-P-256"), strings.Index(first, " vCPU")
				if chosen < 0 || cpus < chosen || columns == 100 && !strings.Contains(strings.Join(lines[:2], " "), " vCPU") || !strings.Contains(first, "0.7") {
					t.Errorf("%d steps in %s begin with %q", steps, lang, lines[0])
				}
				for i := range steps {
					if flat := strings.Join(strings.Fields(text), " "); !strings.Contains(flat, fmt.Sprintf("✓ step number %d of them", i+1)) {
						t.Errorf("%d steps, %d columns, %s: nothing is said of step %d:\n%s", steps, columns, lang, i+1, text)
					}
				}
				for _, line := range lines {
					if n := columnsOf(line); n > columns {
						t.Errorf("%d columns of %d: %q", n, columns, line)
					}
				}
			}
		}
	}
}

// TestFirstLine: without a utilization the first line says what the usual one makes, and how many whole CPUs that
// is; with one, or a limit that arrivals decide, it does not.
func TestFirstLine(t *testing.T) {
	for text, want := range map[string][2]string{
		"rate: 3000/s\nsteps: [{sign: }]": {"0.0540 (0.0538–0.0542) vCPU, with every CPU busy, at a utilization of 1 (none was given); at 0.7, the usual one, 0.0771: 1 CPU is enough",
			"利用率按 1 计（未指定）；按常用的 0.7 计为 0.0771 个：1 个 CPU 即可"},
		"rate: 1e6/s\nsteps: [{sign: }]": {"0.7, the usual one, 25.7: 26 CPUs are enough; extrapolated: this machine has 1 CPU",
			"25.7 个：26 个 CPU 即可；属外推：本机只有 1 个 CPU"},
		"rate: 3000/s\nlimits: {utilization: 0.5}\nsteps: [{sign: }]": {"at a utilization of 0.5: 1 CPU is enough", "利用率按 0.5 计：1 个 CPU 即可"},
		"rate: 3000/s\nlimits: {p99: 5ms}\nsteps: [{sign: }]":         {"the usual one, 0.0771", "为 0.0771 个"},
		"steps: [{sign: }]": {"for every 1000/s (no rate was given): use gmsm SM2, 0.0180 (0.0179–0.0181) vCPU, with every CPU busy, at a utilization of 1 (none was given); at 0.7, the usual one, 0.0257",
			"利用率按 1 计（未指定）；按常用的 0.7 计为 0.0257 个"},
	} {
		line := Make(workload(t, text), nil, signed("")).Headline()
		if !strings.HasSuffix(line.EN, want[0]) || !strings.HasSuffix(line.ZH, want[1]) {
			t.Errorf("%q:\n%s\n%s", text, line.EN, line.ZH)
		}
	}
}

// TestInstances: they have the whole CPUs that the first line counts, those that a limit of latency takes among them;
// where it counts none, there is no number of instances.
func TestInstances(t *testing.T) {
	kept := []Latency{{CPUs: 4, Servers: 1, Utilization: 0.45, P99: &document.Estimate{Median: 9e5}, Kept: Held}}
	missed := []Latency{{CPUs: 4, Servers: 1, Utilization: 0.45, P99: &document.Estimate{Median: 2e6}, Kept: Off}}
	for _, test := range []struct {
		limits    string
		latencies []Latency
		first     [2]string
		instances int
		note      string
	}{
		{"{}", nil, [2]string{"the usual one, 2.57: 3 CPUs are enough; extra", "2.57 个：3 个 CPU 即可；属外推"}, 2, "2 instances of 2 vCPU are enough."},
		{"{utilization: 1}", nil, [2]string{"utilization of 1: 2 CPUs are enough; extra", "按 1 计：2 个 CPU 即可；属外推"}, 1, "One instance of 2 vCPU is enough."},
		{"{p99: 1ms}", kept, [2]string{"2.57; for 99 % of the transactions within 1.00 ms: 4 CPUs are enough; extra",
			"2.57 个；要使 99% 的事务在 1.00 ms 内完成：4 个 CPU 即可；属外推"}, 2, "2 instances of 2 vCPU are enough."},
		{"{p99: 1ms}", missed, [2]string{"the usual one, 2.57; extra", "2.57 个；属外推"}, 0, ""},
		{"{p99: 1ms}", nil, [2]string{"the usual one, 2.57; extra", "2.57 个；属外推"}, 0, ""},
	} {
		// 100,000 a second of 18 µs are 1.8 CPUs' work.
		d := Make(workload(t, "rate: 100000/s\nlimits: "+test.limits+"\nprice: {vcpu_per_instance: 2}\nsteps: [{sign: }]"), nil, signed(""))
		d.Latencies = test.latencies
		d.countForP99()
		got := 0
		if n := d.Instances(); n != nil {
			got = *n
		}
		said := ""
		for _, a := range d.notes() {
			said += a.Text.EN + "\n"
		}
		if got != test.instances || !strings.Contains(said, test.note) || test.note == "" && strings.Contains(said, "of 2 vCPU") {
			t.Errorf("%s: %d instances, want %d: %s", test.limits, got, test.instances, said)
		}
		if line := d.Headline(); !strings.Contains(line.EN, test.first[0]) || !strings.Contains(line.ZH, test.first[1]) {
			t.Errorf("%s:\n%s\n%s", test.limits, line.EN, line.ZH)
		}
	}
}

// TestTasks: what is done to how many bytes is said of every need.
func TestTasks(t *testing.T) {
	for text, want := range map[string][2]string{
		"sign: {bytes: 256}":      {"signing a digest of 32 bytes", "对 32 字节摘要的签名"},
		"verify: ":                {"verifying a digest of 32 bytes", "对 32 字节摘要的验签"},
		"seal: ":                  {"sealing 1 KiB", "加密 1 KiB"},
		"hash: {bytes: 100}":      {"hashing 100 B", "杂凑 100 B"},
		"seal: {sizes: \"@mix\"}": {"sealing 64 B to 1 KiB, 304 bytes on average", "加密 64 B 至 1 KiB，平均 304 字节"},
		"handshake: ":             {"the handshake", "握手"},
	} {
		w, err := Parse("w.yaml", []byte("rate: 1\nsteps: [{"+text+"}]"), func(string) ([]result.SizeShare, error) {
			return []result.SizeShare{{Bytes: 64, Weight: 3}, {Bytes: 1024, Weight: 1}}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := w.Steps[0].task(); got.EN != want[0] || got.ZH != want[1] {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// TestStrengths: what is made of several algorithms is as strong as the weakest.
func TestStrengths(t *testing.T) {
	for _, test := range []struct {
		need Need
		name string
		want int
	}{
		{Sign, "RSA-2048 PSS", 112}, {Sign, "ECDSA-P-384", 192}, {Seal, "AES-256-GCM", 256}, {Seal, "SM4-CBC+HMAC-SM3", 128}, {Hash, "SHA-256", 0},
		{Handshake, "X25519+RSA-2048", 112}, {Handshake, "P-256+Ed25519", 128}, {Handshake, "X25519MLKEM768+RSA-4096", 128},
		{Envelope, "SM2+SM4-GCM", 128}, {Envelope, "RSA-2048-OAEP+AES-256-GCM", 112}, {Envelope, "HPKE-MLKEM768-X25519+AES-256-GCM", 192},
	} {
		s := NewStep(test.need)
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(s.variants(), func(v variant) bool { return v.name() == test.name })
		if i < 0 {
			t.Errorf("there is no %s", test.name)
		} else if got := s.variants()[i].Strength(); got != test.want {
			t.Errorf("%s has %d bits, want %d", test.name, got, test.want)
		}
	}
	for _, need := range []Need{Sign, Verify, Seal, Open, Exchange, Envelope, Handshake} {
		s := NewStep(need)
		_ = s.Check()
		for _, v := range s.variants() {
			if v.Strength() == 0 {
				t.Errorf("%s: %s has no strength", need, v.name())
			}
		}
	}
}

// TestWhyBehind: a candidate's line says in what it is behind, and behind whom where that is not the chosen one.
func TestWhyBehind(t *testing.T) {
	d := Make(workload(t, "rate: 1\nsteps: [{sign: , require: [constant-time]}]"), nil, signed(""))
	c := d.Steps[0]
	if c.Chosen.name() != "ECDSA-P-256" {
		t.Fatalf("chosen %s", c.Chosen.name())
	}
	for name, want := range map[string][2]string{
		"RSA-2048 PSS": {"slower, larger, weaker", "更慢、更大、强度更低"},
		"ML-DSA-44":    {"slower, larger", "更慢、更大"},
	} {
		i := slices.IndexFunc(c.Candidates, func(x *Candidate) bool { return x.name() == name })
		if got := (line{c.Candidates[i], c}).standing(); got.EN != want[0] || got.ZH != want[1] {
			t.Errorf("%s: %v", name, got)
		}
	}
	x := byName(c, "go", "RSA-2048 PSS")
	x.By = byName(c, "go", "Ed25519")
	if got := (line{x, c}).standing(); got.EN != "behind Ed25519: slower, larger, weaker" || got.ZH != "不及 Ed25519：更慢、更大、强度更低" {
		t.Errorf("%v", got)
	}
	x.variant = x.By.variant
	if got := (line{x, c}).standing().EN; !strings.HasPrefix(got, "behind go: ") {
		t.Errorf("of one name: %s", got)
	}
}

// TestUnjudged: a candidate that the time was too short for is named beside the choice that was made without it.
func TestUnjudged(t *testing.T) {
	f := documenttest.NewFixture(12, 4)
	var all []int
	for i, name := range []string{"ECDSA-P-256", "RSA-2048", "Ed25519"} {
		c := result.Case{Algorithm: name, Operation: "sign"}
		if name == "RSA-2048" {
			c.Mode = "PSS-SHA-256"
		}
		all = append(all, f.Trial(ExperimentName, c, result.Subject{Library: "go"}, documenttest.Plan{NS: 1000 * float64(i+1)}))
	}
	f.Status(all[2], result.Unstable, "too few blocks")
	f.Group(ExperimentName, "sign", "", all)
	for _, text := range []string{"sign: ", "sign: , require: [standard:gb]"} {
		d := Make(workload(t, "rate: 1\nsteps: [{"+text+"}]"), nil, document.Build(f.End()))
		said := d.sentences()
		unclear := slices.IndexFunc(said, func(a layout.Answer) bool {
			return a.Text.EN == "sign: the time was too short to judge go Ed25519; give more, with --budget." && a.Text.ZH == "签名：时间太短，未能评定 go 的 Ed25519；请用 --budget 给出更长的时间。"
		})
		if (unclear == 1) != (text == "sign: ") {
			t.Errorf("%s: %v", text, said)
		}
	}
}

// TestWhatDecided: where none is shown to be faster the sentence says what decided: bytes, else strength.
func TestWhatDecided(t *testing.T) {
	f := documenttest.NewFixture(12, 4)
	var all []int
	for _, name := range []string{"AES-128", "AES-256"} {
		c := result.Case{Algorithm: name, Mode: "GCM", Operation: "encrypt", Bytes: 1024}
		all = append(all, f.Trial(ExperimentName, c, result.Subject{Library: "go"}, documenttest.Plan{NS: 300}))
	}
	f.Group(ExperimentName, "seal", "", all)
	d := Make(workload(t, "rate: 1\nsteps: [{seal: }]"), nil, document.Build(f.End()))
	said := d.sentences()[0].Text
	if !strings.Contains(said.EN, "use go AES-256-GCM") || !strings.Contains(said.EN, ", and 256 bits of strength instead of 128") ||
		!strings.Contains(said.ZH, "，安全强度 256 比特而非 128 比特") {
		t.Errorf("%v", said)
	}
}

// TestPage: the page begins its answers with what to choose, says the number of CPUs once, in large, and of every
// number of a sentence whether other CPUs were busy.
func TestPage(t *testing.T) {
	doc := signed("")
	d := Make(workload(t, "rate: 3000/s\nsteps: [{sign: , require: [constant-time]}]"), nil, doc)
	d.Lay(doc)
	var out bytes.Buffer
	if err := render.WriteHTML(&out, []*document.Document{doc}, render.Options{Lang: layout.English}); err != nil {
		t.Fatal(err)
	}
	page, _, _ := strings.Cut(out.String(), `id="folded"`)
	if n := strings.Count(page, "at a utilization of 1 (none was given)"); n != 1 {
		t.Errorf("the page says %d times what the CPUs assume", n)
	}
	_, answers, _ := strings.Cut(page, `<div class="answers">`)
	if first, _, _ := strings.Cut(answers, "</li>"); !strings.Contains(first, "use go ECDSA-P-256") {
		t.Errorf("the answers begin with %s", first)
	}
	for _, want := range []string{">24.99 µs, 2 busy CPUs<", ">20.02 µs, alone<", ">24.99 µs，2 个 CPU 忙<", ">20.02 µs，单独运行<"} {
		if !strings.Contains(answers, want) {
			t.Errorf("no %s", want)
		}
	}
}
