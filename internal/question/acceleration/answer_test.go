package acceleration

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/answer/answertest"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/internal/switches"
	"github.com/cryptogauge/cryptogauge/result"
)

// bench builds documents of the experiment acceleration by hand.
type bench struct{ doc document.Document }

func (b *bench) row(library, version, environment string, c result.Case, ns float64) *document.Row {
	r := &document.Row{Experiment: "acceleration", Algorithm: c.Algorithm, Mode: c.Mode, Operation: c.Operation, Bytes: 16 << 10,
		Library: library, Version: version, CallPath: "c-loop", Environment: environment, Status: result.OK,
		ConstantTime: result.ConstantTime{Value: "unknown", Basis: "x"}}
	low, high, rate := ns*0.99, ns*1.01, float64(r.Bytes)/ns*1e9
	r.NsPerOp, r.BytesPerSecond = &document.Estimate{Median: ns, Low: &low, High: &high}, &rate
	r.ID = strings.Join([]string{"acceleration", answer.CaseName(c.Algorithm, c.Mode), library, version, environment}, "/")
	b.doc.Rows = append(b.doc.Rows, r)
	return b.doc.Rows[len(b.doc.Rows)-1]
}

// toggled adds a row without a feature, and its comparison with the one that has it.
func (b *bench) toggled(library, version string, f switches.Feature, c result.Case, ratio float64, verdict string, headline bool) *document.Row {
	environment := ""
	for _, s := range switches.Of(library, version, "amd64") {
		if s.Feature == f {
			environment = s.Environment
		}
	}
	on := strings.Join([]string{"acceleration", answer.CaseName(c.Algorithm, c.Mode), library, version, ""}, "/")
	off := b.row(library, version, environment, c, 1000*ratio)
	low, high := ratio*0.98, ratio*1.02
	b.doc.Comparisons = append(b.doc.Comparisons, document.Comparison{ID: fmt.Sprint("c", len(b.doc.Comparisons)), Base: off.ID, Other: on,
		Ratio: ratio, Low: &low, High: &high, Verdict: verdict, Headline: headline, Level: 0.999, Blocks: 15})
	return off
}

var (
	sealingAES = result.Case{Algorithm: "AES-128", Mode: "GCM", Operation: "encrypt"}
	hashingSHA = result.Case{Algorithm: "SHA-256", Operation: "hash"}
)

// furnished is what a machine shows that has everything.
func furnished() *bench {
	b := &bench{}
	b.doc.Machine.Arch = "amd64"
	b.row("go", "go1.26", "", sealingAES, 1000).ConstantTime.Value = "yes"
	b.row("go", "go1.26", "", hashingSHA, 1000)
	b.row("openssl", "3.0.19", "", sealingAES, 1000)
	b.row("botan", "2.19.3", "", sealingAES, 1000)
	b.row(subject.Engine, "devel", "", sealingAES, 1000)
	b.toggled("go", "go1.26", switches.AES, sealingAES, 40, "faster", true).ConstantTime.Value = "no"
	b.toggled("openssl", "3.0.19", switches.AES, sealingAES, 1.05, "faster", true)
	b.toggled("go", "go1.26", switches.SHA, hashingSHA, 1, "inconclusive", true)
	b.toggled("go", "go1.26", switches.AVX2, sealingAES, 1, "inconclusive", false)
	b.toggled("go", "go1.26", switches.AVX512, sealingAES, 1, "same", false)
	b.toggled("openssl", "3.0.19", switches.AVX512, sealingAES, 0.8, "slower", false)
	b.toggled("openssl", "3.0.19", switches.All, sealingAES, 32, "faster", false)
	return b
}

func TestAccelerationSaysWhatTheComparisonsSay(t *testing.T) {
	d := &furnished().doc
	answer.Add(d, []answer.Question{Question})
	for _, want := range []struct {
		mark   layout.Mark
		en, zh string
	}{
		{layout.Choose, "Expose the CPU flag aes to virtual machines: without aes, AES-128-GCM in go takes 40.0 times as long (39.2–40.8).",
			"请向虚拟机开放 CPU 标志 aes 对应的指令集：没有 aes 时，go 的 AES-128-GCM 耗时增至 40.0 倍（39.2–40.8）。"},
		{layout.Beware, "Without AES instructions (CPU flag aes), AES-128-GCM, encryption of 16 KiB: go takes 40.0 times as long (39.2–40.8); openssl takes " +
			"5.0 % longer (2.9–7.1 %); no longer constant-time then: go (the time depends on secrets).",
			"没有 AES 指令（CPU 标志 aes）时的耗时（AES-128-GCM，加密，16 KiB）：go 为原来的 40.0 倍（39.2–40.8）；openssl 增加 5.0%（2.9–7.1%）；此时 go 不再是常数时间实现（耗时取决于机密数据）。"},
		{layout.Unclear, "Without SHA instructions (CPU flag sha_ni), SHA-256 of 16 KiB: go inconclusive (0.980–1.020 times as long).", "go 无法判定（耗时比 0.980–1.020）"},
		{layout.Plain, "Switches that turn CPU features off in go: no effect on anything measured: AVX-512; effect inconclusive: SHA (0.980–1.020 times as long), AVX2 (0.980–1.020 times as long).",
			"go 关闭 CPU 特性的开关：对所测各项均无作用：AVX-512；无法判定有无作用：SHA（耗时比 0.980–1.020）、AVX2（耗时比 0.980–1.020）。"},
		{layout.Plain, "Faster without a feature than with it, at 16 KiB: openssl, AES-128-GCM, encryption, without AVX-512 (1.25 times as fast, " +
			"1.23–1.28).", "以下各项关闭特性反而更快：openssl，AES-128-GCM，加密，关闭 AVX-512"},
		{layout.Plain, "These libraries cannot turn CPU features off, so the effect of the features is unknown: botan 2.19.3, cryptogauge (new); Botan " +
			"reads BOTAN_CLEAR_CPUID from version 3 on.", "以下库没有关闭 CPU 特性的开关，因此无法得知硬件加速的作用：botan 2.19.3、cryptogauge（新）；Botan 自第 3 版起才读取 BOTAN_CLEAR_CPUID。"},
	} {
		i := slices.IndexFunc(d.Answers, func(a layout.Answer) bool { return a.Text.EN == want.en || strings.HasPrefix(a.Text.EN, want.en) })
		if i < 0 || d.Answers[i].Mark != want.mark || !strings.Contains(d.Answers[i].Text.ZH, want.zh) {
			t.Errorf("no answer %q, %q in:\n%s\n%s", want.en, want.zh, answertest.Texts(d, layout.English), answertest.Texts(d, layout.Chinese))
		}
	}
	answertest.CheckLayout(t, d)
}

// TestEveryToggleIsTold: a line of the matrix has a cell for each switch, which says
// what it is worth or why that is not known.
func TestEveryToggleIsTold(t *testing.T) {
	b := furnished()
	b.toggled("openssl", "3.0.19", switches.VAES, sealingAES, 1, "same", false)
	off := b.toggled("openssl", "3.0.19", switches.SHA, sealingAES, 1, "same", false)
	off.Status, off.NsPerOp, off.BytesPerSecond, off.Reason = result.Unsupported, nil, nil, "it does not know it"
	b.doc.Comparisons = b.doc.Comparisons[:len(b.doc.Comparisons)-1]
	answer.Add(&b.doc, []answer.Question{Question})
	cells := map[string]string{}
	for _, table := range b.doc.Layouts[0].Tables {
		if !strings.HasPrefix(table.Title.EN, "openssl, messages of 16 KiB") {
			continue
		}
		for i, c := range table.Columns {
			cells[c.Title.EN] = table.Rows[0].Cells[i].Text.EN
		}
	}
	for column, want := range map[string]string{"AES": "1.050×", "SHA": "unsupported", "AVX-512": "0.80×", "VAES": "none", "all": "32.0×"} {
		if cells[column] != want {
			t.Errorf("%s: %q, want %q, of %v", column, cells[column], want, cells)
		}
	}
	last := b.doc.Layouts[0].Tables[len(b.doc.Layouts[0].Tables)-1]
	effects := map[string]string{}
	for _, r := range last.Rows {
		effects[r.Cells[0].Text.EN+" "+r.Cells[2].Text.EN] = r.Cells[4].Text.EN
	}
	for who, want := range map[string]string{"go AES": "seen, up to 40.0× (AES-128-GCM, encryption)", "go AVX-512": "none", "go AVX2": "inconclusive",
		"openssl SHA": "unsupported", "botan –": "no switch"} {
		if effects[who] != want {
			t.Errorf("%s: %q, want %q, of %v", who, effects[who], want, effects)
		}
	}
}

// TestVersionsAreToldApart: of two versions of a library each row, sentence and bar
// has the version's name.
// TestWhatTheCPULacks: a switch of what is not there has no effect, whatever the times say.
func TestWhatTheCPULacks(t *testing.T) {
	d := &furnished().doc
	d.Machine.CPU.Features = []string{"aes", "sha_ni", "avx2"}
	answer.Add(d, []answer.Question{Question})
	var effects []string
	for _, table := range d.Layouts[0].Tables {
		for _, row := range table.Rows {
			if strings.HasPrefix(table.Title.EN, "Switches that turn CPU features off") {
				effects = append(effects, row.Cells[0].Text.EN+" "+row.Cells[2].Text.EN+": "+row.Cells[4].Text.EN)
			}
		}
	}
	for _, want := range []string{"go AVX-512: the CPU lacks it", "openssl AVX-512: the CPU lacks it", "go AES: seen, up to 40.0× (AES-128-GCM, encryption)"} {
		if !slices.Contains(effects, want) {
			t.Errorf("no switch says %q: %q", want, effects)
		}
	}
	answertest.Says(t, d, layout.English, "Switches that turn CPU features off in openssl: not in this CPU: AVX-512.")
	answertest.Says(t, d, layout.Chinese, "此 CPU 没有：AVX-512")
}

func TestVersionsAreToldApart(t *testing.T) {
	b := furnished()
	b.row("openssl", "3.5.1", "", sealingAES, 900)
	b.toggled("openssl", "3.5.1", switches.AES, sealingAES, 7, "faster", true)
	answer.Add(&b.doc, []answer.Question{Question})
	if got := answertest.Texts(&b.doc, layout.English); !strings.Contains(got, "openssl 3.0.19 takes 5.0 % longer (2.9–7.1 %); openssl 3.5.1 7.00 times (6.86–7.14)") {
		t.Errorf("got:\n%s", got)
	}
	answertest.CheckLayout(t, &b.doc)
}

// TestNothingSwitchedSaysNothing: rows alone make no sentence about switches.
func TestNothingSwitchedSaysNothing(t *testing.T) {
	b := &bench{}
	b.row("tjfoc", "v1", "", sealingAES, 1000)
	answer.Add(&b.doc, []answer.Question{Question})
	if len(b.doc.Answers) != 0 {
		t.Errorf("got:\n%s", answertest.Texts(&b.doc, layout.English))
	}
	answertest.CheckLayout(t, &b.doc)
}
