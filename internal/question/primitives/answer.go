package primitives

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
)

var Question = answer.Question{Name: "primitives", Narrowing: []string{"--algorithms", "--sizes", "--libraries"},
	Layout: layOut,
	Asks: layout.Text{EN: "What does each primitive cost: a block, a message, a hash, a signature, a new key?",
		ZH: "每种密码原语各要多少代价：一个分组、一条消息、一次杂凑、一次签名、一把新密钥？"}}

// layOut lays out what each primitive costs, in time and calls and not in
// bytes a second alone, since most have a part that no byte pays for.
func layOut(v *answer.View) layout.Layout {
	p := &primitivesView{View: v, sizes: slices.Sorted(slices.Values(answer.Values(v.Rows, answer.BytesOf, hasMessage)))}
	p.at = p.usualSize()
	advised, chosen := p.Chosen(p.advice()...)
	return layout.Layout{
		Line:     answer.FirstSaid(p.line(), advised),
		Title:    layout.Text{EN: "Primitives: ciphers, hashes, MACs, signatures, keys", ZH: "密码原语：对称密码、杂凑（哈希）、消息鉴别码、签名与密钥"},
		Answers:  p.answers(chosen),
		Headline: answer.NonEmpty(p.headline()),
		Tables:   p.tables(),
		Charts:   p.charts(),
		Next: []layout.Next{
			answer.Run("primitives --algorithms SM2,SM3,SM4", "only these", "仅这些算法"),
			answer.Run("primitives", "every size, direction and kernel", "全部长度、方向与实现"),
		},
	}
}

// primitivesView is the view with what all parts of this layout need.
type primitivesView struct {
	*answer.View
	sizes []int64 // of messages, rising
	at    int64   // the size that tables and sentences are at
}

// hasMessage says whether a row is of a message whose size was chosen.
func hasMessage(r *document.Row) bool {
	return r.Bytes > 0 && r.Mode != algorithm.OneBlock && r.Operation != algorithm.Draw
}

// isSetup says whether a row makes a cipher, for itself or for each message.
func isSetup(r *document.Row) bool {
	return r.Operation == algorithm.Schedule || r.Operation == algorithm.New || r.Operation == algorithm.NewEncrypt
}

// usualSize is that of the headline comparisons between messages, else the first.
func (p *primitivesView) usualSize() int64 {
	for _, c := range p.Headlines() {
		if other := p.ByID[c.Other]; hasMessage(other) {
			return other.Bytes
		}
	}
	return append(p.sizes, 0)[0]
}

// first returns the row of the first library that has a case, at the size that
// the case is looked at.
func (p *primitivesView) first(c result.Case) *document.Row {
	return p.First(func(r *document.Row) bool { return p.is(r, c) })
}

// is says whether a row is of a case, at the size that is shown.
func (p *primitivesView) is(r *document.Row, c result.Case) bool {
	return r.Algorithm == c.Algorithm && r.Mode == c.Mode && r.Operation == c.Operation && p.shown(r)
}

// shown says whether a row is at the size that tables and sentences are at, or
// has no choice of one.
func (p *primitivesView) shown(r *document.Row) bool { return r.Bytes == p.at || !hasMessage(r) }

// answers are the sentences, the most useful first.
func (p *primitivesView) answers(chosen []*layout.Answer) []layout.Answer {
	return answer.Said(slices.Concat([]*layout.Answer{
		answer.Short(p.newCipher()),
		answer.Short(p.oneBlock(algorithm.AES128)),
		answer.Short(p.hashes()),
		answer.Short(p.keyPairs()),
		p.Caution(p.brokenHash(), algorithm.BrokenMD5),
		p.oneBlock(algorithm.SM4),
	}, p.otherLibraries(), chosen)...)
}

// advice are the choices among primitives that do the same, in the order of the plan.
func (p *primitivesView) advice() (all []answer.Advice) {
	type job struct {
		kind      algorithm.Kind
		operation string
	}
	ciphers := func(r *document.Row) job {
		kind := algorithm.Of(r.Algorithm).Kind
		if algorithm.Of(r.Algorithm).KeyPair() {
			kind = algorithm.Signature // whatever it is made of
		} else if r.Mode != "" && r.Bytes > 0 || kind == algorithm.KeyStream {
			kind = algorithm.AEAD // a cipher, whether it makes its own tag or not
		}
		return job{kind, r.Operation}
	}
	chosen := p.Select(func(r *document.Row) bool {
		return p.shown(r) && !isSetup(r) && r.Mode != algorithm.OneBlock && r.Operation != algorithm.Draw
	})
	for _, rows := range document.Grouped(chosen, ciphers) {
		what := answer.Operation(rows[0].Operation)
		if hasMessage(rows[0]) {
			what = layout.Say("%s of %s", "%s（%s）", what, answer.SizeText(p.at))
		}
		all = append(all, answer.Advice{Job: what, Rows: rows, Secure: layout.Text{EN: "an authenticated cipher, SHA-256 or SM3", ZH: "认证加密、SHA-256 或 SM3"},
			Name: answer.CipherText})
	}
	return all
}

// line is to reuse ciphers, where that was measured.
func (p *primitivesView) line() *layout.Answer {
	var l answer.Summary
	var first *document.Comparison
	for _, block := range reusable {
		made := p.first(plan.Of(block, algorithm.GCM, algorithm.NewEncrypt))
		c := p.Against(made, p.first(encrypt(block, algorithm.GCM)), 1)
		if c == nil || c.Low == nil {
			continue
		}
		name, lib := who(made)
		pays := answer.Ratio(c, layout.Text{EN: "a new one per message", ZH: "每条消息新建"})
		if first == nil {
			first, l.Mark = c, layout.Choose
			l.Do = layout.Say("Reuse one %s cipher (%s) for messages of %s", "加密 %[3]s 消息请复用同一个 %[1]s 实例（%[2]s）", name, lib, answer.SizeText(p.at))
		} else if number, again := answer.Again(first, c); again {
			pays = layout.Say("%s (%s): %s", "%[2]s 的 %[1]s 为 %[3]s", name, lib, number)
		} else {
			pays = layout.Say("%s (%s): %s", "%[2]s 的 %[1]s %[3]s", name, lib, pays)
		}
		l.Pay(pays, c)
	}
	if first == nil {
		return nil
	}
	return l.Said(first)
}

// compare sets two cases against each other, each in the library that has it first.
func (p *primitivesView) compare(base, other result.Case) *document.Comparison {
	return p.Compare(p.first(base), p.first(other))
}

// who names a row's algorithm with its mode, and its library.
func who(r *document.Row) (name string, library layout.Text) {
	return answer.CaseName(r.Algorithm, r.Mode), answer.Label(r.Who())
}

// in names a row's library in a comparison.
func in(r *document.Row) layout.Text { return layout.Say("in %s", "%s", answer.Label(r.Who())) }

// oneBlock tells a single block from a message through a mode: a speed that was
// measured on the one and is given for the other is wrong by this much.
func (p *primitivesView) oneBlock(cipher string) *layout.Answer {
	block := p.first(encrypt(cipher, algorithm.OneBlock))
	c := p.compare(encrypt(cipher, algorithm.OneBlock), encrypt(cipher, algorithm.CTR))
	took, ok := answer.Nanoseconds(block)
	rate, okRate := answer.Speed(block)
	if c == nil || !ok || !okRate {
		return nil
	}
	mark := layout.Beware
	if c.Verdict == "inconclusive" {
		mark = layout.Unclear
	}
	return &layout.Answer{Mark: mark, Evidence: answer.Evidence(c), Text: layout.Say(
		"Do not estimate messages from single %[1]s blocks: one block takes %[3]s in %[2]s (%[4]s); "+
			"per byte, a message of %[5]s in CTR %[6]s.",
		"不要用单个 %[1]s 分组的速率估算消息：%[2]s 加密一个分组耗时 %[3]s（折合 %[4]s）；按字节计，CTR 加密 %[5]s 消息%[6]s。",
		cipher, answer.Label(block.Who()), layout.FormatTime(took), layout.FormatRate(rate), answer.SizeText(p.at),
		answer.Versus(c, layout.Text{EN: "single blocks", ZH: "逐个分组"}))}
}

// newCipher says what it costs to make a cipher for each message: times, and what a call allocates.
func (p *primitivesView) newCipher() *layout.Answer {
	var said answer.Clauses
	mark := layout.Choose
	for _, block := range reusable {
		c := p.compare(encrypt(block, algorithm.GCM), plan.Of(block, algorithm.GCM, algorithm.NewEncrypt))
		if c == nil {
			continue
		}
		name, lib := who(p.ByID[c.Base])
		said.Tell(p.KeptOrNew(layout.Say("%s in %s", "%[2]s 的 %[1]s", name, lib), c), c)
		if c.Verdict != "slower" {
			mark = answer.MarkOf(c)
		}
	}
	en, zh := "Keep one cipher for all messages, do not create one for each (%s): %s.", "请复用 cipher 实例，不要每条消息新建（%s 消息）：%s。"
	if mark != layout.Choose {
		en, zh = "One cipher kept for all messages, or a new one for each (%s): %s.", "复用 cipher 实例，或每条消息新建（%s 消息）：%s。"
	}
	return said.Sentence(mark, en, zh, answer.SizeText(p.at), answer.Semicolons(said.Parts))
}

// reusable are the ciphers of which it is asked whether to keep one.
var reusable = []string{algorithm.AES128, algorithm.SM4}

// hashes sets SM3 against SHA-256 and the libraries' SM3 against each other.
func (p *primitivesView) hashes() *layout.Answer {
	sm3 := p.first(alone(algorithm.SM3, algorithm.Hash))
	var said answer.Clauses
	add := func(c *document.Comparison, name string, than layout.Text) {
		if c != nil {
			said.Tell(layout.Say("SM3 in %s %s", "%s 的 SM3 %s", answer.Label(name), answer.Versus(c, than)), c)
		}
	}
	if c := p.Compare(p.first(alone(algorithm.SHA256, algorithm.Hash)), sm3); c != nil {
		add(c, sm3.Who(), layout.Text{EN: "SHA-256 in Go's standard library", ZH: "Go 标准库 SHA-256"})
	}
	for _, r := range p.others(sm3) {
		add(p.Compare(sm3, r), p.Name(r), in(sm3))
	}
	return said.Sentence(layout.Plain, "Hashing %s: %s.", "杂凑 %s 消息：%s。", answer.SizeText(p.at), said.Join())
}

// others are the rows of the same case as a row's in other libraries.
func (p *primitivesView) others(r *document.Row) []*document.Row {
	return p.Select(func(o *document.Row) bool {
		return r != nil && o.Who() != r.Who() && o.Case() == r.Case()
	})
}

// keyPairs sets RSA's two sides against each other, and SM2 against RSA.
func (p *primitivesView) keyPairs() *layout.Answer {
	sign, verify := rsa(algorithm.PKCS1v15Sign, algorithm.Sign), rsa(algorithm.PKCS1v15Sign, algorithm.Verify)
	sm2Sign := alone(algorithm.SM2, algorithm.Sign)
	var said answer.Clauses
	add := func(base, other result.Case, en, zh string, than layout.Text) {
		if c := p.compare(base, other); c != nil {
			said.Tell(layout.Say(en, zh, answer.Versus(c, than)), c)
		}
	}
	add(sign, verify, "RSA-2048 verification %s", "RSA-2048 验签%s", layout.Text{EN: "signing", ZH: "签名"})
	add(sign, sm2Sign, "SM2 signing %s", "SM2 签名%s", layout.Text{EN: "RSA-2048 signing", ZH: "RSA-2048 签名"})
	add(verify, alone(algorithm.SM2, algorithm.Verify), "SM2 verification %s", "SM2 验签%s",
		layout.Text{EN: "RSA-2048 verification", ZH: "RSA-2048 验签"})
	var libraries []layout.Text
	for _, c := range []result.Case{sign, sm2Sign} {
		if r := p.first(c); r != nil {
			libraries = append(libraries, layout.Say("%s in %s", "%[2]s 的 %[1]s", r.Algorithm, answer.Label(r.Who())))
		}
	}
	return said.Sentence(layout.Plain, "Signatures (%s): %s.", "签名（%s）：%s。", answer.Join(libraries), said.Join())
}

// brokenHash warns of MD5, with what SHA-256 costs beside it.
func (p *primitivesView) brokenHash() *layout.Answer {
	c := p.compare(alone(algorithm.SHA256, algorithm.Hash), alone(algorithm.MD5, algorithm.Hash))
	if c == nil {
		return nil
	}
	why := layout.Text{}
	if c.Verdict == "slower" || c.Verdict == "same" {
		why = layout.Text{EN: "; on this CPU speed is no reason to use it either", ZH: "；在这个 CPU 上，速度也不是用 MD5 的理由"}
	}
	return &layout.Answer{Mark: layout.Stop, Evidence: answer.Evidence(c), Text: layout.Say(
		"Do not use MD5 where an attacker could gain from a collision: one takes seconds to make. Hashing %s, MD5 %s%s.",
		"凡可能有人蓄意构造碰撞的场合，不要用 MD5：碰撞数秒即可构造。杂凑 %s 消息时 MD5 %s%s。",
		answer.SizeText(p.at), answer.Versus(c, layout.Same(algorithm.SHA256)), why)}
}

// otherLibraries sets the libraries' SM2 against the first one's.
func (p *primitivesView) otherLibraries() (out []*layout.Answer) {
	for _, r := range p.others(p.first(alone(algorithm.SM2, algorithm.Sign))) {
		var said answer.Clauses
		for _, op := range signing {
			base := p.first(alone(algorithm.SM2, op))
			for _, other := range p.others(base) {
				if c := p.Compare(base, other); c != nil && other.Who() == r.Who() {
					said.Tell(layout.Say("%s %s", "%s%s", answer.Operation(op), answer.Versus(c, in(base))), c)
				}
			}
		}
		out = append(out, said.Sentence(layout.Plain, "SM2 in %s: %s.", "%s 的 SM2：%s。", answer.Label(r.Who()), said.Join()))
	}
	return out
}
