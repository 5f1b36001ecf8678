package messages

import (
	"slices"
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// Question is what the reports need to know of the question.
var Question = answer.Question{Name: "messages", Narrowing: []string{"--algorithms", "--sizes", "--libraries"}, Layout: layOut,
	Asks: layout.Text{EN: "Which AEAD for small messages, at which size, with AES instructions and without?",
		ZH: "小报文选哪种认证加密？不同长度、有无 AES 指令时各是什么？"}}

// layOut lays out which AEAD seals and opens small messages fastest, at which
// size, with the CPU's AES instructions and without them.
func layOut(v *answer.View) layout.Layout {
	m := &messagesView{View: v}
	m.sizes = answer.Values(v.Rows, answer.BytesOf, answer.PlainOperation)
	slices.Sort(m.sizes)
	m.heads = m.headlineSizes()
	return layout.Layout{
		Experiment: "messages",
		Title:      layout.Text{EN: "Authenticated encryption of small messages", ZH: "小消息的认证加密（AEAD）"},
		Answers:    m.answers(),
		Headline:   m.headlineTables(),
		Tables:     m.tables(),
		Charts:     m.charts(),
		Next: []layout.Next{
			{Command: "cryptogauge run messages --sizes @sizes.csv", Why: layout.Text{EN: "your own traffic: CSV with the columns bytes,weight", ZH: "您的实际流量：含 bytes,weight 两列的 CSV"}},
			{Command: "cryptogauge run messages", Why: layout.Text{EN: "every size, cipher and library, and where they cross", ZH: "全部长度、算法与密码库，以及快慢交叉点"}},
		},
	}
}

// messagesView is the view with what all parts of this layout need.
type messagesView struct {
	*answer.View
	sizes []int64 // measured, rising; of a mix, the bytes of all its messages
	heads []int64 // those with a headline comparison, rising
}

func isWithoutAES(r *document.Row) bool { return r.Environment == WithoutAES }

// replayed is how many messages one call of a row takes: 1, but for a mix.
func replayed(r *document.Row) int {
	n, err := strconv.Atoi(result.Case{Parameters: r.Parameters}.Parameter("messages"))
	if err != nil || n < 1 {
		return 1
	}
	return n
}

// aMessage names one of a row's messages in a sentence.
func aMessage(r *document.Row) layout.Text {
	if answer.IsMix(r) {
		return layout.Text{EN: "your mix of messages", ZH: "您的消息"}
	}
	return layout.Same(answer.SizeText(r.Bytes))
}

func (m *messagesView) mixed() bool { return slices.ContainsFunc(m.Rows, answer.IsMix) }

func (m *messagesView) headlineSizes() []int64 {
	var at []int64
	for _, c := range m.Doc.Comparisons {
		if r := m.ByID[c.Base]; c.Headline && r != nil && !slices.Contains(at, r.Bytes) {
			at = append(at, r.Bytes)
		}
	}
	if len(at) == 0 {
		at = m.sizes[:min(2, len(m.sizes))]
	}
	slices.Sort(at)
	return at
}

// choice is a cipher of a library, with AES instructions or without.
type choice struct {
	library, algorithm, mode string
	withoutAES               bool
}

// The contenders of the sentences.
var (
	chacha     = choice{"xcrypto", algorithm.ChaCha20Poly1305, "", false}
	aes128     = choice{"go", algorithm.AES128, algorithm.GCM, false}
	aes128Soft = choice{"go", algorithm.AES128, algorithm.GCM, true}
	aes256     = choice{"go", algorithm.AES256, algorithm.GCM, false}
	aes256Soft = choice{"go", algorithm.AES256, algorithm.GCM, true}
	sm4GCM     = choice{"gmsm", algorithm.SM4, algorithm.GCM, false}
	sm4GCMSoft = choice{"gmsm", algorithm.SM4, algorithm.GCM, true}
	sm4CBC     = choice{"gmsm", algorithm.SM4, algorithm.CBCHMACSM3, false}
)

// of names a contender: "SM4-GCM (gmsm)".
func (c choice) of() layout.Text { return named(c.library, c.algorithm, c.mode, false) }

// named names a library's cipher, and says what there is to say of it.
func named(library, algorithm, mode string, withoutAES bool) layout.Text {
	of := layout.Same(library)
	if answer.IsNew(library) {
		of = layout.Text{EN: of.EN + ", new", ZH: of.ZH + "，新"}
	}
	if withoutAES {
		of = layout.Text{EN: of.EN + ", without AES instructions", ZH: of.ZH + "，无 AES 指令"}
	}
	return layout.Say("%s (%s)", "%s（%s）", answer.CaseName(algorithm, mode), of)
}

// rowOf is the first row of a contender, which is the kernel that the library
// runs by itself.
func (m *messagesView) rowOf(c choice, op string, bytes int64) *document.Row {
	for _, r := range m.Rows {
		if r.Who() == c.library && r.Algorithm == c.algorithm && r.Mode == c.mode && r.Operation == op && r.Bytes == bytes && isWithoutAES(r) == c.withoutAES {
			return r
		}
	}
	return nil
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
	if isWithoutAES(r) {
		return answer.No
	}
	for _, twin := range m.Rows {
		if isWithoutAES(twin) && twin.Who() == r.Who() && twin.Algorithm == r.Algorithm && twin.Mode == r.Mode &&
			twin.Operation == r.Operation && twin.Bytes == r.Bytes && twin.Implementation != r.Implementation {
			return answer.Yes
		}
	}
	return layout.Same("–")
}

// direction names an operation of an AEAD.
func direction(op string) layout.Text {
	if op == algorithm.Decrypt {
		return layout.Text{EN: "opening", ZH: "解密"}
	}
	return layout.Text{EN: "sealing", ZH: "加密"}
}
