package signatures

import (
	"cmp"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
)

var Question = answer.Question{Name: "signatures", Narrowing: []string{"--algorithms", "--operations", "--libraries"},
	Layout: layOut,
	Asks: layout.Text{EN: "Which signature to choose at equal strength: RSA, ECDSA, Ed25519, SM2 or ML-DSA?",
		ZH: "同等安全强度下应选用哪种签名：RSA、ECDSA、Ed25519、SM2 还是 ML-DSA？"}}

// layOut lays out what can be signed with, at equal strength.
func layOut(v *answer.View) layout.Layout {
	s := &signaturesView{v}
	short, whole := s.tables()
	line, chosen := s.Chosen(s.advice()...)
	return layout.Layout{
		Line:  answer.FirstSaid(line),
		Title: layout.Text{EN: "Signatures: RSA, curves, SM2 and ML-DSA", ZH: "签名：RSA、椭圆曲线、SM2 与 ML-DSA"},
		Answers: answer.Said(append(chosen, answer.Short(s.choice()), answer.Short(s.sm2()), answer.Short(s.lattices()), s.edwards(),
			s.identity(), answer.Short(s.libraries()), s.onAllCPUs())...),
		Headline: answer.NonEmpty(short),
		Tables: answer.NonEmpty(whole, answer.KeyTable(layout.Text{EN: "Every operation", ZH: "全部操作"},
			v.Select(func(r *document.Row) bool { return !parameter.Busy.Has(r.Parameters) })), s.busyTable()),
		Charts: slices.Concat(v.RatioChart(answer.ContrastKeys), s.overBytes(algorithm.Sign), s.overBytes(algorithm.Verify)),
		Next: []layout.Next{
			answer.Run("signatures", "key generation, every CPU busy, more schemes", "密钥生成、全部 CPU 繁忙与更多方案"),
			answer.Run("signatures --algorithms SM2", "the libraries of one scheme", "同一方案的各密码库"),
		},
	}
}

// advice is what to sign with; where that was not measured, what to verify or generate.
func (s *signaturesView) advice() (all []answer.Advice) {
	for _, op := range append(slices.Clone(directions), algorithm.Generate) {
		rows := s.Select(func(r *document.Row) bool { return r.Operation == op && !parameter.Busy.Has(r.Parameters) })
		if len(rows) == 0 || len(all) > 0 {
			continue
		}
		all = append(all, answer.Advice{Job: answer.KeyOperation(op), Sized: true, Rows: rows,
			Name:   func(r *document.Row) layout.Text { return layout.Same(r.Algorithm) },
			Secure: layout.Text{EN: "an elliptic curve", ZH: "椭圆曲线签名"},
			Usual:  func(r *document.Row) bool { return algorithm.RSABits(r.Algorithm) > 0 },
			Costs: func(best *document.Row) layout.Text {
				return layout.Say("a signature has %d bytes", "签名 %d 字节", algorithm.Of(best.Algorithm).Signature)
			}})
	}
	return all
}

type signaturesView struct{ *answer.View }

// scheme is an algorithm of a library, by the name that the run has for it, and how it is
// used: with parameters or without.
type scheme struct{ algorithm, library, parameters string }

// of is the row of a scheme's operation, in the first library where none is named.
func (s *signaturesView) of(of scheme, operation string) *document.Row {
	return s.First(func(r *document.Row) bool {
		return r.Algorithm == of.algorithm && r.Operation == operation && (of.library == "" || r.Who() == of.library) &&
			(r.Parameters == of.parameters || operation == algorithm.Generate && r.Parameters == parameter.Draws.Is(1))
	})
}

// schemes are the algorithms with the libraries that have them, the weakest first.
func (s *signaturesView) schemes() []scheme {
	found := answer.Values(s.Rows,
		func(r *document.Row) scheme { return scheme{algorithm: r.Algorithm, library: r.Who()} }, nil)
	slices.SortStableFunc(found, func(a, b scheme) int {
		return cmp.Compare(algorithm.Of(a.algorithm).Strength, algorithm.Of(b.algorithm).Strength)
	})
	return found
}

// against words both directions of a scheme against another: each is the direction and
// what follows of it.
func (s *signaturesView) against(base, other scheme, than, each layout.Text) (said answer.Clauses,
	first *document.Comparison) {
	for _, op := range directions {
		if c := s.Compare(s.of(base, op), s.of(other, op)); c != nil {
			said.Tell(layout.Say(each.EN, each.ZH, answer.KeyOperation(op), answer.Versus(c, than)), c)
			first = cmp.Or(first, c)
		}
	}
	return said, first
}

var (
	either = layout.Text{EN: "%s %s", ZH: "%s%s"}

	p256     = scheme{algorithm: algorithm.ECDSA256}
	p256Name = layout.Same("ECDSA P-256")
)

func (s *signaturesView) choice() *layout.Answer {
	said, first := s.against(p256, scheme{algorithm: algorithm.RSA3072}, p256Name,
		layout.Text{EN: "RSA-3072 %s %s", ZH: "RSA-3072 的%s%s"})
	if answer.Decided(first, "slower") {
		return said.Sentence(layout.Choose, "At 128 bits of strength, sign with an elliptic curve, not with RSA-3072 (in %s): %s.",
			"128 比特安全强度下请用椭圆曲线签名，不要用 RSA-3072（%s 的实现）：%s。", s.by(first), said.Join())
	}
	return said.Sentence(layout.Plain, "RSA and elliptic curves at 128 bits of strength: %s.",
		"128 比特安全强度下 RSA 与椭圆曲线相比：%s。", said.Join())
}

// by is whose the rows of a comparison are.
func (s *signaturesView) by(c *document.Comparison) layout.Text {
	rows := []*document.Row{s.ByID[c.Base], s.ByID[c.Other]}
	return layout.Listed(answer.Values(rows, func(r *document.Row) layout.Text { return answer.Label(r.Who()) }, nil))
}

func (s *signaturesView) sm2() *layout.Answer {
	said, first := s.against(p256, scheme{algorithm: algorithm.SM2}, p256Name, either)
	if first == nil {
		return nil
	}
	return said.Sentence(layout.Plain,
		"SM2 in %s compared with ECDSA P-256 in Go (both have a strength of 128 bits and 72-byte signatures): %s.",
		"%s 的 SM2 与 Go 的 ECDSA P-256（同为 128 比特强度、72 字节签名）：%s。",
		answer.Label(s.ByID[first.Other].Who()), said.Join())
}

func (s *signaturesView) lattices() *layout.Answer {
	said, first := s.against(p256, scheme{algorithm: algorithm.MLDSA44}, p256Name, either)
	if first == nil {
		return nil
	}
	p, m := algorithm.Of(algorithm.ECDSA256), algorithm.Of(algorithm.MLDSA44)
	return said.Sentence(layout.Beware,
		"ML-DSA-44 withstands quantum computers; it costs bytes more than time: a signature has %d bytes (ECDSA P-256: %d), "+
			"a public key %d (ECDSA P-256: %d); in %s against %s, with keys prepared beforehand, %s.",
		"ML-DSA-44 可抵御量子计算机，代价主要是长度而不是时间：签名 %d 字节（ECDSA P-256 为 %d 字节），"+
			"公钥 %d 字节（ECDSA P-256 为 %d 字节）；%s 的实现与 %s 的 ECDSA 相比（密钥均已预先备好），%s。",
		m.Signature, p.Signature, m.Public, p.Public, answer.Label(s.ByID[first.Other].Who()), answer.Label(s.ByID[first.Base].Who()), said.Join())
}

func (s *signaturesView) edwards() *layout.Answer {
	said, _ := s.against(p256, scheme{algorithm: algorithm.Ed25519}, p256Name, either)
	return said.Sentence(layout.Plain, "Ed25519 in Go: %s.", "Go 的 Ed25519：%s。", said.Join())
}

// identity says what hashing the signer's identity once saves.
func (s *signaturesView) identity() *layout.Answer {
	once := scheme{algorithm: algorithm.SM2, parameters: parameter.PrecomputedZA}
	first := s.of(once, algorithm.Sign)
	if first == nil {
		return nil
	}
	once.library = first.Who()
	said, _ := s.against(scheme{algorithm: algorithm.SM2, library: once.library}, once,
		layout.Text{EN: "hashing ZA in each call", ZH: "每次计算 ZA"}, either)
	return said.Sentence(layout.Plain, "SM2 with the signer's digest ZA computed once, in %s: %s.",
		"%s 的 SM2，ZA 只计算一次：%s。",
		answer.Label(once.library), said.Join())
}

// libraries sets the second library of SM2 against the first.
func (s *signaturesView) libraries() *layout.Answer {
	found := answer.Select(s.schemes(), func(x scheme) bool { return x.algorithm == algorithm.SM2 })
	if len(found) < 2 {
		return nil
	}
	said, first := s.against(found[0], found[1], layout.Say("in %s", "%s", answer.Label(found[0].library)), either)
	if first == nil {
		return nil
	}
	return said.Sentence(answer.MarkOf(first), "SM2 in %s: %s.", "%s 的 SM2：%s。", answer.Label(found[1].library),
		said.Join())
}

// busy are the rows of a scheme's operation on one CPU and on all of them.
type busy struct {
	scheme
	operation string
	one, all  *document.Row
}

func (s *signaturesView) busyOf(of scheme, operation string) busy {
	cpus := func(r *document.Row) int { return parameter.Busy.In(r.Parameters) }
	rows := s.Select(func(r *document.Row) bool {
		return cpus(r) > 0 && r.Algorithm == of.algorithm && r.Operation == operation && r.Who() == of.library
	})
	slices.SortStableFunc(rows, func(a, b *document.Row) int { return cmp.Compare(cpus(a), cpus(b)) })
	one := answer.First(rows, func(r *document.Row) bool { return cpus(r) == 1 })
	return busy{of, operation, one, answer.Last(rows)}
}

// onAllCPUs says what a CPU loses when the others work too.
func (s *signaturesView) onAllCPUs() *layout.Answer {
	var said answer.Clauses
	cpus := 0
	for _, name := range []string{algorithm.ECDSA256, algorithm.RSA3072, algorithm.SM2} {
		first := s.of(scheme{algorithm: name}, algorithm.Sign)
		if first == nil {
			continue
		}
		b := s.busyOf(scheme{algorithm: name, library: first.Who()}, algorithm.Sign)
		if c := s.Compare(b.one, b.all); c != nil {
			said.Tell(layout.Say("signing with %s %s", "%s 签名%s", name,
				answer.Versus(c, layout.Text{EN: "with one CPU busy", ZH: "只有一个 CPU 忙时"})), c)
			cpus = parameter.Busy.In(b.all.Parameters)
		}
	}
	return said.Sentence(layout.Plain, "With all %d CPUs busy, per CPU: %s.", "全部 %d 个 CPU 都忙时，按每个 CPU 计：%s。", cpus,
		said.Join())
}

var (
	schemeColumn  = answer.Titled("Scheme", "算法", func(x scheme) string { return x.algorithm })
	libraryColumn = answer.Titled("Library", "库", func(x scheme) string { return x.library })
)

// tables set the schemes beside each other: the small table, and the whole one.
func (s *signaturesView) tables() (short, whole layout.Table) {
	took := func(en, zh, operation string) answer.Columns[scheme] {
		return answer.Figure(en, zh, func(x scheme) layout.Cell { return answer.TimeCell(s.of(x, operation)) })
	}
	facts := func(x scheme) algorithm.Algorithm { return algorithm.Of(x.algorithm) }
	first := slices.Concat(schemeColumn, libraryColumn, answer.On(facts, answer.Strength),
		took("sign", "签名", algorithm.Sign), took("verify", "验签", algorithm.Verify))
	bytes := answer.On(facts,
		answer.Figure("key", "公钥长度", func(a algorithm.Algorithm) layout.Cell { return answer.BytesCell(a.Public) }),
		answer.Figure("signature", "签名长度", func(a algorithm.Algorithm) layout.Cell { return answer.BytesCell(a.Signature) }))
	t := answer.Table[scheme]{
		Title:   layout.Text{EN: "Signatures by strength: CPU time per call, and bytes", ZH: "按安全强度排列的签名：单次 CPU 时间与字节数"},
		Row:     func(x scheme) *document.Row { return s.of(x, algorithm.Sign) },
		Columns: []answer.Columns[scheme]{first, bytes},
	}
	short = t.Of(s.schemes())
	t.Caption = layout.Text{
		EN: "PQ: withstands quantum computers. Strength in bits: NIST SP 800-57 Part 1 Rev. 5, table 2; for ML-DSA the category " +
			"claimed in FIPS 204. RSA key generation takes random time; the median is shown. Bytes: uncompressed points; " +
			"DER signatures at their greatest length.",
		ZH: "安全强度（比特）：NIST SP 800-57 Part 1 Rev. 5 表 2；ML-DSA 按 FIPS 204 声明的类别。RSA 密钥生成具有随机性，所列为中位数。" +
			"字节数：点为未压缩形式，DER 编码的签名取最大长度。"}
	t.Columns = []answer.Columns[scheme]{first, took("generate", "生成密钥", algorithm.Generate),
		answer.On(facts, answer.PostQuantum), bytes}
	return short, t.Of(s.schemes())
}

// busyTable is what a CPU does while all are busy.
func (s *signaturesView) busyTable() layout.Table {
	var lines []busy
	for _, x := range s.schemes() {
		for _, op := range directions {
			if b := s.busyOf(x, op); b.all != nil {
				lines = append(lines, b)
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
			answer.On(func(b busy) scheme { return b.scheme }, schemeColumn, libraryColumn),
			answer.Told("Operation", "操作", func(b busy) layout.Text { return answer.KeyOperation(b.operation) }),
			answer.Figure("one CPU", "单个 CPU", func(b busy) layout.Cell { return answer.TimeCell(b.one) }),
			answer.On(all, answer.Figure("all CPUs", "全部 CPU", answer.TimeCell),
				answer.Figure("per second, each CPU", "每 CPU 每秒次数", answer.PerSecond)),
		},
	}.Of(lines)
}

// overBytes draws what a scheme costs in time over what it costs in bytes.
func (s *signaturesView) overBytes(operation string) []layout.Chart {
	return s.OverBytes(layout.Text{EN: "bytes of a signature", ZH: "签名字节数"},
		layout.Say("%s: time against bytes", "%s：时间与字节数", answer.Upper(answer.KeyOperation(operation))),
		document.Mapped(s.schemes(), func(x scheme) *document.Row { return s.of(x, operation) }),
		func(r *document.Row) int { return algorithm.Of(r.Algorithm).Signature })
}
