package rsa

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
)

var Question = answer.Question{Name: "rsa", Narrowing: []string{"--algorithms", "--operations", "--libraries"},
	Layout: layOut,
	Asks: layout.Text{EN: "What does RSA cost at each key length, on which side, and what does making a key take?",
		ZH: "各密钥长度下 RSA 的代价是多少？由哪一方承担？生成密钥要多久？"}}

func layOut(v *answer.View) layout.Layout {
	r := &rsaView{View: v}
	r.lengths = answer.Values(v.Rows, answer.AlgorithmOf, nil)
	slices.SortFunc(r.lengths, func(a, b string) int { return cmp.Compare(algorithm.RSABits(a), algorithm.RSABits(b)) })
	r.main = plan.Usual(algorithm.RSA2048, r.lengths)
	line, chosen := r.Chosen(r.advice()...)
	return layout.Layout{
		Line:     answer.FirstSaid(line, r.generation()),
		Title:    layout.Text{EN: "RSA: encryption, signatures and keys by length", ZH: "RSA：各密钥长度的加密、签名与密钥生成"},
		Answers:  r.answers(chosen),
		Headline: answer.NonEmpty(r.short()),
		Tables:   answer.NonEmpty(r.full(), r.growth(), r.draws()),
		Charts:   slices.Concat(v.RatioChart(answer.ContrastKeys), r.usesOverLength(), r.drawsOverLength()),
		Next: []layout.Next{
			answer.Run("rsa --algorithms RSA-8192", "on request: it takes minutes", "需指明才测：耗时数分钟"),
			answer.Run("rsa --sizes 190,300", "encrypt messages of your own length", "加密自定义长度的消息"),
			answer.Run("signatures", "which signature to use instead", "应改用何种签名"),
		},
	}
}

// answers are the sentences, the most useful first: what to choose, and then what a longer key costs.
func (r *rsaView) answers(chosen []*layout.Answer) []layout.Answer {
	first := min(1, len(chosen))
	return answer.Said(slices.Concat(chosen[:first], []*layout.Answer{answer.Short(r.generation()), answer.Short(r.side()),
		r.Caution(r.short1024(), algorithm.ShortKey), answer.Short(r.grows()),
		answer.Short(r.Caution(r.encryption(), algorithm.PaddingOracle))}, chosen[first:],
		[]*layout.Answer{r.primes(), r.paddingOfSignatures()})...)
}

// advice is with which length and padding to sign, and how to encrypt each length of message.
func (r *rsaView) advice() (all []answer.Advice) {
	for _, op := range []string{algorithm.Sign, algorithm.Decrypt, algorithm.Encrypt, algorithm.Verify} {
		usual := r.Select(func(row *document.Row) bool {
			return row.Operation == op && (row.Parameters == "" || parameter.Message.Has(row.Parameters))
		})
		for _, rows := range document.Grouped(usual, func(row *document.Row) string { return row.Parameters }) {
			job := answer.KeyOperation(op)
			if n := parameter.Message.In(rows[0].Parameters); n > 0 {
				job = layout.Say("%s of %s", "%s %s 消息", job, answer.SizeText(int64(n)))
			}
			all = append(all, answer.Advice{Job: job, Sized: true, Rows: rows,
				Name: func(row *document.Row) layout.Text {
					return layout.Same(row.Algorithm + " " + algorithm.Padding(row.Mode))
				},
				Prefer: []func(*document.Row) bool{
					func(row *document.Row) bool { return row.Mode != algorithm.PKCS1v15Sign }}, // PSS has the proof
				If:     layout.Text{EN: "it must be RSA", ZH: "必须用 RSA"},
				Secure: layout.Text{EN: "OAEP with 2048 bits or more", ZH: " 2048 比特以上的 OAEP"},
				Costs: func(best *document.Row) layout.Text {
					return layout.Say("%d bits of strength", "安全强度 %d 比特", algorithm.Of(best.Algorithm).Strength)
				}})
		}
	}
	return all
}

type rsaView struct {
	*answer.View
	lengths []string // "RSA-2048", rising
	main    string   // the one that sentences are about
}

func (u use) is(row *document.Row) bool {
	return row.Mode == u.mode && row.Operation == u.operation &&
		(row.Parameters == u.parameters || u.operation == algorithm.Generate)
}

// of is the row of a use of a key in the first library that has it.
func (r *rsaView) of(length string, u use) *document.Row {
	return r.First(func(row *document.Row) bool { return row.Algorithm == length && u.is(row) })
}

func (r *rsaView) fit(u use) *document.Fit {
	return answer.First(r.Fits(document.ModelPower), func(f *document.Fit) bool { return u.is(r.FitRow(f)) })
}

func bitsText(length string) layout.Text {
	return layout.Say("%d bits", "%d 比特", algorithm.RSABits(length))
}

// side says which half of the key sets a server's size.
func (r *rsaView) side() *layout.Answer {
	sign := r.of(r.main, signing)
	c := r.Compare(sign, r.of(r.main, verifying))
	if !answer.Decided(c, "faster") {
		return nil
	}
	a := &layout.Answer{Mark: layout.Beware, Evidence: answer.Evidence(c),
		Text: layout.Say("Size servers by who signs or decrypts: at %s signing takes %s as long as verifying",
			"请按签名和解密的一方规划服务器规模：%s 时签名耗时是验签的 %s", bitsText(r.main), answer.Times(c))}
	if d := r.Compare(r.of(r.main, decrypting), r.of(r.main, encrypting)); answer.Decided(d, "faster") {
		a.Text = layout.Say("%s, and decrypting takes %s as long as encrypting", "%s，解密耗时是加密的 %s", a.Text,
			answer.Times(d))
		a.Evidence = append(a.Evidence, d.ID, d.Other, d.Base)
	}
	if ns, ok := answer.Nanoseconds(sign); ok {
		a.Text = layout.Say("%s; one CPU makes %s signatures per second", "%s；一个 CPU 每秒签名 %s 次", a.Text,
			layout.FormatNumber(1e9/ns))
	}
	a.Text = layout.Say("%s.", "%s。", a.Text)
	return a
}

// grows says how many times as long each use of a key takes at each length, and which of them was measured at one
// length alone.
func (r *rsaView) grows() *layout.Answer {
	var said answer.Clauses
	var alone []layout.Text
	for _, u := range []use{signing, verifying} {
		at := r.longer(u)
		if len(at.Parts) > 0 {
			said.Add(layout.Say("%s %s", "%s %s", answer.KeyOperation(u.operation), at.Join()), at.Evidence...)
		} else if len(r.lengths) > 1 && r.of(r.main, u) != nil {
			alone = append(alone, answer.KeyOperation(u.operation))
		}
	}
	if len(said.Parts) == 0 {
		return nil
	}
	if at := r.longerDraws(); len(at.Parts) > 0 {
		said.Add(layout.Say("generating a key (p50) %s", "生成密钥（p50） %s", at.Join()), at.Evidence...)
	} else if r.drawn(r.of(r.main, generating)) != nil {
		alone = append(alone, layout.Text{EN: "generating a key", ZH: "生成密钥"})
	}
	rest := layout.Say("%s", "%s", r.power(&said))
	if len(alone) > 0 {
		rest = layout.Say("%s; %s: measured at %s alone (cryptogauge run rsa: at every length)", "%s；%s只测了 %s（cryptogauge run rsa 测全部长度）",
			rest, layout.JoinWith(alone, " and ", "与"), bitsText(r.main))
	}
	return said.Sentence(layout.Beware, "A longer key takes longer (times as long as at %s): %s%s.", "密钥越长耗时越长，为 %s 时的倍数：%s%s。",
		bitsText(r.main), answer.Semicolons(said.Parts), rest)
}

// longer are the times that a use takes at other lengths, each as a multiple of the main one's.
func (r *rsaView) longer(u use) (said answer.Clauses) {
	for _, length := range r.lengths {
		c := r.Against(r.of(r.main, u), r.of(length, u), len(r.lengths))
		if length != r.main && answer.Decided(c, "slower") {
			said.Tell(layout.Say("%s (%s) at %s", "%[3]s 时 %[1]s 倍（%[2]s）",
				answer.Factor(1/c.Ratio), answer.LimitsSlower(c), bitsText(length)), c)
		}
	}
	return said
}

// longerDraws are the same of the median time that a key takes to generate, which is chance and has no interval.
func (r *rsaView) longerDraws() (said answer.Clauses) {
	base := r.drawn(r.of(r.main, generating))
	for _, length := range r.lengths {
		row := r.of(length, generating)
		if d := r.drawn(row); base != nil && d != nil && algorithm.RSABits(length) > algorithm.RSABits(r.main) {
			said.Add(layout.Say("about %s at %s", "%[2]s 时约 %[1]s 倍", answer.Factor(d.P50/base.P50), bitsText(length)), row.ID)
		}
	}
	return said
}

// power says what the power law of signing tells, and adds what it rests on.
func (r *rsaView) power(said *answer.Clauses) (text layout.Text) {
	f := r.fit(signing)
	if f == nil {
		return text
	}
	said.Evidence = append(said.Evidence, f.RowIDs...)
	switch reach := f.Terms["exponent_high"] - f.Terms["exponent_low"]; {
	case !f.OK:
		return layout.Say("; no one exponent describes the growth of signing: a power law misses by %s", "；签名的增长不能用单一指数描述：幂律拟合误差 %s",
			layout.FormatShare(f.RMS))
	case reach > uselessRange:
		return text
	case reach > wideRange:
		return layout.Say("; the growth of signing is not one power of the length: the fitted exponent is %s, and %s depending on the lengths fitted",
			"；签名的增长并非长度的严格幂次：总体指数 %s，随所取长度在 %s 之间", exponent(f.Terms["exponent"]), exponentRange(f))
	}
	return layout.Say("; doubling the length makes signing ×%s (the fitted exponent is %s, %s)", "；长度加倍，签名耗时变为 %s 倍（拟合指数 %s，%s）",
		factorOfDoubling(f), exponent(f.Terms["exponent"]), exponentRange(f))
}

// wideRange is a range of exponents in which one of them says little: what doubling
// costs differs by a quarter across it.
const wideRange = 0.3

// uselessRange is one in which nothing is said: of few blocks and near lengths.
const uselessRange = 1.5

func exponent(x float64) string { return fmt.Sprintf("%.2f", x) }

func exponentRange(f *document.Fit) string {
	return exponent(f.Terms["exponent_low"]) + "–" + exponent(f.Terms["exponent_high"])
}

func factorOfDoubling(f *document.Fit) string { return answer.Factor(math.Exp2(f.Terms["exponent"])) }

// encryption sets OAEP against PKCS #1 v1.5, which nobody should choose whatever it costs.
func (r *rsaView) encryption() *layout.Answer {
	var said answer.Clauses
	for _, oaep := range []use{encrypting, decrypting} {
		base := r.of(r.main, use{algorithm.PKCS1v15, oaep.operation, ""})
		if c := r.Compare(base, r.of(r.main, oaep)); c != nil {
			said.Tell(layout.Say("%s %s times (%s, %s)", "%s %s 倍（%s，%s）", answer.Operation(oaep.operation),
				answer.Factor(c.Ratio), answer.Limits(c), c.VerdictText()), c)
		}
	}
	return said.Sentence(layout.Choose,
		"Encrypt with OAEP: decryption with PKCS #1 v1.5 can be a padding oracle (Bleichenbacher 1998). "+
			"Speed of OAEP over v1.5 at %s: %s.",
		"加密请用 OAEP，不要用 PKCS #1 v1.5：v1.5 的填充校验可被用作填充预言机（padding oracle，Bleichenbacher 1998）。%s 时 OAEP 的速度与 v1.5 相比：%s。",
		bitsText(r.main), said.Join())
}

// paddingOfSignatures sets PSS against PKCS #1 v1.5, which is not broken for signatures.
func (r *rsaView) paddingOfSignatures() *layout.Answer {
	c := r.Compare(r.of(r.main, use{algorithm.PKCS1v15Sign, algorithm.Sign, ""}), r.of(r.main, signing))
	if c == nil {
		return nil
	}
	return &layout.Answer{Mark: layout.Plain, Evidence: answer.Evidence(c),
		Text: layout.Say("PSS signing at %s %s; RFC 8017 §8 requires PSS in new applications.",
			"%s 的 PSS 签名%s；RFC 8017 第 8 节要求新应用使用 PSS。", bitsText(r.main), answer.Versus(c, layout.Same("PKCS #1 v1.5")))}
}

// primes says what a key loses that comes without its primes, or unprepared.
func (r *rsaView) primes() *layout.Answer {
	var said answer.Clauses
	add := func(length string, held use, en, zh string, args ...any) {
		if c := r.Compare(r.of(length, held), r.of(length, signing)); answer.Decided(c, "faster") {
			said.Tell(layout.Say(en, zh, append(args, answer.Times(c))...), c)
		}
	}
	add(r.main, withoutCRT, "signing without the primes (no CRT) takes %s as long",
		"没有素因子（不能用 CRT）的私钥签名耗时是正常私钥的 %s")
	add(r.main, use{algorithm.PSS, algorithm.Sign, parameter.NotComputed},
		"signing with a key that lacks Precompute takes %s as long", "未调用 Precompute 的私钥为 %s")
	if longest := r.lengths[len(r.lengths)-1]; longest != r.main && len(said.Parts) > 0 {
		add(longest, withoutCRT, "at %s signing without the primes takes %s as long", "%s 时没有素因子的私钥为 %s", bitsText(longest))
	}
	return said.Sentence(layout.Beware,
		"Keep a key's primes, and call Precompute on a key built by hand (parsed and generated keys have it): at %s, %s.",
		"请保留私钥的素因子；手工构造的私钥请调用一次 Precompute（解析或生成的私钥已自动完成）：%s 时%s。", bitsText(r.main), said.Join())
}

// short1024 warns of what is too short, where it was measured.
func (r *rsaView) short1024() *layout.Answer {
	row := r.of(algorithm.RSA1024, signing)
	if _, ok := answer.Nanoseconds(row); !ok {
		return nil
	}
	return &layout.Answer{Mark: layout.Stop, Evidence: []string{row.ID}, Text: layout.Text{
		EN: "Do not use 1024-bit keys: about 80 bits of strength, disallowed by NIST (SP 800-131A Rev. 2). " +
			"Strengths: SP 800-57 Part 1 Rev. 5. Go still accepts 1024 bits by default and rejects shorter keys.",
		ZH: "不要使用 1024 比特密钥：安全强度只有约 80 比特，已被 NIST 禁用（SP 800-131A Rev. 2）。" +
			"安全强度见 SP 800-57 Part 1 Rev. 5。Go 默认仍接受 1024 比特，更短的会拒绝。"}}
}

// leastForP95 is how many draws it takes until the 95th percentile says more than
// the greatest few values do.
const leastForP95 = 90

func tells95(d *document.Distribution) bool { return d.P95 != nil && d.Count >= leastForP95 }

// drawn is the distribution of a row's draws, or nil.
func (r *rsaView) drawn(row *document.Row) *document.Distribution { return r.Believed(row, "") }

// generation says how long making a key takes, as a distribution.
func (r *rsaView) generation() *layout.Answer {
	row := r.of(r.main, generating)
	d := r.drawn(row)
	if d == nil {
		return r.undrawn()
	}
	tail := layout.Say("%s (p90)", "p90 为 %s", layout.FormatTime(d.P90))
	if tells95(d) {
		tail = layout.Say("%s, %s (p95)", "%s，p95 为 %s", tail, layout.FormatTime(*d.P95))
	}
	return &layout.Answer{Mark: layout.Beware, Evidence: []string{row.ID},
		Text: layout.Say("Of %[4]d keys of %[1]s, generating one took %[2]s (p50), %[3]s, and %[5]s at most: make keys ahead of need. "+
			"The time is random: plan by the tail, not by the mean (%[6]s).",
			"生成 %[4]d 个 %[1]s 密钥，每个耗时 p50 为 %[2]s，%[3]s，最长 %[5]s：请提前生成。"+
				"耗时是随机的，请按尾延迟而非均值（%[6]s）预留时间。",
			bitsText(r.main), layout.FormatTime(d.P50), tail, d.Count, layout.FormatTime(d.Max), layout.FormatTime(d.Mean))}
}

// undrawn says that how long making a key takes was left out for lack of time; nothing where it was not asked.
func (r *rsaView) undrawn() *layout.Answer {
	const operations = "operations"
	if len(r.Doc.LeftOut) == 0 || len(document.TypedFlags(r.Doc.Command, operations)) > 0 {
		return nil
	}
	return &layout.Answer{Mark: layout.Plain, Evidence: answer.IDs(r.Rows[:1]), Text: layout.Say(
		"How long a key takes to generate was left out for lack of time: cryptogauge run rsa --operations %s.",
		"时间不足，未测密钥生成的耗时：cryptogauge run rsa --operations %s。", algorithm.Generate)}
}
