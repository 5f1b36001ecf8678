package envelope

import (
	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// answers are the sentences, the most useful first.
func (e *envelopeView) answers() []layout.Answer {
	var out []layout.Answer
	add := func(a *layout.Answer) {
		if a != nil {
			a.Experiment = e.Experiment
			out = append(out, *a)
		}
	}
	add(e.between("open"))
	add(e.between(algorithm.Seal))
	for i, way := range waysShown {
		a := e.stopsMattering(way.operation)
		if a != nil {
			a.Short = i == 1
		}
		add(a)
	}
	add(e.reusing())
	add(e.quantum())
	add(e.lengths())
	return out
}

func wayName(operation string) layout.Text {
	for _, w := range waysShown {
		if w.operation == operation {
			return w.name
		}
	}
	return layout.Same(operation)
}

// between compares the envelopes at the usual size, each with the first.
func (e *envelopeView) between(operation string) *layout.Answer {
	var parts []layout.Text
	var evidence []string
	var base *document.Row
	for _, mode := range e.modes {
		r := e.rowAt(mode, operation, e.at)
		if base == nil {
			base = r
			continue
		}
		if c := e.Compare(base, r); c != nil {
			parts = append(parts, layout.Say("%s (%s) %s", "%s（%s）%s", layout.Same(shortName(mode)), answer.Label(r.Who()), answer.Versus(c, layout.Same(shortName(base.Mode)))))
			evidence = append(evidence, c.ID)
		}
	}
	if len(parts) == 0 || base.NsPerOp == nil {
		return nil
	}
	return &layout.Answer{Mark: layout.Plain, Short: operation == algorithm.Open, Evidence: append(evidence, base.ID),
		Text: layout.Say("%s an envelope of %s with a new content key: %s (%s) takes %s; %s.", "%s %s 消息的信封（每次使用新内容密钥）：%s（%s）耗时 %s；%s。",
			answer.Upper(wayName(operation)), layout.Same(answer.SizeText(e.at)), layout.Same(shortName(base.Mode)), answer.Label(base.Who()),
			layout.Same(layout.FormatTime(base.NsPerOp.Median)), answer.JoinWith(parts, "; ", "；"))}
}

// Parts of an envelope's time: half of it, and what nobody minds.
const (
	half = 0.5
	hint = 0.05
)

// stopsMattering says from which size on the wrapped key is less than half of an
// envelope's time, and less than a twentieth.
func (e *envelopeView) stopsMattering(operation string) *layout.Answer {
	var parts []layout.Text
	var evidence []string
	for _, mode := range e.modes {
		below, ok := e.reaches(mode, operation, half)
		little, _ := e.reaches(mode, operation, hint)
		if !ok || below.from == 0 && below.above == 0 {
			continue
		}
		evidence = append(evidence, below.evidence...)
		evidence = append(evidence, little.evidence...)
		bounds := []layout.Text{from(below, layout.Say("half", "一半"))}
		if below.from > 0 { // else it is above the smaller part too
			bounds = append(bounds, from(little, layout.Say("5 %%", "5 %%")))
		}
		parts = append(parts, layout.Say("%s: %s", "%s：%s", layout.Same(shortName(mode)), answer.Join(bounds)))
	}
	if len(parts) == 0 {
		return nil
	}
	return &layout.Answer{Mark: layout.Plain, Evidence: distinctTexts(evidence),
		Text: layout.Say("Share of key wrapping in the time of %s (measured sizes only; each bound holds for the whole interval): %s.",
			"%s时密钥封装占总耗时的比例（只看实测长度，整个置信区间均满足）：%s。", wayName(operation), answer.JoinWith(parts, "; ", "；"))}
}

// from words a reach.
func from(r reach, part layout.Text) layout.Text {
	switch {
	case r.from == 0 && r.above > 0:
		return layout.Say("still more than %s at %s", "%[2]s 时仍占 %[1]s 以上", part, layout.Same(answer.SizeText(r.above)))
	case r.from == 0:
		return layout.Say("not certain to be under %s at any measured size", "没有一个实测长度能确定占 %s 以下", part)
	case r.above == 0:
		return layout.Say("under %s from %s on", "%[2]s 起占 %[1]s 以下", part, layout.Same(answer.SizeText(r.from)))
	}
	return layout.Say("under %s from %s on (more at %s)", "%[2]s 起占 %[1]s 以下（%[3]s 时仍在 %[1]s 以上）", part, layout.Same(answer.SizeText(r.from)), layout.Same(answer.SizeText(r.above)))
}

// reusing says what a content key for many messages saves, and at which risk.
func (e *envelopeView) reusing() *layout.Answer {
	var parts []layout.Text
	var evidence []string
	for _, mode := range e.modes {
		r := e.rowAt(mode, algorithm.Seal, e.at)
		c := e.Compare(r, e.payload(r))
		if c == nil || c.Verdict != "faster" {
			continue
		}
		parts = append(parts, layout.Say("%s %s times (%s)", "%s %s 倍（%s）", layout.Same(shortName(mode)), layout.Same(answer.Factor(c.Ratio)), layout.Same(answer.Interval(*c.Low, *c.High))))
		evidence = append(evidence, c.ID)
	}
	if len(parts) == 0 {
		return nil
	}
	return &layout.Answer{Mark: layout.Beware, Short: true, Evidence: evidence,
		Text: layout.Say("Reuse a content key only if nonces cannot repeat (with random nonces at most 2^32 messages per key), and change it often: whoever learns it reads every message. Never share it between receivers. Sealing %s is then this many times as fast: %s.",
			"只有 nonce 确保不重复时才可重用内容密钥（随机 nonce 时每个密钥最多 2^32 条消息），并应经常更换：密钥一旦泄露，全部消息可读。不要在接收方之间共用。重用时加密 %s 的速度：%s。",
			layout.Same(answer.SizeText(e.at)), answer.Join(parts))}
}

// quantum says what being safe against quantum computers costs.
func (e *envelopeView) quantum() *layout.Answer {
	const curve, hybrid = algorithm.X25519Envelope, algorithm.HybridEnvelope
	var parts []layout.Text
	var evidence []string
	for _, way := range waysShown {
		if c := e.Compare(e.rowAt(curve, way.operation, e.at), e.rowAt(hybrid, way.operation, e.at)); c != nil {
			parts = append(parts, layout.Say("%s %s", "%s%s", way.name, answer.Versus(c, layout.Same("HPKE-X25519"))))
			evidence = append(evidence, c.ID)
		}
	}
	before, _ := e.overhead(curve)
	after, row := e.overhead(hybrid)
	if len(parts) == 0 || row == nil {
		return nil
	}
	return &layout.Answer{Mark: layout.Plain, Evidence: append(evidence, row.ID),
		Text: layout.Say("HPKE with MLKEM768-X25519 withstands quantum computers. At %s: %s; it adds %d bytes to a message, HPKE-X25519 adds %d.",
			"可抵御量子计算机的 HPKE（MLKEM768-X25519），%s：%s；每条消息增加 %d 字节，HPKE-X25519 为 %d 字节。", layout.Same(answer.SizeText(e.at)), answer.Join(parts), after, before)}
}

// lengths says how many bytes each envelope adds.
func (e *envelopeView) lengths() *layout.Answer {
	var parts []layout.Text
	var evidence []string
	for _, mode := range e.modes {
		if n, r := e.overhead(mode); r != nil {
			parts = append(parts, layout.Say("%s %d", "%s %d", layout.Same(shortName(mode)), n))
			evidence = append(evidence, r.ID)
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return &layout.Answer{Mark: layout.Plain, Evidence: evidence,
		Text: layout.Say("Bytes that an envelope adds to a message, in cryptogauge's own format (ASN.1 of PKCS #7 or GB/T 35275 would add more): %s.",
			"信封在消息之外增加的字节数（cryptogauge 自有格式；PKCS #7 或 GB/T 35275 的 ASN.1 编码会更多）：%s。", answer.Join(parts))}
}

func distinctTexts(all []string) (out []string) {
	seen := map[string]bool{}
	for _, s := range all {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}
