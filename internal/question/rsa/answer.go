package rsa

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// Question is what the reports need to know of the question.
var Question = answer.Question{Name: "rsa", Narrowing: []string{"--algorithms", "--operations", "--libraries"}, Layout: layOut,
	Asks: layout.Text{EN: "What does RSA cost at each key length, on which side, and what does making a key take?",
		ZH: "各密钥长度下 RSA 的代价是多少？落在哪一方？生成密钥要多久？"}}

// layOut lays out what RSA costs as its keys grow.
func layOut(v *answer.View) layout.Layout {
	r := &rsaView{View: v}
	r.lengths = answer.Values(v.Rows, func(r *document.Row) string { return r.Algorithm }, func(*document.Row) bool { return true })
	slices.SortFunc(r.lengths, func(a, b string) int { return cmp.Compare(algorithm.RSABits(a), algorithm.RSABits(b)) })
	r.main = r.lengths[0]
	if slices.Contains(r.lengths, "RSA-2048") {
		r.main = "RSA-2048"
	}
	return layout.Layout{
		Experiment: "rsa",
		Title:      layout.Text{EN: "RSA: encryption, signatures and keys by length", ZH: "RSA：各密钥长度的加密、签名与密钥生成"},
		Answers:    r.answers(),
		Headline:   answer.NonEmpty(r.short()),
		Tables:     answer.NonEmpty(r.full(), r.growth(), r.draws()),
		Charts:     slices.Concat(v.RatioChart(answer.ContrastKeys), r.overLength(), r.drawsOverLength()),
		Next: []layout.Next{
			{Command: "cryptogauge run rsa --algorithms RSA-8192", Why: layout.Text{EN: "on request: it takes minutes", ZH: "需指明才测：耗时数分钟"}},
			{Command: "cryptogauge run rsa --sizes 190,300", Why: layout.Text{EN: "encrypt messages of your own length", ZH: "加密自定长度的消息"}},
			{Command: "cryptogauge run signatures", Why: layout.Text{EN: "which signature to use instead", ZH: "应改用何种签名"}},
		},
	}
}

type rsaView struct {
	*answer.View
	lengths []string // "RSA-2048", rising
	main    string   // the one that sentences are about
}

// first is the library that sentences and the short table are about.
func (r *rsaView) first() string { return r.Name(r.Rows[0]) }

// of is the row of a case in the first library that has it.
func (r *rsaView) of(algorithm, mode, operation, parameters string) *document.Row {
	for _, row := range r.Rows {
		if row.Algorithm == algorithm && row.Mode == mode && row.Operation == operation && (row.Parameters == parameters || operation == "generate") {
			return row
		}
	}
	return nil
}

const (
	pss  = "PSS-SHA-256"
	oaep = "OAEP-SHA-256"
)

func bitsText(name string) layout.Text {
	bits := strconv.Itoa(algorithm.RSABits(name))
	return layout.Say("%s bits", "%s 比特", bits)
}

func (r *rsaView) answers() (out []layout.Answer) {
	for _, a := range []*layout.Answer{r.short1024(), r.side(), r.grows(), r.encryption(), r.generation(), r.primes(), r.paddingOfSignatures()} {
		if a != nil {
			a.Experiment = r.Experiment
			out = append(out, *a)
		}
	}
	return out
}

// side says which half of the key sets a server's size.
func (r *rsaView) side() *layout.Answer {
	sign, verify := r.of(r.main, pss, "sign", ""), r.of(r.main, pss, "verify", "")
	c := r.Compare(sign, verify)
	if !answer.Decided(c, "faster") {
		return nil
	}
	a := &layout.Answer{Mark: layout.Plain, Short: true, Evidence: []string{c.ID, sign.ID, verify.ID},
		Text: layout.Say("Size servers by private-key operations: at %s signing takes %s times as long as verifying", "请按私钥运算规划服务器规模：%s 时签名耗时是验签的 %s 倍",
			bitsText(r.main), answer.Times(c))}
	encrypt, decrypt := r.of(r.main, oaep, "encrypt", ""), r.of(r.main, oaep, "decrypt", "")
	if d := r.Compare(decrypt, encrypt); answer.Decided(d, "faster") {
		a.Text = layout.Say("%s, and decrypting takes %s times as long as encrypting", "%s，解密耗时是加密的 %s 倍", a.Text, answer.Times(d))
		a.Evidence = append(a.Evidence, d.ID, encrypt.ID, decrypt.ID)
	}
	if ns, ok := answer.Nanoseconds(sign); ok {
		a.Text = layout.Say("%s; one CPU makes %s signatures per second", "%s；一个 CPU 每秒签名 %s 次", a.Text, layout.FormatNumber(1e9/ns))
	}
	a.Text = layout.Say("%s.", "%s。", a.Text)
	return a
}

// grows says how time grows with the length of the key.
func (r *rsaView) grows() *layout.Answer {
	base := r.of(r.main, pss, "sign", "")
	a := &layout.Answer{Mark: layout.Plain, Short: true}
	var parts []layout.Text
	for _, length := range r.lengths {
		other := r.of(length, pss, "sign", "")
		c := r.Compare(base, other)
		if length == r.main || !answer.Decided(c, "slower") {
			continue
		}
		parts = append(parts, layout.Say("signing with %s takes %s times as long as with %s", "%s 签名耗时是 %[3]s 的 %[2]s 倍", bitsText(length), answer.TimesSlower(c), bitsText(r.main)))
		a.Evidence = append(a.Evidence, c.ID, base.ID, other.ID)
	}
	if f := r.fit(pss, "sign", ""); f != nil && f.OK {
		switch reach := f.Terms["exponent_high"] - f.Terms["exponent_low"]; {
		case reach > uselessRange:
		case reach > wideRange:
			parts = append(parts, layout.Say("which is no clean power of the length: the exponent is %s over all, and %s by which lengths are taken", "增长并非长度的严格幂次：总体指数 %s，随所取长度在 %s 之间",
				exponent(f.Terms["exponent"]), exponentRange(f)))
		default:
			parts = append(parts, layout.Say("doubling the length makes it ×%s (the fitted exponent is %s, %s)", "长度加倍耗时变为 %s 倍（拟合指数 %s，%s）",
				factorOfDoubling(f), exponent(f.Terms["exponent"]), exponentRange(f)))
		}
		a.Evidence = append(a.Evidence, f.RowIDs...)
	} else if f != nil {
		parts = append(parts, layout.Say("no one exponent describes the growth: a power law misses by %s", "增长不能用单一指数描述：幂律拟合误差 %s", layout.FormatShare(f.RMS)))
		a.Evidence = append(a.Evidence, f.RowIDs...)
	}
	if len(parts) == 0 {
		return nil
	}
	a.Text = layout.Say("%s.", "%s。", answer.Upper(answer.Join(parts)))
	return a
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

// fit is the power law of an operation.
func (r *rsaView) fit(mode, operation, parameters string) *document.Fit {
	for i, f := range r.Doc.Fits {
		if f.Model != document.ModelPower || len(f.RowIDs) == 0 {
			continue
		}
		row := r.ByID[f.RowIDs[0]]
		if row != nil && row.Mode == mode && row.Operation == operation && (row.Parameters == parameters || operation == "generate") {
			return &r.Doc.Fits[i]
		}
	}
	return nil
}

// encryption sets OAEP against PKCS #1 v1.5, which nobody should choose whatever it costs.
func (r *rsaView) encryption() *layout.Answer {
	var parts []layout.Text
	evidence := []string{}
	for _, op := range []string{"encrypt", "decrypt"} {
		base, other := r.of(r.main, pkcs1, op, ""), r.of(r.main, oaep, op, "")
		if c := r.Compare(base, other); c != nil {
			parts = append(parts, layout.Say("OAEP %s %s", "OAEP %s%s", answer.Operation(op), answer.Versus(c, layout.Same("v1.5"))))
			evidence = append(evidence, c.ID, base.ID, other.ID)
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return &layout.Answer{Mark: layout.Choose, Short: true, Evidence: evidence,
		Text: layout.Say("Encrypt with OAEP, not with PKCS #1 v1.5: decryption with v1.5 can be used as a padding oracle (Bleichenbacher 1998). At %s, %s.",
			"加密请用 OAEP，不要用 PKCS #1 v1.5：v1.5 的填充校验可被用作填充预言机（padding oracle，Bleichenbacher 1998）。%s 时 %s。", bitsText(r.main), answer.Join(parts))}
}

// paddingOfSignatures sets PSS against PKCS #1 v1.5, which is not broken for signatures.
func (r *rsaView) paddingOfSignatures() *layout.Answer {
	base, other := r.of(r.main, pkcs1Sign, "sign", ""), r.of(r.main, pss, "sign", "")
	c := r.Compare(base, other)
	if c == nil {
		return nil
	}
	return &layout.Answer{Mark: layout.Plain, Evidence: []string{c.ID, base.ID, other.ID},
		Text: layout.Say("PSS signing at %s %s; of the two PSS has the proof of security (RFC 8017 §8).",
			"%s 的 PSS 签名%s；两者之中 PSS 具有安全性证明（RFC 8017 第 8 节）。", bitsText(r.main), answer.Versus(c, layout.Same("PKCS #1 v1.5")))}
}

// primes says what a key loses that comes without its primes, or unprepared.
func (r *rsaView) primes() *layout.Answer {
	usual := r.of(r.main, pss, "sign", "")
	a := &layout.Answer{Mark: layout.Beware}
	var parts []layout.Text
	for _, held := range []struct {
		parameters string
		en, zh     string
	}{
		{"crt=no", "signing without the primes (no CRT) takes %s times as long", "没有素因子（不能用 CRT）的私钥签名耗时是正常私钥的 %s 倍"},
		{"precomputed=no", "signing with a key that lacks Precompute takes %s times as long", "未调用 Precompute 的私钥为 %s 倍"},
	} {
		row := r.of(r.main, pss, "sign", held.parameters)
		if c := r.Compare(row, usual); answer.Decided(c, "faster") {
			parts = append(parts, layout.Say(held.en, held.zh, answer.Times(c)))
			a.Evidence = append(a.Evidence, c.ID, row.ID, usual.ID)
		}
	}
	if len(parts) == 0 {
		return nil
	}
	longest := r.lengths[len(r.lengths)-1]
	row := r.of(longest, pss, "sign", "crt=no")
	if c := r.Compare(row, r.of(longest, pss, "sign", "")); longest != r.main && answer.Decided(c, "faster") {
		parts = append(parts, layout.Say("at %s signing without the primes takes %s times as long", "%s 时没有素因子的私钥为 %s 倍", bitsText(longest), answer.Times(c)))
		a.Evidence = append(a.Evidence, c.ID, row.ID)
	}
	a.Text = layout.Say("Keep a key's primes, and call Precompute on a key built by hand (parsed and generated keys have it): at %s, %s.",
		"请保留私钥的素因子；手工构造的私钥请调用一次 Precompute（解析或生成的私钥已自动完成）：%s 时%s。", bitsText(r.main), answer.Join(parts))
	return a
}

// short1024 warns of what is too short, where it was measured.
func (r *rsaView) short1024() *layout.Answer {
	row := r.of("RSA-1024", pss, "sign", "")
	if _, ok := answer.Nanoseconds(row); !ok {
		return nil
	}
	return &layout.Answer{Mark: layout.Stop, Evidence: []string{row.ID},
		Text: layout.Text{EN: "Do not use 1024-bit keys: their strength is about 80 bits, and NIST disallows them (SP 800-57 Part 1 Rev. 5, SP 800-131A Rev. 2). Go still accepts 1024 bits by default and rejects shorter keys.",
			ZH: "不要使用 1024 比特密钥：安全强度只有约 80 比特，已被 NIST 禁用（SP 800-57 Part 1 Rev. 5、SP 800-131A Rev. 2）。Go 默认仍接受 1024 比特，更短的会拒绝。"}}
}

// leastForP95 is how many draws it takes until the 95th percentile says more than
// the greatest few values do.
const leastForP95 = 90

// drawn is the distribution of the draws of a length.
func (r *rsaView) drawn(length string) (row *document.Row, d *document.Distribution) {
	if row = r.of(length, "", "generate", ""); row == nil || row.Status != result.OK {
		return row, nil
	}
	for i := range r.Doc.Distributions {
		if r.Doc.Distributions[i].RowID == row.ID {
			return row, &r.Doc.Distributions[i]
		}
	}
	return row, nil
}

// generation says how long making a key takes, as a distribution.
func (r *rsaView) generation() *layout.Answer {
	row, d := r.drawn(r.main)
	if d == nil {
		return nil
	}
	tail := layout.Same("p90 " + layout.FormatTime(d.P90))
	if d.P95 != nil && d.Count >= leastForP95 {
		tail = layout.Same(tail.EN + ", p95 " + layout.FormatTime(*d.P95))
		tail.ZH = "p90 " + layout.FormatTime(d.P90) + "，p95 " + layout.FormatTime(*d.P95)
	}
	return &layout.Answer{Mark: layout.Beware, Short: true, Evidence: []string{row.ID},
		Text: layout.Say("Generate keys ahead of need, and plan by the tail, not by the mean (%[6]s): the time is random. At %[1]s p50 is %[2]s, %[3]s, the longest of %[4]s keys %[5]s.",
			"请提前生成密钥，并按尾延迟（如 p90）而非均值（%[6]s）预留时间：生成耗时是随机的。%[1]s 时 p50 为 %[2]s，%[3]s，%[4]s 次中最长 %[5]s。",
			bitsText(r.main), layout.FormatTime(d.P50), tail, strconv.FormatInt(d.Count, 10), layout.FormatTime(d.Max), layout.FormatTime(d.Mean))}
}
