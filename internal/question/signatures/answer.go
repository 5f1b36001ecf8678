package signatures

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// Question is what the reports need to know of the question.
var Question = answer.Question{Name: "signatures", Narrowing: []string{"--algorithms", "--operations", "--libraries"}, Layout: layOut,
	Asks: layout.Text{EN: "Which signature to choose at equal strength: RSA, ECDSA, Ed25519, SM2 or ML-DSA?",
		ZH: "同等安全强度下应选用哪种签名：RSA、ECDSA、Ed25519、SM2 还是 ML-DSA？"}}

// layOut lays out what can be signed with, at equal strength.
func layOut(v *answer.View) layout.Layout {
	s := &signaturesView{v}
	return layout.Layout{
		Experiment: "signatures",
		Title:      layout.Text{EN: "Signatures: RSA, curves, SM2 and ML-DSA", ZH: "签名：RSA、椭圆曲线、SM2 与 ML-DSA"},
		Answers:    s.answers(),
		Headline:   answer.NonEmpty(s.table(false)),
		Tables:     answer.NonEmpty(s.table(true), s.all(), s.onEveryCPU()),
		Charts:     slices.Concat(v.RatioChart(answer.ContrastKeys), s.overBytes("sign"), s.overBytes("verify")),
		Next: []layout.Next{
			{Command: "cryptogauge run signatures", Why: layout.Text{EN: "key generation, every CPU busy, more schemes", ZH: "密钥生成、全部 CPU 繁忙与更多方案"}},
			{Command: "cryptogauge run signatures --algorithms SM2", Why: layout.Text{EN: "the libraries of one scheme", ZH: "同一方案的各密码库"}},
		},
	}
}

type signaturesView struct{ *answer.View }

// sizes are the bytes of a public key and of a signature, as they are sent: RSA's
// modulus (RFC 8017 §4), points uncompressed (SEC 1 §2.3.3) and two numbers in DER,
// the most that these take, Ed25519's (RFC 8032 §5.1), and ML-DSA's (FIPS 204, table 2).
var sizes = map[string]struct{ public, signature int }{
	"RSA-1024": {128, 128}, "RSA-2048": {256, 256}, "RSA-3072": {384, 384}, "RSA-4096": {512, 512},
	"ECDSA-P-256": {65, 72}, "ECDSA-P-384": {97, 104}, "SM2": {65, 72}, "Ed25519": {32, 64},
	"ML-DSA-44": {1312, 2420}, "ML-DSA-65": {1952, 3309},
}

// of is the row of a scheme's operation in the first library, or in the one that is
// named.
func (s *signaturesView) of(algorithm, operation, parameters, library string) *document.Row {
	for _, r := range s.Rows {
		if r.Algorithm == algorithm && r.Operation == operation && (library == "" || r.Who() == library) &&
			(r.Parameters == parameters || operation == "generate" && r.Parameters == "draws=1") {
			return r
		}
	}
	return nil
}

// schemes are the algorithms with the libraries that have them, the weakest first.
func (s *signaturesView) schemes() (found [][2]string) {
	for _, r := range s.Rows {
		if pair := [2]string{r.Algorithm, r.Who()}; !slices.Contains(found, pair) {
			found = append(found, pair)
		}
	}
	slices.SortStableFunc(found, func(a, b [2]string) int { return cmp.Compare(answer.StrengthOf(a[0]), answer.StrengthOf(b[0])) })
	return found
}

func (s *signaturesView) answers() (out []layout.Answer) {
	all := []*layout.Answer{s.choice(), s.sm2(), s.lattices(), s.edwards()}
	all = append(all, s.identity(), s.libraries(), s.crowded())
	for _, a := range all {
		if a != nil {
			a.Experiment = s.Experiment
			out = append(out, *a)
		}
	}
	return out
}

// against words both directions of a scheme against another, with their evidence.
func (s *signaturesView) against(base, other [3]string, than, each layout.Text) (text layout.Text, cs []*document.Comparison, evidence []string) {
	var parts []layout.Text
	for _, op := range []string{"sign", "verify"} {
		b, o := s.of(base[0], op, base[1], base[2]), s.of(other[0], op, other[1], other[2])
		if c := s.Compare(b, o); c != nil {
			parts = append(parts, layout.Say(each.EN, each.ZH, answer.KeyOperation(op), answer.Versus(c, than)))
			cs = append(cs, c)
			evidence = append(evidence, c.ID, b.ID, o.ID)
		}
	}
	return answer.Join(parts), cs, evidence
}

// Ways to name a direction, and what follows of it.
var (
	either  = layout.Text{EN: "%s %s", ZH: "%s%s"}
	rsa3072 = layout.Text{EN: "RSA-3072 %s %s", ZH: "RSA-3072 的%s%s"}
)

var p256 = [3]string{"ECDSA-P-256"}

// choice is what to sign with at a strength of 128 bits.
func (s *signaturesView) choice() *layout.Answer {
	text, cs, evidence := s.against(p256, [3]string{"RSA-3072"}, layout.Same("ECDSA P-256"), rsa3072)
	if len(cs) == 0 {
		return nil
	}
	a := &layout.Answer{Mark: layout.Plain, Short: true, Evidence: evidence,
		Text: layout.Say("RSA and elliptic curves at 128 bits of strength: %s.", "128 比特安全强度下 RSA 与椭圆曲线相比：%s。", text)}
	if cs[0].Verdict == "slower" {
		a.Mark = layout.Choose
		a.Text = layout.Say("At 128 bits of strength, sign with an elliptic curve, not with RSA-3072: %s.", "128 比特安全强度下请用椭圆曲线签名，不要用 RSA-3072：%s。", text)
	}
	return a
}

// sm2 sets SM2 against the curve of the same size.
func (s *signaturesView) sm2() *layout.Answer {
	first := s.of("SM2", "sign", "", "")
	if first == nil {
		first = s.of("SM2", "verify", "", "")
	}
	text, cs, evidence := s.against(p256, [3]string{"SM2"}, layout.Same("ECDSA P-256"), either)
	if len(cs) == 0 {
		return nil
	}
	return &layout.Answer{Mark: layout.Plain, Short: true, Evidence: evidence,
		Text: layout.Say("SM2 in %s compared with ECDSA P-256 in Go (both have a strength of 128 bits and 72-byte signatures): %s.", "%s 的 SM2 与 Go 的 ECDSA P-256（同为 128 比特强度、72 字节签名）：%s。",
			answer.Label(first.Who()), text)}
}

// lattices says what withstanding quantum computers costs.
func (s *signaturesView) lattices() *layout.Answer {
	text, cs, evidence := s.against(p256, [3]string{"ML-DSA-44"}, layout.Same("ECDSA P-256"), either)
	if len(cs) == 0 {
		return nil
	}
	p, m := sizes["ECDSA-P-256"], sizes["ML-DSA-44"]
	return &layout.Answer{Mark: layout.Beware, Short: true, Evidence: evidence,
		Text: layout.Say("ML-DSA-44 withstands quantum computers; it costs bytes more than time: a signature has %s bytes (ECDSA P-256: %s), a public key %s (ECDSA P-256: %s); %s.",
			"ML-DSA-44 可抵御量子计算机，代价主要是长度而不是时间：签名 %s 字节（ECDSA P-256 为 %s 字节），公钥 %s 字节（ECDSA P-256 为 %s 字节）；%s。",
			strconv.Itoa(m.signature), strconv.Itoa(p.signature), strconv.Itoa(m.public), strconv.Itoa(p.public), text)}
}

// edwards sets Ed25519 against ECDSA.
func (s *signaturesView) edwards() *layout.Answer {
	text, cs, evidence := s.against(p256, [3]string{"Ed25519"}, layout.Same("ECDSA P-256"), either)
	if len(cs) == 0 {
		return nil
	}
	return &layout.Answer{Mark: layout.Plain, Evidence: evidence, Text: layout.Say("Ed25519 in Go: %s.", "Go 的 Ed25519：%s。", text)}
}

// identity says what hashing the signer's identity once saves.
func (s *signaturesView) identity() *layout.Answer {
	first := s.of("SM2", "sign", "za=precomputed", "")
	if first == nil {
		return nil
	}
	text, cs, evidence := s.against([3]string{"SM2", "", first.Who()}, [3]string{"SM2", "za=precomputed", first.Who()},
		layout.Text{EN: "hashing ZA in each call", ZH: "每次计算 ZA"}, either)
	if len(cs) == 0 {
		return nil
	}
	return &layout.Answer{Mark: layout.Plain, Evidence: evidence,
		Text: layout.Say("SM2 with the signer's digest ZA computed once, in %s: %s.", "%s 的 SM2，ZA 只计算一次：%s。", answer.Label(first.Who()), text)}
}

// libraries sets the other libraries of SM2 against the first.
func (s *signaturesView) libraries() *layout.Answer {
	var first *document.Row
	for _, r := range s.Rows {
		switch {
		case r.Algorithm != "SM2" || r.Parameters != "":
		case first == nil:
			first = r
		case r.Who() != first.Who():
			text, cs, evidence := s.against([3]string{"SM2", "", first.Who()}, [3]string{"SM2", "", r.Who()},
				layout.Say("in %s", "%s", answer.Label(first.Who())), either)
			if len(cs) == 0 {
				return nil
			}
			return &layout.Answer{Mark: answer.MarkOf(cs[0]), Short: true, Evidence: evidence, Text: layout.Say("SM2 in %s: %s.", "%s 的 SM2：%s。", answer.Label(r.Who()), text)}
		}
	}
	return nil
}

// busyOf are the rows of a scheme on one CPU and on all of them.
func (s *signaturesView) busyOf(algorithm, operation, library string) (one, every *document.Row, cpus int) {
	for _, r := range s.Rows {
		n, err := strconv.Atoi(strings.TrimPrefix(r.Parameters, "busy="))
		if err != nil || r.Algorithm != algorithm || r.Operation != operation || r.Who() != library {
			continue
		}
		if n == 1 {
			one = r
		}
		if n > cpus {
			every, cpus = r, n
		}
	}
	return one, every, cpus
}

// crowded says what a CPU loses when the others work too.
func (s *signaturesView) crowded() *layout.Answer {
	var parts []layout.Text
	a := &layout.Answer{Mark: layout.Plain}
	cpus := 0
	for _, algorithm := range []string{"ECDSA-P-256", "RSA-3072", "SM2"} {
		first := s.of(algorithm, "sign", "", "")
		if first == nil {
			continue
		}
		one, every, n := s.busyOf(algorithm, "sign", first.Who())
		if c := s.Compare(one, every); c != nil {
			parts = append(parts, layout.Say("signing with %s %s", "%s 签名%s", algorithm, answer.Versus(c, layout.Text{EN: "with one CPU busy", ZH: "只有一个 CPU 忙时"})))
			a.Evidence = append(a.Evidence, c.ID, one.ID, every.ID)
			cpus = n
		}
	}
	if len(parts) == 0 {
		return nil
	}
	a.Text = layout.Say("With all %s CPUs busy, per CPU: %s.", "全部 %s 个 CPU 都忙时，按每个 CPU 计：%s。", strconv.Itoa(cpus), answer.Join(parts))
	return a
}

// table sets the schemes beside each other; whole adds what is not in the short form.
func (s *signaturesView) table(whole bool) layout.Table {
	t := layout.Table{Title: layout.Text{EN: "Signatures by strength: CPU time per call, and bytes", ZH: "按安全强度排列的签名：单次 CPU 时间与字节数"},
		Columns: []layout.Column{answer.TextColumn("Scheme", "算法"), answer.LibraryColumn, answer.NumberColumn(layout.Text{EN: "strength", ZH: "强度"}), answer.NumberColumn(layout.Text{EN: "sign", ZH: "签名"}),
			answer.NumberColumn(layout.Text{EN: "verify", ZH: "验签"})}}
	if whole {
		t.Caption = layout.Text{EN: "PQ: withstands quantum computers. Strength in bits: NIST SP 800-57 Part 1 Rev. 5, table 2; for ML-DSA the category claimed in FIPS 204. RSA key generation takes random time; the median is shown. Bytes: uncompressed points; DER signatures at their greatest length.",
			ZH: "安全强度（比特）：NIST SP 800-57 Part 1 Rev. 5 表 2；ML-DSA 按 FIPS 204 声明的类别。RSA 密钥生成具有随机性，所列为中位数。字节数：点为未压缩形式，DER 编码的签名取最大长度。"}
		t.Columns = append(t.Columns, answer.NumberColumn(layout.Text{EN: "generate", ZH: "生成密钥"}), answer.TextColumn("PQ", "抗量子"))
	}
	t.Columns = append(t.Columns, answer.NumberColumn(layout.Text{EN: "key", ZH: "公钥长度"}), answer.NumberColumn(layout.Text{EN: "signature", ZH: "签名长度"}))
	for _, scheme := range s.schemes() {
		algorithm, library := scheme[0], scheme[1]
		sign, verify := s.of(algorithm, "sign", "", library), s.of(algorithm, "verify", "", library)
		row := layout.TableRow{Cells: []layout.Cell{answer.TextCell(algorithm), answer.TextCell(library), answer.TextCell(strconv.Itoa(answer.StrengthOf(algorithm))), answer.TimeCell(sign), answer.TimeCell(verify)}}
		if sign != nil {
			row.RowID = sign.ID
		}
		if whole {
			row.Cells = append(row.Cells, answer.TimeCell(s.of(algorithm, "generate", "", library)), layout.Cell{Text: answer.PostQuantum(algorithm)})
		}
		row.Cells = append(row.Cells, answer.BytesCell(sizes[algorithm].public), answer.BytesCell(sizes[algorithm].signature))
		t.Rows = append(t.Rows, row)
	}
	return t
}

// all lists every row that is not of several CPUs.
func (s *signaturesView) all() layout.Table {
	return answer.KeyTable(layout.Text{EN: "Every operation", ZH: "全部操作"}, s.Rows, func(r *document.Row) bool { return !strings.Contains(r.Parameters, "busy=") })
}

// onEveryCPU is what a CPU does while all are busy.
func (s *signaturesView) onEveryCPU() layout.Table {
	type busy struct {
		scheme    [2]string
		operation string
		one, all  *document.Row
	}
	var lines []busy
	for _, scheme := range s.schemes() {
		for _, op := range []string{"sign", "verify"} {
			if one, every, _ := s.busyOf(scheme[0], op, scheme[1]); every != nil {
				lines = append(lines, busy{scheme, op, one, every})
			}
		}
	}
	all := func(b busy) *document.Row { return b.all }
	return answer.Table[busy]{
		Title: layout.Text{EN: "Per CPU, with every CPU busy", ZH: "全部 CPU 忙时，按每个 CPU 计"},
		Caption: layout.Text{
			EN: "Process CPU time per call, on one CPU, and on all CPUs at once, each working independently.",
			ZH: "单次调用的进程 CPU 时间：单个 CPU 工作，以及全部 CPU 同时各自工作。"},
		Row: all,
		Columns: []answer.Columns[busy]{
			answer.Words("Scheme", "算法", func(b busy) layout.Cell { return answer.TextCell(b.scheme[0]) }),
			answer.Words("Library", "库", func(b busy) layout.Cell { return answer.TextCell(b.scheme[1]) }),
			answer.Words("Operation", "操作", func(b busy) layout.Cell { return layout.Cell{Text: answer.KeyOperation(b.operation)} }),
			answer.Figure("one CPU", "单个 CPU", func(b busy) layout.Cell { return answer.TimeCell(b.one) }),
			answer.On(all, answer.Figure("all CPUs", "全部 CPU", answer.TimeCell),
				answer.Figure("per second, each CPU", "每 CPU 每秒次数", answer.PerSecond)),
		},
	}.Of(lines)
}

// overBytes draws what a scheme costs in time over what it costs in bytes.
func (s *signaturesView) overBytes(operation string) []layout.Chart {
	chart := layout.Chart{Kind: layout.SpeedOverSize, Y: answer.TimeAxis,
		X:       layout.Axis{Title: layout.Text{EN: "bytes of a signature", ZH: "签名字节数"}, Unit: "B"},
		Title:   layout.Say("%s: time against bytes", "%s：时间与字节数", answer.Upper(answer.KeyOperation(operation))),
		Caption: layout.Text{EN: "Further left and lower is cheaper.", ZH: "越靠左下越省。"}}
	for _, scheme := range s.schemes() {
		r := s.of(scheme[0], operation, "", scheme[1])
		if p, ok := answer.TimePoint(r, float64(sizes[scheme[0]].signature)); ok && r.Status == result.OK {
			chart.Series = append(chart.Series, layout.Series{Name: layout.Same(scheme[0] + " " + scheme[1]), Points: []layout.Point{p}})
		}
	}
	if len(chart.Series) < 2 {
		return nil
	}
	return []layout.Chart{chart}
}
