package answer

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// primitives lays out what each primitive costs, in time and calls and not in
// bytes a second alone, since most have a part that no byte pays for.
func primitives(v *view) layout.Layout {
	p := &primitivesView{view: v}
	p.sizes = values(v.rows, bytesOf, hasMessage)
	slices.Sort(p.sizes)
	p.at = p.usualSize()
	return layout.Layout{
		Experiment: "primitives",
		Title:      layout.Text{EN: "Primitives: ciphers, hashes, MACs, signatures, keys", ZH: "密码原语：对称密码、杂凑、消息鉴别码、签名与密钥"},
		Question: layout.Text{EN: "What does each primitive cost: a block, a message, a hash, a signature, a new key?",
			ZH: "每种密码原语各要多少代价：一个分组、一条消息、一次杂凑、一次签名、一把新密钥？"},
		Answers:  p.answers(),
		Headline: p.headlineTables(),
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
	*view
	sizes []int64 // of messages, rising
	at    int64   // the size that tables and sentences are at
}

// The mode of a single block, and the operations without a message or with a
// cipher for each, as package experiment names them.
const (
	oneBlock = "block"
	schedule = "schedule"
	newOne   = "new"
	newEach  = "new+encrypt"
)

// hasMessage says whether a row is of a message whose size was chosen.
func hasMessage(r *document.Row) bool { return r.Bytes > 0 && r.Mode != oneBlock }

// hasKeyPair says whether a row works with a key pair: it has no size, and makes
// no cipher.
func hasKeyPair(r *document.Row) bool {
	return r.Bytes == 0 && r.Operation != schedule && r.Operation != newOne
}

// isSetup says whether a row makes a cipher, for itself or for each message.
func isSetup(r *document.Row) bool {
	return r.Operation == schedule || r.Operation == newOne || r.Operation == newEach
}

// usualSize is that of the headline comparisons between messages, else the first.
func (p *primitivesView) usualSize() int64 {
	for _, c := range p.doc.Comparisons {
		if other := p.byID[c.Other]; c.Headline && other != nil && hasMessage(other) {
			return other.Bytes
		}
	}
	if len(p.sizes) > 0 {
		return p.sizes[0]
	}
	return 0
}

// first returns the row of the first library that has a case, at the size that
// the case is looked at.
func (p *primitivesView) first(algorithm, mode, op string) *document.Row {
	for _, r := range p.rows {
		if r.Algorithm == algorithm && r.Mode == mode && r.Operation == op && p.shown(r) {
			return r
		}
	}
	return nil
}

// shown says whether a row is at the size that tables and sentences are at, or
// has no choice of one.
func (p *primitivesView) shown(r *document.Row) bool { return r.Bytes == p.at || !hasMessage(r) }

// primitiveOperation names what is done where it is neither encryption nor decryption.
func primitiveOperation(op string) layout.Text {
	switch op {
	case schedule:
		return layout.Text{EN: "key schedule", ZH: "密钥扩展"}
	case newOne:
		return layout.Text{EN: "constructor", ZH: "构造"}
	case newEach:
		return layout.Text{EN: "new each time", ZH: "每次新建"}
	case "hash":
		return layout.Text{EN: "hashing", ZH: "杂凑"}
	case "mac":
		return layout.Text{EN: "authentication", ZH: "消息鉴别"}
	case "derive":
		return layout.Text{EN: "key derivation", ZH: "密钥派生"}
	case "sign":
		return layout.Text{EN: "signing", ZH: "签名"}
	case "verify":
		return layout.Text{EN: "verification", ZH: "验签"}
	case "agree":
		return layout.Text{EN: "key agreement", ZH: "密钥协商"}
	}
	return layout.Same(op)
}
