package envelope

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
)

var Question = answer.Question{Name: "envelope", Narrowing: []string{"--modes", "--sizes", "--operations"},
	Layout: layOut,
	Asks: layout.Text{EN: "Which digital envelope, and from which message size is key wrapping negligible?",
		ZH: "选用哪种数字信封？消息多长时密钥封装的开销可以忽略？"}}

// layOut lays out what digital envelopes cost, what they add, and from which
// size of message on the wrapped key stops mattering.
func layOut(v *answer.View) layout.Layout {
	sizes := slices.Sorted(slices.Values(answer.Values(v.Rows, answer.BytesOf, nil)))
	e := &envelopeView{v, sizes, plan.UsualSize(sizes), answer.Values(v.Rows, answer.ModeOf, whole)}
	line, chosen := e.Chosen(e.advice()...)
	return layout.Layout{
		Line:  answer.FirstSaid(line),
		Title: layout.Text{EN: "Digital envelopes (hybrid encryption)", ZH: "数字信封（混合加密）"},
		// The most useful first.
		Answers: answer.Said(append(chosen, answer.Short(e.between(algorithm.Open)), e.between(algorithm.Seal),
			e.stopsMattering(algorithm.Seal), answer.Short(e.stopsMattering(algorithm.Open)),
			answer.Short(e.reusing()), e.quantum(), e.lengths())...),
		Headline: answer.NonEmpty(e.headline()),
		Tables:   e.tables(),
		Charts:   e.charts(),
		Next: []layout.Next{
			answer.Run("envelope --sizes 200,8KiB,4MiB", "your own message sizes", "自定义消息长度"),
			answer.Run("envelope", "every envelope, from 100 B to 16 MiB", "全部信封，100 B 至 16 MiB"),
		},
	}
}

// advice is which envelope to open messages from, else to seal them into: one that
// withstands quantum computers, since what is sent today can be kept until there are some.
func (e *envelopeView) advice() (all []answer.Advice) {
	quantum := func(r *document.Row) bool {
		return r.Mode == algorithm.HybridEnvelope || r.Mode == algorithm.MLKEM768Envelope
	}
	for _, op := range []string{algorithm.Open, algorithm.Seal} {
		all = append(all, answer.Advice{Job: layout.Say("%s %s", "%s %s 消息", answer.Direction(op), answer.SizeText(e.at)),
			Rows:   e.Select(func(r *document.Row) bool { return r.Operation == op && r.Bytes == e.at && whole(r) }),
			Name:   func(r *document.Row) layout.Text { return layout.Same(shortName(r.Mode)) },
			Secure: layout.Text{EN: "an envelope with a key of its own", ZH: "每条消息各用内容密钥的信封"},
			Prefer: []func(*document.Row) bool{quantum},
			Gain:   layout.Text{EN: "quantum computers cannot break it", ZH: "可抵御量子计算机"},
			Usual:  func(r *document.Row) bool { return r.Mode == algorithm.RSA2048Envelope },
			Costs: func(best *document.Row) layout.Text {
				n, r := e.overhead(best.Mode)
				if r == nil {
					return layout.Text{}
				}
				return layout.Say("it adds %d bytes", "增加 %d 字节", n)
			}})
	}
	return all
}

// envelopeView is the view with what all parts of this layout need.
type envelopeView struct {
	*answer.View
	sizes []int64 // measured, rising
	at    int64   // at which envelopes are compared with each other
	modes []string
}

// whole says whether a row's envelope has a key of its own in it.
func whole(r *document.Row) bool { return !parameter.ContentKey.Has(r.Parameters) }

func (e *envelopeView) rowAt(mode, operation string, size int64) *document.Row {
	return e.First(func(r *document.Row) bool { return r.Mode == mode && r.Operation == operation && r.Bytes == size })
}

// alone compares an envelope's payload alone, under a reused key, with the envelope; nil without an interval.
func (e *envelopeView) alone(r *document.Row) *document.Comparison {
	return answer.First(e.Comparisons, func(c *document.Comparison) bool {
		return r != nil && c.Base == r.ID && c.Low != nil && c.High != nil && !whole(e.ByID[c.Other])
	})
}

// saved is the part of an envelope's time that its payload alone does not take, by the ratio of their speeds.
func saved(ratio float64) float64 { return 1 - 1/ratio }

func savedText(c *document.Comparison) string {
	low, high := saved(*c.Low), saved(*c.High)
	if low > 0.99 { // in whole percent the interval would be 100–100 %
		return "> 99 %"
	}
	return partText(saved(c.Ratio)) + " (" + answer.Span(low, high, partText) + ")"
}

// partText prints a part of the time; one below nothing is noise about nothing.
func partText(x float64) string { return layout.FormatShare(max(x, 0)) }

// reach is what is known of the size from which an envelope adds less than a part
// of its time: shown at one measured size, and shown not to be at the one before.
type reach struct {
	from, above int64 // 0: at no size measured, or there is none before
	evidence    []string
}

// reaches looks for the least measured size from which on, at all sizes measured,
// the whole interval of what the envelope adds lies below a limit.
func (e *envelopeView) reaches(mode, operation string, limit float64) (out reach, ok bool) {
	for _, size := range slices.Backward(e.sizes) {
		c := e.alone(e.rowAt(mode, operation, size))
		if c == nil {
			continue
		}
		ok = true
		out.evidence = append(out.evidence, c.ID)
		if saved(*c.High) < limit {
			out.from = size
			continue
		}
		if saved(*c.Low) > limit {
			out.above = size
		}
		break
	}
	return out, ok
}

func (r reach) text() layout.Text {
	switch {
	case r.from == 0 && r.above == 0:
		return layout.Text{EN: "inconclusive", ZH: "无法判定"}
	case r.from == 0:
		return layout.Say("above %s", "%s 以上", answer.SizeText(r.above))
	case r.above == 0:
		return layout.Say("≤ %s", "≤ %s", answer.SizeText(r.from))
	}
	return layout.Same(answer.SizeText(r.above) + " – " + answer.SizeText(r.from))
}

// shortName leaves out what all envelopes of a kind share.
func shortName(mode string) string {
	if e, known := algorithm.EnvelopeOf(mode); known {
		return e.Wrapping
	}
	return mode
}

// overhead is how many bytes an envelope adds to its message, as was measured.
func (e *envelopeView) overhead(mode string) (bytes int64, row *document.Row) {
	for _, r := range e.Rows {
		if m, ok := answer.Metric(r, "overhead_bytes"); ok && r.Mode == mode {
			return int64(m.Value), r
		}
	}
	return 0, nil
}

// between compares the envelopes at the usual size, each with the first.
func (e *envelopeView) between(operation string) *layout.Answer {
	rows := answer.Present(document.Mapped(e.modes, func(mode string) *document.Row { return e.rowAt(mode, operation, e.at) }))
	if len(rows) == 0 || rows[0].NsPerOp == nil {
		return nil
	}
	var said answer.Clauses
	base := rows[0]
	for _, r := range rows[1:] {
		if c := e.Compare(base, r); c != nil {
			said.Add(layout.Say("%s (%s) %s", "%s（%s）%s", shortName(r.Mode), answer.Label(r.Who()),
				answer.Versus(c, layout.Same(shortName(base.Mode)))), c.ID)
		}
	}
	said.Evidence = append(said.Evidence, base.ID)
	return said.Sentence(layout.Plain, "%s an envelope of %s with a new content key: %s (%s) takes %s; %s.",
		"%s %s 消息的信封（每次使用新内容密钥）：%s（%s）耗时 %s；%s。",
		upperName(operation), answer.SizeText(e.at), shortName(base.Mode), answer.Label(base.Who()),
		layout.FormatTime(base.NsPerOp.Median), answer.Semicolons(said.Parts))
}

// Parts of an envelope's time: half of it, and what nobody minds.
const (
	half = 0.5
	hint = 0.05
)

// stopsMattering says from which size on the wrapped key is less than half of an
// envelope's time, and less than a twentieth.
func (e *envelopeView) stopsMattering(operation string) *layout.Answer {
	var said answer.Clauses
	for _, mode := range e.modes {
		below, ok := e.reaches(mode, operation, half)
		little, _ := e.reaches(mode, operation, hint)
		if !ok || below.from == 0 && below.above == 0 {
			continue
		}
		bounds := below.words(layout.Say("half", "一半"))
		if below.from > 0 { // else it is above the smaller part too
			bounds = layout.Say("%s, %s", "%s，%s", bounds, little.words(layout.Same("5 %")))
		}
		said.Add(layout.Say("%s: %s", "%s：%s", shortName(mode), bounds), append(below.evidence, little.evidence...)...)
	}
	return said.Sentence(layout.Plain,
		"Share of key wrapping in the time of %s (measured sizes only; each bound holds for the whole interval): %s.",
		"%s时密钥封装占总耗时的比例（只看实测长度，整个置信区间均满足）：%s。", answer.Direction(operation), answer.Semicolons(said.Parts))
}

// words says of which part it is a reach.
func (r reach) words(part layout.Text) layout.Text {
	from, above := answer.SizeText(r.from), answer.SizeText(r.above)
	switch {
	case r.from == 0 && r.above > 0:
		return layout.Say("still more than %s at %s", "%[2]s 时仍占 %[1]s 以上", part, above)
	case r.from == 0:
		return layout.Say("not certain to be under %s at any measured size", "没有一个实测长度能确定占 %s 以下", part)
	case r.above == 0:
		return layout.Say("under %s from %s on", "%[2]s 起占 %[1]s 以下", part, from)
	}
	return layout.Say("under %s from %s on (more at %s)", "%[2]s 起占 %[1]s 以下（%[3]s 时仍在 %[1]s 以上）", part, from, above)
}

// reusing says what a content key for many messages saves, and at which risk.
func (e *envelopeView) reusing() *layout.Answer {
	var said answer.Clauses
	for _, mode := range e.modes {
		if c := e.alone(e.rowAt(mode, algorithm.Seal, e.at)); answer.Decided(c, "faster") {
			said.Add(layout.Say("%s %s times (%s)", "%s %s 倍（%s）", shortName(mode), answer.Factor(c.Ratio), answer.Limits(c)), c.ID)
		}
	}
	return said.Sentence(layout.Beware,
		"Reuse a content key only if nonces cannot repeat (with random nonces at most 2^32 messages per key), and change it often: "+
			"whoever learns it reads every message. Never share it between receivers. "+
			"Speed of sealing %s with a reused key, compared with a new one: %s.",
		"只有 nonce 确保不重复时才可重用内容密钥（随机 nonce 时每个密钥最多 2^32 条消息），并应经常更换：密钥一旦泄露，全部消息可读。"+
			"不要在接收方之间共用。与每条消息新建密钥相比，重用时加密 %s 的速度：%s。", answer.SizeText(e.at), said.Join())
}

func (e *envelopeView) quantum() *layout.Answer {
	const curve, hybrid = algorithm.X25519Envelope, algorithm.HybridEnvelope
	var said answer.Clauses
	for _, op := range ways {
		if c := e.Compare(e.rowAt(curve, op, e.at), e.rowAt(hybrid, op, e.at)); c != nil {
			said.Add(layout.Say("%s %s", "%s%s", answer.Direction(op), answer.Versus(c, layout.Same(shortName(curve)))), c.ID)
		}
	}
	before, _ := e.overhead(curve)
	after, row := e.overhead(hybrid)
	if row == nil {
		return nil
	}
	said.Evidence = append(said.Evidence, row.ID)
	return said.Sentence(layout.Plain, "HPKE with MLKEM768-X25519 withstands quantum computers. At %s: %s; "+
		"it adds %d bytes to a message, HPKE-X25519 adds %d.",
		"可抵御量子计算机的 HPKE（MLKEM768-X25519），%s：%s；每条消息增加 %d 字节，HPKE-X25519 为 %d 字节。",
		answer.SizeText(e.at), said.Join(), after, before)
}

func (e *envelopeView) lengths() *layout.Answer {
	var said answer.Clauses
	for _, mode := range e.modes {
		if n, r := e.overhead(mode); r != nil {
			said.Add(layout.Say("%s %d", "%s %d", shortName(mode), n), r.ID)
		}
	}
	return said.Sentence(layout.Plain, "Bytes that an envelope adds to a message, in cryptogauge's own format "+
		"(ASN.1 of PKCS #7 or GB/T 35275 would add more): %s.",
		"信封在消息之外增加的字节数（cryptogauge 自有格式；PKCS #7 或 GB/T 35275 的 ASN.1 编码会更多）：%s。", said.Join())
}
