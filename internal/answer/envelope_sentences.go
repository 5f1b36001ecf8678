package answer

import (
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// answers are the sentences, the most useful first.
func (e *envelopeView) answers() []layout.Answer {
	var out []layout.Answer
	add := func(a *layout.Answer) {
		if a != nil {
			a.Experiment = e.experiment
			out = append(out, *a)
		}
	}
	add(e.between("open"))
	add(e.between("seal"))
	for i, way := range envelopeWays {
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
	for _, w := range envelopeWays {
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
		if c := e.compare(base, r); c != nil {
			parts = append(parts, say("%s (%s) %s", "%s（%s）%s", layout.Same(shortName(mode)), label(r.Who()), versus(c, layout.Text{EN: "it", ZH: "它"})))
			evidence = append(evidence, c.ID)
		}
	}
	if len(parts) == 0 || base.NsPerOp == nil {
		return nil
	}
	return &layout.Answer{Mark: layout.Plain, Short: operation == "open", Evidence: append(evidence, base.ID),
		Text: say("%s an envelope of %s, the key fresh: %s (%s) takes %s; %s.", "%s %s 的信封（每次新密钥）：%s（%s）耗时 %s；%s。",
			title(wayName(operation)), layout.Same(sizeText(e.at)), layout.Same(shortName(base.Mode)), label(base.Who()),
			layout.Same(layout.FormatTime(base.NsPerOp.Median)), joinWith(parts, "; ", "；"))}
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
		parts = append(parts, say("%s: %s, %s", "%s：%s，%s", layout.Same(shortName(mode)),
			from(below, say("half", "一半")), from(little, say("5 %%", "5 %%"))))
	}
	if len(parts) == 0 {
		return nil
	}
	return &layout.Answer{Mark: layout.Plain, Evidence: distinctTexts(evidence),
		Text: say("Where wrapping the key stops mattering, %s (sizes measured; each bound holds with its whole interval): %s.",
			"%s时密钥封装开销何时可忽略（按实测长度，整个置信区间均满足）：%s。", wayName(operation), joinWith(parts, "; ", "；"))}
}

// from words a reach.
func from(r reach, part layout.Text) layout.Text {
	switch {
	case r.from == 0 && r.above > 0:
		return say("still more than %s at %s", "在 %[2]s 时仍超过 %[1]s", part, layout.Same(sizeText(r.above)))
	case r.from == 0:
		return say("less than %s at no size for certain", "没有任何长度可确定低于 %s", part)
	case r.above == 0:
		return say("less than %s from %s on", "%[2]s 起低于 %[1]s", part, layout.Same(sizeText(r.from)))
	}
	return say("less than %s from %s on, more at %s", "%[2]s 起低于 %[1]s，%[3]s 时仍超过", part, layout.Same(sizeText(r.from)), layout.Same(sizeText(r.above)))
}

// reusing says what a content key for many messages saves, and at which risk.
func (e *envelopeView) reusing() *layout.Answer {
	var parts []layout.Text
	var evidence []string
	for _, mode := range e.modes {
		r := e.rowAt(mode, "seal", e.at)
		c := e.compare(r, e.payload(r))
		if c == nil || c.Verdict != "faster" {
			continue
		}
		parts = append(parts, say("%s %s times (%s)", "%s %s 倍（%s）", layout.Same(shortName(mode)), layout.Same(factor(c.Ratio)), layout.Same(interval(*c.Low, *c.High))))
		evidence = append(evidence, c.ID)
	}
	if len(parts) == 0 {
		return nil
	}
	return &layout.Answer{Mark: layout.Beware, Short: true, Evidence: evidence,
		Text: say("Reusing the content key makes sealing %s faster: %s. The price: nonces must never repeat (at most 2^32 messages a key with random ones), and who learns the key reads every message: change it often, never share it between receivers.",
			"重用内容密钥可加快封装 %s：%s。代价：nonce 绝不可重复（随机 nonce 时每个密钥最多 2^32 条消息），密钥泄露则全部消息可读。请经常更换密钥，且不要在接收方之间共用。",
			layout.Same(sizeText(e.at)), join(parts))}
}

// quantum says what being safe against quantum computers costs.
func (e *envelopeView) quantum() *layout.Answer {
	const curve, hybrid = "HPKE-X25519+AES-256-GCM", "HPKE-MLKEM768-X25519+AES-256-GCM"
	var parts []layout.Text
	var evidence []string
	for _, way := range envelopeWays {
		if c := e.compare(e.rowAt(curve, way.operation, e.at), e.rowAt(hybrid, way.operation, e.at)); c != nil {
			parts = append(parts, say("%s %s", "%s%s", way.name, versus(c, layout.Same("HPKE-X25519"))))
			evidence = append(evidence, c.ID)
		}
	}
	before, _ := e.overhead(curve)
	after, row := e.overhead(hybrid)
	if len(parts) == 0 || row == nil {
		return nil
	}
	return &layout.Answer{Mark: layout.Plain, Evidence: append(evidence, row.ID),
		Text: say("Against quantum computers HPKE with MLKEM768-X25519, at %s: %s; it adds %d bytes to a message instead of %d.",
			"抗量子的 HPKE（MLKEM768-X25519），%s：%s；每条消息增加 %d 字节，原为 %d 字节。", layout.Same(sizeText(e.at)), join(parts), after, before)}
}

// lengths says how many bytes each envelope adds.
func (e *envelopeView) lengths() *layout.Answer {
	var parts []layout.Text
	var evidence []string
	for _, mode := range e.modes {
		if n, r := e.overhead(mode); r != nil {
			parts = append(parts, say("%s %d", "%s %d", layout.Same(shortName(mode)), n))
			evidence = append(evidence, r.ID)
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return &layout.Answer{Mark: layout.Plain, Evidence: evidence,
		Text: say("Bytes that an envelope adds to a message, in the laboratory's framing (ASN.1 of PKCS #7 or GB/T 35275 would add more): %s.",
			"信封在消息之外增加的字节数（本实验室的封装格式；PKCS #7 或 GB/T 35275 的 ASN.1 编码会更多）：%s。", join(parts))}
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
