package primitives

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// Question is what the reports need to know of the question.
var Question = answer.Question{Name: "primitives", Narrowing: []string{"--algorithms", "--sizes", "--libraries"},
	Layout: layOut,
	Asks: layout.Text{EN: "What does each primitive cost: a block, a message, a hash, a signature, a new key?",
		ZH: "每种密码原语各要多少代价：一个分组、一条消息、一次杂凑、一次签名、一把新密钥？"}}

// layOut lays out what each primitive costs, in time and calls and not in
// bytes a second alone, since most have a part that no byte pays for.
func layOut(v *answer.View) layout.Layout {
	p := &primitivesView{View: v}
	p.sizes = answer.Values(v.Rows, answer.BytesOf, hasMessage)
	slices.Sort(p.sizes)
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
			{Command: "cryptogauge run primitives --algorithms SM2,SM3,SM4", Why: layout.Text{EN: "only these", ZH: "仅这些算法"}},
			{Command: "cryptogauge run primitives", Why: layout.Text{EN: "every size, direction and kernel", ZH: "全部长度、方向与实现"}},
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

// worksWithKeyPair says whether a row works with a key pair: it has no size, and makes
// no cipher.
func worksWithKeyPair(r *document.Row) bool {
	return r.Bytes == 0 && r.Operation != algorithm.Schedule && r.Operation != algorithm.New
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
