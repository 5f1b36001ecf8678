package messages

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
)

// Question is what the reports need to know of the question.
var Question = answer.Question{Name: "messages", Narrowing: []string{"--algorithms", "--sizes", "--libraries"},
	Layout: layOut,
	Asks: layout.Text{EN: "Which AEAD for small messages, at which size, with AES instructions and without?",
		ZH: "小消息该选哪种认证加密？不同长度、有无 AES 指令时分别选哪种？"}}

// layOut lays out which AEAD seals and opens small messages fastest, at which
// size, with the CPU's AES instructions and without them.
func layOut(v *answer.View) layout.Layout {
	m := &messagesView{View: v}
	m.sizes = answer.Values(v.Rows, answer.BytesOf, answer.PlainOperation)
	slices.Sort(m.sizes)
	m.heads = m.headlineSizes()
	line, chosen := m.Chosen(m.advice())
	return layout.Layout{
		Line:     answer.FirstSaid(line),
		Title:    layout.Text{EN: "Authenticated encryption of small messages", ZH: "小消息的认证加密（AEAD）"},
		Answers:  m.answers(chosen),
		Headline: answer.NonEmpty(m.headline()),
		Tables:   m.tables(),
		Charts:   m.charts(),
		Next: []layout.Next{
			{Command: "cryptogauge run messages --sizes @sizes.csv",
				Why: layout.Text{EN: "your own traffic: CSV with the columns bytes,weight", ZH: "你的实际流量：含 bytes,weight 两列的 CSV"}},
			{Command: "cryptogauge run messages",
				Why: layout.Text{EN: "every size, cipher and library, and where they cross", ZH: "全部长度、算法与密码库，以及快慢交叉点"}},
		},
	}
}

// messagesView is the view with what all parts of this layout need.
type messagesView struct {
	*answer.View
	sizes []int64 // measured, rising; of a mix, the bytes of all its messages
	heads []int64 // those with a headline comparison, rising
}

func isWithoutAES(r *document.Row) bool { return r.Environment == parameter.WithoutAES }

// replayed is how many messages one call of a row takes: 1, but for a mix.
func replayed(r *document.Row) int64 { return max(parameter.Messages.In(r.Parameters), 1) }

// aMessage names one of a row's messages in a sentence.
func aMessage(r *document.Row) layout.Text {
	if answer.IsMix(r) {
		return layout.Text{EN: "your mix of messages", ZH: "你的消息"}
	}
	return layout.Same(answer.SizeText(r.Bytes))
}

func (m *messagesView) mixed() bool { return slices.ContainsFunc(m.Rows, answer.IsMix) }

func (m *messagesView) headlineSizes() []int64 {
	at := m.SizesOfHeadlines()
	if len(at) == 0 {
		at = m.sizes[:min(2, len(m.sizes))]
	}
	slices.Sort(at)
	return at
}

// of names a contender: "SM4-GCM (gmsm)".
func (c choice) of() layout.Text {
	c.withoutAES = false
	return c.said()
}

// said names a contender, and that it runs without AES instructions.
func (c choice) said() layout.Text {
	of := layout.Same(c.library)
	if answer.IsNew(c.library) {
		of = layout.Text{EN: of.EN + ", new", ZH: of.ZH + "，新"}
	}
	if c.withoutAES {
		of = layout.Text{EN: of.EN + ", without AES instructions", ZH: of.ZH + "，无 AES 指令"}
	}
	return layout.Say("%s (%s)", "%s（%s）", answer.CaseName(c.algorithm, c.mode), of)
}

// rowOf is the first row of a contender, which is the kernel that the library
// runs by itself.
func (m *messagesView) rowOf(c choice, op string, bytes int64) *document.Row {
	return m.First(func(r *document.Row) bool {
		return r.Bytes == bytes && c.is(r.Who(), r.Environment, plan.Of(r.Algorithm, r.Mode, r.Operation), op)
	})
}

// accelerated says whether a library ran AES instructions in any row that has a
// twin without them: the twins' kernels differ then.
func (m *messagesView) accelerated() bool {
	return slices.ContainsFunc(m.Rows, func(r *document.Row) bool { return m.usesAES(r) == answer.Yes })
}

// usesAES says whether a row ran AES instructions: no where the environment turned
// them off, yes where the same without them runs another kernel, and nothing where
// there is no such twin, or it is the same.
func (m *messagesView) usesAES(r *document.Row) layout.Text {
	switch {
	case isWithoutAES(r):
		return answer.No
	case slices.ContainsFunc(m.Rows,
		func(o *document.Row) bool { return twins(r, o) && o.Implementation != r.Implementation }):
		return answer.Yes
	}
	return layout.Same("–")
}

// twins says whether two rows are the same with AES instructions and without them.
func twins(with, without *document.Row) bool {
	return !isWithoutAES(with) && isWithoutAES(without) && with.Who() == without.Who() &&
		with.Algorithm == without.Algorithm &&
		with.Mode == without.Mode && with.Operation == without.Operation && with.Bytes == without.Bytes &&
		with.Parameters == without.Parameters
}

// direction names an operation of an AEAD.
func direction(op string) layout.Text {
	if op == algorithm.Decrypt {
		return layout.Text{EN: "opening", ZH: "解密"}
	}
	return layout.Text{EN: "sealing", ZH: "加密"}
}
