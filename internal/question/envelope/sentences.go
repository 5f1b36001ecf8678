package envelope

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// answers are the sentences, the most useful first.
func (e *envelopeView) answers() []*layout.Answer {
	return []*layout.Answer{answer.Short(e.between(algorithm.Open)), e.between(algorithm.Seal),
		e.stopsMattering(algorithm.Seal), answer.Short(e.stopsMattering(algorithm.Open)),
		answer.Short(e.reusing()), e.quantum(), e.lengths()}
}

// between compares the envelopes at the usual size, each with the first.
func (e *envelopeView) between(operation string) *layout.Answer {
	var said answer.Clauses
	var base *document.Row
	for _, mode := range e.modes {
		r := e.rowAt(mode, operation, e.at)
		if base == nil {
			base = r
			continue
		}
		if c := e.Compare(base, r); c != nil {
			said.Add(layout.Say("%s (%s) %s", "%s（%s）%s", shortName(mode), answer.Label(r.Who()),
				answer.Versus(c, layout.Same(shortName(base.Mode)))), c.ID)
		}
	}
	if base == nil || base.NsPerOp == nil {
		return nil
	}
	said.Evidence = append(said.Evidence, base.ID)
	return said.Sentence(layout.Plain, "%s an envelope of %s with a new content key: %s (%s) takes %s; %s.",
		"%s %s 消息的信封（每次使用新内容密钥）：%s（%s）耗时 %s；%s。",
		answer.Upper(wayName(operation)), answer.SizeText(e.at), shortName(base.Mode), answer.Label(base.Who()),
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
		said.Add(layout.Say("%s: %s", "%s：%s", shortName(mode), bounds))
		for _, id := range append(below.evidence, little.evidence...) {
			if !slices.Contains(said.Evidence, id) {
				said.Evidence = append(said.Evidence, id)
			}
		}
	}
	return said.Sentence(layout.Plain,
		"Share of key wrapping in the time of %s (measured sizes only; each bound holds for the whole interval): %s.",
		"%s时密钥封装占总耗时的比例（只看实测长度，整个置信区间均满足）：%s。", wayName(operation), answer.Semicolons(said.Parts))
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
		r := e.rowAt(mode, algorithm.Seal, e.at)
		if c := e.Compare(r, e.payload(r)); answer.Decided(c, "faster") {
			said.Add(layout.Say("%s %s times (%s)", "%s %s 倍（%s）", shortName(mode), answer.Factor(c.Ratio),
				answer.Interval(*c.Low, *c.High)), c.ID)
		}
	}
	return said.Sentence(layout.Beware,
		"Reuse a content key only if nonces cannot repeat (with random nonces at most 2^32 messages per key), and change it often: "+
			"whoever learns it reads every message. Never share it between receivers. "+
			"Sealing %s is then this many times as fast: %s.",
		"只有 nonce 确保不重复时才可重用内容密钥（随机 nonce 时每个密钥最多 2^32 条消息），并应经常更换：密钥一旦泄露，全部消息可读。"+
			"不要在接收方之间共用。重用时加密 %s 的速度：%s。", answer.SizeText(e.at), said.Join())
}

// quantum says what being safe against quantum computers costs.
func (e *envelopeView) quantum() *layout.Answer {
	const curve, hybrid = algorithm.X25519Envelope, algorithm.HybridEnvelope
	var said answer.Clauses
	for _, op := range ways {
		if c := e.Compare(e.rowAt(curve, op, e.at), e.rowAt(hybrid, op, e.at)); c != nil {
			said.Add(layout.Say("%s %s", "%s%s", wayName(op), answer.Versus(c, layout.Same(shortName(curve)))), c.ID)
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

// lengths says how many bytes each envelope adds.
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
