package question

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer/answertest"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/plan/plantest"
	"github.com/cryptogauge/cryptogauge/result"
)

// planted is the time of a trial: our engine is the fastest and what is insecure next, which
// are both not to be advised for that; then gmsm and Go, and tjfoc last.
func planted(t result.Trial) float64 {
	ns := map[string]float64{"cryptogauge": 300, "gmsm": 1000, "go": 1100, "xcrypto": 1200, "openssl": 1300, "botan": 1400}[t.Subject.Library]
	if ns == 0 {
		ns = 3000
	}
	r := document.Row{Algorithm: t.Case.Algorithm, Mode: t.Case.Mode, Operation: t.Case.Operation, Parameters: t.Case.Parameters}
	if len(r.Weaknesses()) > 0 {
		ns *= 0.4
	}
	if t.Subject.Environment != "" {
		ns *= 3
	}
	if bits := algorithm.RSABits(t.Case.Algorithm); bits > 0 {
		ns *= float64(bits) / 256
	} else if strings.Contains(t.Case.Mode, "RSA") {
		ns *= 3
	}
	ns *= 1 + float64(max(t.Case.Bytes, 1<<10))/1000
	h := fnv.New32a()
	fmt.Fprint(h, t.Case)
	return ns * (1 + 0.2*float64(h.Sum32()%100)/100)
}

// narrowedRun is what a run of a part of a question says, with our engine and wrong helpers in it.
func narrowedRun(t *testing.T, name string, s plan.Selection, libraries string) *document.Document {
	t.Helper()
	found, err := Find([]string{name})
	if err != nil {
		t.Fatal(err)
	}
	offers := plantest.Offered(found[0])
	if strings.Contains(libraries, "botan") {
		offers = append(offers, plantest.NativeOffers(found[0])...)
	}
	ours := result.Subject{Library: "cryptogauge", Version: "v0.1.0", Implementation: "vaes", CallPath: "go"}
	for _, o := range slices.Clone(offers) {
		if o.Subject == plantest.GMSM && o.Case.Algorithm != algorithm.SM2 {
			offers = append(offers, plan.Offer{Subject: ours, Case: o.Case, Loop: o.Loop})
		}
	}
	offers = slices.DeleteFunc(offers, func(o plan.Offer) bool {
		return libraries != "" && !slices.Contains(strings.Split(libraries, ","), o.Subject.Library) && o.Subject.Library != "harness"
	})
	f := documenttest.NewFixture(15, 1)
	f.Run.Header.Libraries = append(f.Run.Header.Libraries, result.Library{Library: "tjfoc", Version: "v1.4.1", Implementation: "helpers"})
	for _, g := range found[0].Plan(s, offers) {
		var trials []int
		for _, trial := range g.Trials {
			at := f.Trial(name, trial.Case, trial.Subject, documenttest.Plan{NS: planted(trial.Trial)})
			trials = append(trials, at)
			if trial.Exhibit && trial.Subject.Implementation == "helpers" {
				f.Run.Trials[at].Exhibit = true
				f.Status(at, result.Incorrect, "the tag is wrong from byte 16 on")
			}
		}
		var pairs []result.Pair
		for _, p := range g.Pairs {
			p.Base, p.Other = trials[p.Base], trials[p.Other]
			pairs = append(pairs, p)
		}
		f.Group(name, g.Name, g.Kind, trials, pairs...)
	}
	d := document.Build(f.End())
	Answer(d)
	return d
}

// TestAdviceOnWhateverWasAsked: of each part of a question that may be measured alone the line
// names a choice that is secure, right and established, or says that there is none.
func TestAdviceOnWhateverWasAsked(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	all := func(words ...string) []string { return words }
	for _, c := range []struct {
		question  string
		s         plan.Selection
		libraries string
		en, zh    string
	}{
		{"modes", plan.Selection{Short: true}, "", "Use SM4-GCM (gmsm)", "请用 gmsm 的 SM4-GCM"},
		{"modes", plan.Selection{Short: true, Algorithms: all("SM4"), Modes: all("CBC", "GCM")}, "tjfoc,gmsm", "SM4-CBC (gmsm), and changes are detected", "能发现篡改"},
		{"modes", plan.Selection{Short: true, Modes: all("GCM")}, "cryptogauge,tjfoc", "Use SM4-GCM (tjfoc) for 64 KiB: ", "cryptogauge（新）："},
		{"modes", plan.Selection{Short: true, Algorithms: all("SM4"), Modes: all("CBC", "GCM")}, "tjfoc,botan", "Use SM4-GCM (tjfoc; with C: botan) for 64 KiB: ",
			"请用 tjfoc 的 SM4-GCM（可调用 C 时用 botan）"},
		{"modes", plan.Selection{Modes: all("GCM")}, "cryptogauge", "add an established library", "成熟的库"},
		{"modes", plan.Selection{Short: true, Algorithms: all("SM4"), Modes: all("CBC")}, "", "Measure SM4-GCM", "请加测 SM4-GCM"},
		{"modes", plan.Selection{Algorithms: all("AES-256"), Modes: all("ECB")}, "", "Measure AES-256-GCM", "相同分组可见"},
		{"modes", plan.Selection{Algorithms: all("AES-128"), Operations: all("decrypt"), Sizes: []int64{100}}, "", "Use AES-128-", "请用 go 的 AES-128-"},
		{"primitives", plan.Selection{Short: true}, "", "Reuse one AES-128-GCM cipher (go)", "请复用同一个 AES-128-GCM 实例"},
		{"primitives", plan.Selection{Algorithms: all("SM3")}, "", "Use SM3 (gmsm): ", "请用 gmsm 的 SM3"},
		{"primitives", plan.Selection{Algorithms: all("MD5", "SHA-256")}, "", "Use SHA-256 (go): ", "没有已知碰撞"},
		{"primitives", plan.Selection{Algorithms: all("MD5")}, "", "Nothing measured here for hashing of 16 B is to be recommended: with MD5 (go)", "数秒即可构造碰撞"},
		{"primitives", plan.Selection{Algorithms: all("SM2"), Operations: all("verify")}, "tjfoc,gmsm", "Use SM2 (gmsm): ", "请用 gmsm 的 SM2"},
		{"messages", plan.Selection{Short: true}, "", "Use ", "请用"},
		{"messages", plan.Selection{Algorithms: all("SM4"), Sizes: []int64{100}}, "", "Use SM4-", "请用 gmsm 的 SM4-"},
		{"messages", plan.Selection{Algorithms: all("SM4")}, "tjfoc", "Use SM4-", "请用 tjfoc 的 SM4-"},
		{"streaming", plan.Selection{Short: true}, "", "Encrypt in chunks of ", "在内存中请按"},
		{"streaming", plan.Selection{Chunks: []int64{65536}, Algorithms: all("SM4")}, "", "Use SM4-GCM (gmsm)", "请用 gmsm 的 SM4-GCM"},
		{"concurrency", plan.Selection{Short: true}, "", "Share one cipher between goroutines", "请共享一个 cipher 实例"},
		{"concurrency", plan.Selection{Goroutines: []int{1}, Algorithms: all("SM4")}, "", "gmsm", "gmsm"},
		{"gc", plan.Selection{Short: true}, "", "euse", "复用"},
		{"gc", plan.Selection{Algorithms: all("SM4")}, "tjfoc", "tjfoc", "tjfoc"},
		{"rsa", plan.Selection{Short: true}, "", "If it must be RSA, use RSA-2048 PSS (go) for signing: ", "签名若必须用 RSA，请用 go 的 RSA-2048 PSS"},
		{"rsa", plan.Selection{Sizes: []int64{190, 100}, Operations: all("decrypt")}, "", "use RSA-2048 OAEP (go) for decryption of 190 B: ", "不受 Bleichenbacher 填充预言机"},
		{"rsa", plan.Selection{Algorithms: all("RSA-1024", "RSA-3072")}, "", "use RSA-3072 PSS (go) for signing: ", "安全强度 128 比特"},
		{"rsa", plan.Selection{Algorithms: all("RSA-1024")}, "", "the key is too short", "密钥太短"},
		{"rsa", plan.Selection{Algorithms: all("RSA-4096"), Operations: all("encrypt"), Modes: all("PKCS1v15")}, "", "OAEP with 2048 bits or more", "OAEP"},
		{"signatures", plan.Selection{Short: true}, "", "Use ", "请用"},
		{"signatures", plan.Selection{Algorithms: all("SM2")}, "", "Use SM2 (gmsm) for signing: ", "签名请用 gmsm 的 SM2"},
		{"signatures", plan.Selection{Algorithms: all("RSA-2048", "Ed25519"), Operations: all("verify")}, "", "Use Ed25519 (go) for verifying: ", "验签请用 go 的 Ed25519"},
		{"exchange", plan.Selection{Short: true}, "", "Use X25519MLKEM768 (go): ", "可抵御量子计算机"},
		{"exchange", plan.Selection{Algorithms: all("X25519", "ML-KEM-768")}, "", "Use ML-KEM-768 (gmsm): ", "可抵御量子计算机"},
		{"exchange", plan.Selection{Algorithms: all("X25519")}, "", "X25519 (go): it takes ", "go 的 X25519：耗时"},
		{"envelope", plan.Selection{Short: true}, "", "Use HPKE-", "请用"},
		{"envelope", plan.Selection{Operations: all("seal"), Sizes: []int64{200}}, "", "Use ", "请用"},
		{"handshake", plan.Selection{Short: true}, "", "Use X25519MLKEM768 with ECDSA-P-256 (go): ", "请用 go 的 X25519MLKEM768 加 ECDSA-P-256 证书"},
		{"handshake", plan.Selection{Modes: all("X25519+RSA-2048", "X25519+ECDSA-P-256")}, "", "Use X25519 with ECDSA-P-256 (go): ", "请用"},
		{"boundary", plan.Selection{Short: true}, "", "Use ", "请用"},
		{"boundary", plan.Selection{Algorithms: all("AES-128"), Sizes: []int64{64}}, "openssl", "Use AES-128-GCM (openssl", "请用 openssl"},
		{"acceleration", plan.Selection{Short: true}, "", "Keep the CPU flag ", "请始终向虚拟机开放"},
		{"acceleration", plan.Selection{Algorithms: all("SM4")}, "tjfoc", "SM4-GCM (tjfoc)", "tjfoc 的 SM4-GCM"},
	} {
		d := narrowedRun(t, c.question, c.s, c.libraries)
		if len(d.Layouts) != 1 {
			t.Errorf("%s %v: nothing was planned", c.question, c.s)
			continue
		}
		line := d.Layouts[0].Line
		if !strings.Contains(line.Text.EN, c.en) || !strings.Contains(line.Text.ZH, c.zh) {
			t.Errorf("%s %+v %s: %q, %q; want %q, %q", c.question, c.s, c.libraries, line.Text.EN, line.Text.ZH, c.en, c.zh)
		}
		holdsAdvice(t, d, line)
		if wrong := strings.Count(answertest.Texts(d, layout.English), "tjfoc's own Sm4GCM is wrong: never use it."); wrong > 1 ||
			wrong == 0 && len(d.WrongOutputs) > 0 && strings.Contains(answertest.Texts(d, layout.English), "Use SM4-GCM (gmsm) for") {
			t.Errorf("%s %+v: what is wrong is said %d times beside the advice", c.question, c.s, wrong)
		}
		answertest.CheckLayout(t, d)
	}
}

// holdsAdvice demands of every sentence that advises something, and of the line, that it names
// no row to use that is weak, wrong or ours alone.
func holdsAdvice(t *testing.T, d *document.Document, line layout.Answer) {
	t.Helper()
	for _, a := range append(slices.Clone(d.Answers), line) {
		advised, _, _ := strings.Cut(strings.NewReplacer("If it must be RSA, use ", "Use ", "In Go alone use ", "Use ").Replace(a.Text.EN), ": ")
		if !strings.HasPrefix(advised, "Use ") {
			continue
		}
		for _, r := range d.Rows {
			if r.ID == a.Evidence[0] && (r.Library == "cryptogauge" || r.Status != result.OK || len(r.Weaknesses()) > 0) {
				t.Errorf("advised is %s: %s", r.ID, a.Text.EN)
			}
		}
	}
	if len(line.Evidence) == 0 || len([]rune(line.Text.EN)) > 200 {
		t.Errorf("a line of %d characters, by %d rows: %s", len([]rune(line.Text.EN)), len(line.Evidence), line.Text.EN)
	}
}

// TestModesSayOneThingASentence: what to do, by how much it pays, what to see to and what our engine does are sentences
// of their own, at both sizes; tjfoc's number bears a note that says of which of its forms it is.
func TestModesSayOneThingASentence(t *testing.T) {
	d := narrowedRun(t, "modes", plan.Selection{Short: true, Sizes: []int64{100, 64 << 10}}, "")
	for _, want := range []string{
		"Use SM4-GCM (gmsm) for encryption of 64 KiB: ", "; at 100 B ", "\nSM4-GCM (gmsm) compared with the others (speed ratio, encryption of 64 KiB): ",
		"; a nonce must never repeat under one key.\n", "\ntjfoc's own Sm4GCM is wrong: never use it.\n", "\nSM4-GCM (cryptogauge, new): ", "; choose it once you trust new code.\n",
	} {
		if !strings.Contains(answertest.Texts(d, layout.English), want) {
			t.Errorf("nothing says %q:\n%s", want, answertest.Texts(d, layout.English))
		}
	}
	table, noted := d.Layouts[0].Headline[0], 0
	if !strings.Contains(table.Caption.EN, "choose it once you trust new code") {
		t.Errorf("below the table: %q", table.Caption.EN)
	}
	for _, row := range table.Rows {
		for i, c := range row.Cells {
			own := slices.ContainsFunc(c.Footnotes, func(n layout.Text) bool { return strings.Contains(n.EN, "own Sm4GCM is wrong") })
			if _, gcm, _ := strings.Cut(table.Columns[i].Title.EN, "GCM"); own && (row.Cells[0].Text.EN != "tjfoc" || gcm != "") {
				t.Errorf("a note on another cell: %+v", c)
			} else if own {
				noted++
			}
		}
	}
	if noted != 2 {
		t.Errorf("%d cells say of which form of tjfoc's GCM they are; want those of both directions", noted)
	}
}

// TestInGoAloneOrWithC: where a library in C is faster, what to use in Go alone is advised, as the verb plan does, and
// what C adds is said beside it; where the library in C is not faster, nothing is.
func TestInGoAloneOrWithC(t *testing.T) {
	s := plan.Selection{Short: true, Algorithms: []string{algorithm.SM4}, Modes: []string{algorithm.CBC, algorithm.GCM}}
	for _, tt := range []struct{ libraries, en, zh string }{
		{"tjfoc,botan", "In Go alone use SM4-GCM (tjfoc) for encryption of 64 KiB: ", "只用 Go 时请用 tjfoc 的 SM4-GCM"},
		{"tjfoc,botan", "; with C, botan: 2.14 times as fast (", "；可调用 C 时用 botan，速度是 tjfoc 的 2.14 倍（"},
		{"gmsm,botan", "\nUse SM4-GCM (gmsm) for encryption of 64 KiB: ", "\n加密 64 KiB 消息请用 gmsm 的 SM4-GCM"},
	} {
		d := narrowedRun(t, "modes", s, tt.libraries)
		en, zh := "\n"+answertest.Texts(d, layout.English), "\n"+answertest.Texts(d, layout.Chinese)
		if _, pays, ok := strings.Cut(en, "In Go alone use SM4-GCM (tjfoc) for encryption of 64 KiB: "); ok {
			if first, _, _ := strings.Cut(pays, ", and "); !strings.HasSuffix(first, " as SM4-CBC (tjfoc)") {
				t.Errorf("in Go alone, and first compared with C: %s", pays)
			}
		}
		if !strings.Contains(en, tt.en) || !strings.Contains(zh, tt.zh) || strings.Contains(tt.libraries, "gmsm") && strings.Contains(en, "ith C") {
			t.Errorf("%s: no %q, %q in:\n%s\n%s", tt.libraries, tt.en, tt.zh, en, zh)
		}
	}
}

// TestWhatIsFasterIsSaidFirst: of what the advised mode is compared with, what is faster than it stands before the
// others, behind what most have, and where there is a number of it that it is slower.
func TestWhatIsFasterIsSaidFirst(t *testing.T) {
	d := narrowedRun(t, "modes", plan.Selection{Short: true, Algorithms: []string{algorithm.SM4}, Modes: []string{algorithm.ECB, algorithm.CBC, algorithm.GCM}}, "")
	for _, a := range d.Answers {
		if _, ratios, ok := strings.Cut(a.Text.EN, " compared with the others (speed ratio, "); ok {
			_, ratios, _ = strings.Cut(ratios, ": ")
			first, rest, _ := strings.Cut(ratios, ", slower)")
			if !strings.HasPrefix(first, "SM4-ECB (gmsm) 0.") || strings.Contains(rest[strings.LastIndex(rest, "slower")+1:], " 0.") {
				t.Errorf("%s", a.Text.EN)
			}
			return
		}
	}
	t.Errorf("no ratios in:\n%s", answertest.Texts(d, layout.English))
}

// TestEverydayWaysAlone: headline tables call a library as a Go program would, but for the question of what ways cost;
// the others stand among the full tables.
func TestEverydayWaysAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	for name, otherwise := range map[string]bool{"modes": false, "primitives": false, "boundary": true} {
		d := narrowedRun(t, name, plan.Selection{}, "go,gmsm,openssl,botan")
		way := func(r layout.TableRow) bool {
			return slices.ContainsFunc(r.Cells, func(c layout.Cell) bool { return strings.Contains(c.Text.EN, "c-loop") })
		}
		shown := func(tables []layout.Table) bool {
			return slices.ContainsFunc(tables, func(t layout.Table) bool { return slices.ContainsFunc(t.Rows, way) })
		}
		if l := d.Layouts[0]; shown(l.Headline) != otherwise || !shown(slices.Concat(l.Headline, l.Tables)) {
			t.Errorf("%s: among the first %v, anywhere %v", name, shown(l.Headline), shown(slices.Concat(l.Headline, l.Tables)))
		}
	}
}
