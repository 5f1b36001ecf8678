package primitives

import (
	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// answers are the sentences, the most useful first.
func (p *primitivesView) answers() []layout.Answer {
	var out []layout.Answer
	add := func(a *layout.Answer) {
		if a != nil {
			a.Experiment = p.Experiment
			out = append(out, *a)
		}
	}
	add(p.oneBlock(algorithm.AES128, inShort))
	add(p.newCipher(algorithm.AES128, inShort))
	add(p.hashes())
	add(p.keyPairs())
	add(p.brokenHash())
	add(p.oneBlock(algorithm.SM4, notInShort))
	add(p.newCipher(algorithm.SM4, notInShort))
	add(p.ciphers(algorithm.SM4, algorithm.GCM))
	add(p.ciphers(algorithm.ChaCha20Poly1305, ""))
	for _, a := range p.otherLibraries() {
		add(&a)
	}
	return out
}

// Whether a sentence belongs on the quick screen.
const (
	inShort    = true
	notInShort = false
)

// who names a row's algorithm with its mode, and its library.
func who(r *document.Row) (name, library layout.Text) {
	return layout.Same(answer.CaseName(r.Algorithm, r.Mode)), answer.Label(r.Who())
}

// timeOf is a row's time per operation in words; ok is false where it shows none.
func timeOf(r *document.Row) (layout.Text, bool) {
	if _, ok := perSecond(r); !ok {
		return layout.Text{}, false
	}
	return layout.Same(layout.FormatTime(r.NsPerOp.Median)), true
}

// oneBlock tells a single block from a message through a mode: a speed that was
// measured on the one and is given for the other is wrong by this much.
func (p *primitivesView) oneBlock(cipher string, short bool) *layout.Answer {
	base, other := p.first(cipher, algorithm.OneBlock, algorithm.Encrypt), p.first(cipher, algorithm.CTR, algorithm.Encrypt)
	c := p.Compare(base, other)
	if c == nil {
		return nil
	}
	took, ok := timeOf(base)
	rate, okRate := answer.Speed(base)
	if !ok || !okRate {
		return nil
	}
	a := &layout.Answer{Mark: layout.Beware, Short: short, Evidence: []string{c.ID, base.ID, other.ID}}
	if c.Verdict == "inconclusive" {
		a.Mark = layout.Unclear
	}
	_, lib := who(base)
	a.Text = layout.Say("Do not estimate messages from single %[1]s blocks: one block takes %[3]s in %[2]s (%[4]s); per byte, a message of %[5]s in CTR %[6]s.",
		"不要用单个 %[1]s 分组的速率估算消息：%[2]s 加密一个分组耗时 %[3]s（折合 %[4]s）；按字节计，CTR 加密 %[5]s 消息%[6]s。",
		layout.Same(cipher), lib, took, layout.Same(layout.FormatRate(rate)), layout.Same(answer.SizeText(p.at)),
		answer.Versus(c, layout.Text{EN: "single blocks", ZH: "逐个分组"}))
	return a
}

// newCipher says what it costs to make a cipher for each message.
func (p *primitivesView) newCipher(block string, short bool) *layout.Answer {
	base, other := p.first(block, algorithm.GCM, algorithm.Encrypt), p.first(block, algorithm.GCM, algorithm.NewEncrypt)
	c := p.Compare(base, other)
	if c == nil {
		return nil
	}
	name, lib := who(base)
	kept := layout.Text{EN: "with a reused cipher", ZH: "复用实例"}
	evidence := []string{c.ID, base.ID, other.ID}
	if c.Verdict != "slower" {
		return &layout.Answer{Mark: answer.MarkOf(c), Short: short, Evidence: evidence,
			Text: layout.Say("%s in %s: a message of %s with a new cipher %s.", "%[2]s 的 %[1]s：每条 %[3]s 消息新建 cipher 实例%[4]s。",
				name, lib, layout.Same(answer.SizeText(p.at)), answer.Versus(c, kept))}
	}
	return &layout.Answer{Mark: layout.Choose, Short: short, Evidence: evidence,
		Text: layout.Say("Reuse the cipher, do not create one per message: for messages of %[4]s, %[1]s in %[2]s with a new cipher per message %[3]s.",
			"请复用 cipher 实例，不要每条消息新建：%[4]s 消息，%[2]s 的 %[1]s 每条消息新建实例%[3]s。",
			name, lib, answer.Versus(c, kept), layout.Same(answer.SizeText(p.at)))}
}

// hashes sets SM3 against SHA-256 and the libraries' SM3 against each other.
func (p *primitivesView) hashes() *layout.Answer {
	sha, sm3 := p.first(algorithm.SHA256, "", algorithm.Hash), p.first(algorithm.SM3, "", algorithm.Hash)
	var parts []layout.Text
	var evidence []string
	if c := p.Compare(sha, sm3); c != nil {
		parts = append(parts, layout.Say("SM3 in %s %s", "%s 的 SM3 %s", answer.Label(sm3.Who()), answer.Versus(c, layout.Text{EN: "SHA-256 in Go's standard library", ZH: "Go 标准库 SHA-256"})))
		evidence = append(evidence, c.ID, sha.ID, sm3.ID)
	}
	for _, r := range p.others(sm3) {
		if c := p.Compare(sm3, r); c != nil {
			parts = append(parts, layout.Say("SM3 in %s %s", "%s 的 SM3 %s", answer.Label(p.Name(r)),
				answer.Versus(c, layout.Say("in %s", "%s", answer.Label(sm3.Who())))))
			evidence = append(evidence, c.ID, r.ID)
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return &layout.Answer{Mark: layout.Plain, Short: true, Evidence: evidence,
		Text: layout.Say("Hashing %s: %s.", "杂凑 %s 消息：%s。", layout.Same(answer.SizeText(p.at)), answer.Join(parts))}
}

// others are the rows of the same case as a row's in other libraries.
func (p *primitivesView) others(r *document.Row) (out []*document.Row) {
	if r == nil {
		return nil
	}
	for _, o := range p.Rows {
		if o.Who() != r.Who() && o.Algorithm == r.Algorithm && o.Mode == r.Mode && o.Operation == r.Operation && o.Bytes == r.Bytes {
			out = append(out, o)
		}
	}
	return out
}

const rsaSignature = algorithm.PKCS1v15Sign

// keyPairs sets RSA's two sides against each other, and SM2 against RSA.
func (p *primitivesView) keyPairs() *layout.Answer {
	rsa := func(op string) *document.Row { return p.first(algorithm.RSA2048, rsaSignature, op) }
	sm2 := func(op string) *document.Row { return p.first(algorithm.SM2, "", op) }
	var parts []layout.Text
	var evidence []string
	add := func(base, other *document.Row, en, zh string, than layout.Text) {
		if c := p.Compare(base, other); c != nil {
			parts = append(parts, layout.Say(en, zh, answer.Versus(c, than)))
			evidence = append(evidence, c.ID, base.ID, other.ID)
		}
	}
	add(rsa(algorithm.Sign), rsa(algorithm.Verify), "RSA-2048 verification %s", "RSA-2048 验签%s", layout.Text{EN: "signing", ZH: "签名"})
	add(rsa(algorithm.Sign), sm2(algorithm.Sign), "SM2 signing %s", "SM2 签名%s", layout.Text{EN: "RSA-2048 signing", ZH: "RSA-2048 签名"})
	add(rsa(algorithm.Verify), sm2(algorithm.Verify), "SM2 verification %s", "SM2 验签%s", layout.Text{EN: "RSA-2048 verification", ZH: "RSA-2048 验签"})
	if len(parts) == 0 {
		return nil
	}
	return &layout.Answer{Mark: layout.Plain, Short: true, Evidence: evidence,
		Text: layout.Say("Signatures (%s): %s.", "签名（%s）：%s。", answer.Join(where(rsa(algorithm.Sign), sm2(algorithm.Sign))), answer.Join(parts))}
}

// where names the libraries that rows are of, each with what it computed.
func where(rows ...*document.Row) (out []layout.Text) {
	for _, r := range rows {
		if r != nil {
			out = append(out, layout.Say("%s in %s", "%[2]s 的 %[1]s", layout.Same(r.Algorithm), answer.Label(r.Who())))
		}
	}
	return out
}

// brokenHash warns of MD5, with what SHA-256 costs beside it.
func (p *primitivesView) brokenHash() *layout.Answer {
	sha, md5 := p.first(algorithm.SHA256, "", algorithm.Hash), p.first(algorithm.MD5, "", algorithm.Hash)
	c := p.Compare(sha, md5)
	if c == nil {
		return nil
	}
	why := layout.Text{EN: "", ZH: ""}
	if c.Verdict == "slower" || c.Verdict == "same" {
		why = layout.Text{EN: "; speed is no reason to use it either", ZH: "；速度上也没有用 MD5 的理由"}
	}
	return &layout.Answer{Mark: layout.Stop, Evidence: []string{c.ID, sha.ID, md5.ID},
		Text: layout.Say("Do not use MD5 where an attacker could gain from a collision: one takes seconds to make. Hashing %s, MD5 %s%s.",
			"凡可能有人蓄意构造碰撞的场合，不要用 MD5：碰撞数秒即可构造。杂凑 %s 消息时 MD5 %s%s。",
			layout.Same(answer.SizeText(p.at)), answer.Versus(c, layout.Same(algorithm.SHA256)), why)}
}

// ciphers sets an authenticated cipher against AES-128-GCM.
func (p *primitivesView) ciphers(called, mode string) *layout.Answer {
	base, other := p.first(algorithm.AES128, algorithm.GCM, algorithm.Encrypt), p.first(called, mode, algorithm.Encrypt)
	c := p.Compare(base, other)
	if c == nil {
		return nil
	}
	name, lib := who(other)
	return &layout.Answer{Mark: answer.MarkOf(c), Evidence: []string{c.ID, base.ID, other.ID},
		Text: layout.Say("%s in %s, sealing %s, %s.", "%[2]s 的 %[1]s 加密 %[3]s 消息%[4]s。", name, lib, layout.Same(answer.SizeText(p.at)),
			answer.Versus(c, layout.Text{EN: "AES-128-GCM in Go's standard library", ZH: "Go 标准库 AES-128-GCM"}))}
}

// otherLibraries sets the libraries' SM2 against the first one's.
func (p *primitivesView) otherLibraries() (out []layout.Answer) {
	for _, r := range p.others(p.first(algorithm.SM2, "", algorithm.Sign)) {
		var parts []layout.Text
		var evidence []string
		var first layout.Text
		for _, op := range []string{algorithm.Sign, algorithm.Verify} {
			base := p.first(algorithm.SM2, "", op)
			for _, other := range p.others(base) {
				if c := p.Compare(base, other); c != nil && other.Who() == r.Who() {
					first = layout.Say("in %s", "%s", answer.Label(base.Who()))
					parts = append(parts, layout.Say("%s %s", "%s%s", answer.Operation(op), answer.Versus(c, first)))
					evidence = append(evidence, c.ID, base.ID, other.ID)
				}
			}
		}
		if len(parts) > 0 {
			out = append(out, layout.Answer{Mark: layout.Plain, Evidence: evidence,
				Text: layout.Say("SM2 in %s: %s.", "%s 的 SM2：%s。", answer.Label(r.Who()), answer.Join(parts))})
		}
	}
	return out
}
