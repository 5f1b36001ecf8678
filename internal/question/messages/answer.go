package messages

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

var Question = answer.Question{Name: "messages", Narrowing: []string{"--algorithms", "--sizes", "--libraries"},
	Layout: layOut,
	Asks: layout.Text{EN: "Which AEAD for small messages, at which size, with AES instructions and without?",
		ZH: "小消息该选哪种认证加密？不同长度、有无 AES 指令时分别选哪种？"}}

// layOut lays out which AEAD seals and opens small messages fastest, at which
// size, with the CPU's AES instructions and without them.
func layOut(v *answer.View) layout.Layout {
	m := &messagesView{View: v}
	m.sizes = slices.Sorted(slices.Values(answer.Values(v.Rows, answer.BytesOf, answer.PlainOperation)))
	m.heads = slices.Sorted(slices.Values(m.SizesOfHeadlines()))
	if len(m.heads) == 0 {
		m.heads = m.sizes[:min(2, len(m.sizes))]
	}
	line, chosen := m.Chosen(m.advice())
	return layout.Layout{
		Line:  answer.FirstSaid(line),
		Title: layout.Text{EN: "Authenticated encryption of small messages", ZH: "小消息的认证加密（AEAD）"},
		Answers: answer.Said(slices.Concat([]*layout.Answer{answer.Short(m.unaccelerated())},
			m.choices(algorithm.Encrypt), chosen, m.traffic(), m.crossovers(), m.choices(algorithm.Decrypt),
			[]*layout.Answer{m.nonces(), m.newKeys(), m.fixedCosts()})...),
		Headline: answer.NonEmpty(m.headline()),
		Tables:   m.tables(),
		Charts:   m.charts(),
		Next: []layout.Next{
			answer.Run("messages --sizes @sizes.csv",
				"your own traffic: CSV with the columns bytes,weight", "你的实际流量：含 bytes,weight 两列的 CSV"),
			answer.Run("messages", "every size, cipher and library, and where they cross", "全部长度、算法与密码库，以及快慢交叉点"),
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

func aMessage(r *document.Row) layout.Text {
	if answer.IsMix(r) {
		return layout.Text{EN: "your mix of messages", ZH: "你的消息"}
	}
	return layout.Same(answer.SizeText(r.Bytes))
}

func (m *messagesView) mixed() bool { return slices.ContainsFunc(m.Rows, answer.IsMix) }

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
	return m.First(func(r *document.Row) bool { return choiceOf(r) == c && r.Operation == op && r.Bytes == bytes })
}

func choiceOf(r *document.Row) choice { return choice{r.Who(), r.Algorithm, r.Mode, isWithoutAES(r)} }

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
	return !isWithoutAES(with) && isWithoutAES(without) && with.Who() == without.Who() && with.Case() == without.Case()
}

// advice is what to choose for the first headline size, as the program ran.
func (m *messagesView) advice() answer.Advice {
	rows := m.Select(func(r *document.Row) bool {
		return r.Environment == "" && r.Operation == m.main() && len(m.heads) > 0 && r.Bytes == m.heads[0]
	})
	a := answer.Advice{Rows: rows, Secure: answer.Authenticated, Costs: m.costs, Name: answer.CipherText,
		Usual: func(r *document.Row) bool { return r.Algorithm == algorithm.ChaCha20Poly1305 }}
	switch {
	case len(rows) == 0:
	case answer.IsMix(rows[0]):
		a.Job = layout.Say("%s %s", "%s%s", answer.Direction(m.main()), aMessage(rows[0]))
	default:
		a.Job = layout.Say("%s %s", "%s %s 消息", answer.Direction(m.main()), aMessage(rows[0]))
	}
	return a
}

// costs is what AES loses without its instructions, else what who uses a cipher has to see to.
func (m *messagesView) costs(best *document.Row) layout.Text {
	if best.Algorithm == algorithm.AES128 && !isWithoutAES(best) {
		soft := m.Against(m.rowOf(aes128Soft, best.Operation, best.Bytes), m.rowOf(chacha, best.Operation, best.Bytes), 1)
		if answer.Decided(soft, "faster") {
			return layout.Say("without AES instructions AES takes %s as long as ChaCha20", "没有 AES 指令时，ChaCha20-Poly1305 的速度是 AES-128-GCM 的 %s",
				answer.Times(soft))
		}
	}
	return layout.Text{EN: "a nonce must never repeat", ZH: "nonce 不可重复"}
}

// main is the direction that the short answers are of: sealing, where measured.
func (m *messagesView) main() string {
	if len(m.lines(algorithm.Encrypt)) == 0 {
		return algorithm.Decrypt
	}
	return algorithm.Encrypt
}

// choices are what to choose, and what it costs, in one direction.
func (m *messagesView) choices(op string) []*layout.Answer {
	with := layout.Text{EN: "With AES instructions", ZH: "有 AES 指令时"}
	without := layout.Text{EN: "Without AES instructions", ZH: "没有 AES 指令时"}
	accelerated := m.accelerated()
	if !accelerated {
		with = layout.Text{EN: "As this program ran", ZH: "就本次运行而言"}
	}
	first := []*layout.Answer{m.choose(with, chacha, aes128, op)}
	if accelerated {
		first = append(first, m.choose(without, aes128Soft, chacha, op))
	}
	first = append(first, m.choose(layout.Text{EN: "For SM4", ZH: "使用 SM4 时"}, sm4CBC, sm4GCM, op),
		m.against(aes128, sm4GCM, op))
	if op == m.main() {
		answer.FirstShort(len(first), first)
	}
	all := append(first, m.against(chacha, aes256, op))
	if accelerated {
		all = append(all, m.against(aes256Soft, chacha, op), m.against(aes128Soft, sm4GCMSoft, op),
			m.worth(aes128Soft, aes128, op), m.worth(sm4GCMSoft, sm4GCM, op))
	}
	return append(all, m.against(sm4GCM, sm4GCM.by(subject.Tjfoc), op), m.against(sm4GCM, sm4GCM.by(subject.Engine), op),
		m.against(sm4CCM, sm4GCM, op), m.against(aesCCM, aes128.by(subject.Engine), op))
}

// unaccelerated says that the rows that should have used AES instructions did not.
// Where a kernel is not known, nothing is.
func (m *messagesView) unaccelerated() *layout.Answer {
	without := m.Select(func(r *document.Row) bool { return isWithoutAES(r) && r.Status == result.OK })
	unknown := func(r *document.Row) bool { return r.Implementation == "unknown" }
	if len(without) == 0 || m.accelerated() || slices.ContainsFunc(m.Rows, unknown) {
		return nil
	}
	return &layout.Answer{Mark: layout.Beware, Evidence: answer.IDs(without),
		Text: layout.Say("No library used AES instructions here: the CPU has none, or GODEBUG or the build turned them off. "+
			"Rows with and without them run the same kernels.",
			"本次没有任何库使用 AES 指令：CPU 不支持，或已被 GODEBUG 或构建选项关闭。有无 AES 指令的结果行运行的是同一实现。")}
}

// at are the headline sizes at which two contenders were compared with an interval.
func (m *messagesView) at(base, other choice, op string) (cs []*document.Comparison) {
	for _, size := range m.heads {
		if c := m.Compare(m.rowOf(base, op, size), m.rowOf(other, op, size)); c != nil && c.Headline {
			cs = append(cs, c)
		}
	}
	return cs
}

// over words comparisons over the sizes: "for 64 B sealing is 1.6 times as fast
// as …, for 1350 B 1.8 times".
func (m *messagesView) over(cs []*document.Comparison, op string, than layout.Text) layout.Text {
	var parts []layout.Text
	for i, c := range cs {
		size := aMessage(m.ByID[c.Base])
		part := layout.Say("for %[2]s %[1]s %[3]s", "%s %s 时%s", answer.Direction(op), size, answer.Versus(c, than))
		if number, ok := answer.Again(cs[0], c); ok && i > 0 {
			part = layout.Say("for %s %s", "%s 时为 %s", size, number)
		}
		parts = append(parts, part)
	}
	return answer.Join(parts)
}

// choose recommends the contender that is faster at every headline size.
func (m *messagesView) choose(when layout.Text, base, other choice, op string) *layout.Answer {
	cs := m.at(base, other, op)
	if len(cs) == 0 {
		return nil
	}
	words := m.over(cs, op, base.of())
	if base.withoutAES && m.ByID[cs[0].Base].ConstantTime.Value == "no" {
		words = layout.Say("%s; without AES instructions AES uses table lookups, whose time depends on key and data",
			"%s；此时 AES 靠查表实现，耗时随密钥和数据变化", words)
	}
	a := &layout.Answer{Mark: layout.Beware, Evidence: answer.Evidence(cs...)}
	en, zh := "%[1]s, the choice depends on the size. %[2]s: %[3]s.", "%[1]s如何选择取决于消息长度。%[2]s：%[3]s。"
	switch {
	case answer.AllAre(cs, "faster"):
		a.Mark, en, zh = layout.Choose, "%[1]s, choose %[2]s: %[3]s.", "%[1]s请选择 %[2]s：%[3]s。"
	case answer.AllAre(cs, "slower"):
		a.Mark = layout.Choose
		en, zh = "%[1]s, choose %[4]s. %[2]s in comparison: %[3]s.", "%[1]s请选择 %[4]s。%[2]s 与之相比：%[3]s。"
	case answer.AllAre(cs, "same"):
		a.Mark, en, zh = layout.Plain, "%[1]s, both are equally fast. %[2]s: %[3]s.", "%[1]s二者速度相当。%[2]s：%[3]s。"
	case answer.AllAre(cs, "inconclusive"):
		a.Mark = layout.Unclear
		en, zh = "%[1]s, it is inconclusive which is faster. %[2]s: %[3]s.", "%[1]s哪个更快无法判定。%[2]s：%[3]s。"
	}
	a.Text = layout.Say(en, zh, when, other.of(), words, base.of())
	return a
}

// against says what a contender is to another, and recommends nothing.
func (m *messagesView) against(base, other choice, op string) *layout.Answer {
	who := other.of()
	if other.withoutAES || base.withoutAES {
		who = layout.Say("Without AES instructions, %s", "没有 AES 指令时，%s", who)
	}
	return m.told(base, other, op, who, base.of())
}

func (m *messagesView) told(base, other choice, op string, heading, than layout.Text) *layout.Answer {
	cs := m.at(base, other, op)
	if len(cs) == 0 {
		return nil
	}
	return &layout.Answer{Mark: answer.MarkOf(cs...), Evidence: answer.Evidence(cs...),
		Text: layout.Say("%s: %s.", "%s：%s。", heading, m.over(cs, op, than))}
}

// worth says what AES instructions are worth to one cipher of one library.
func (m *messagesView) worth(base, other choice, op string) *layout.Answer {
	return m.told(base, other, op, layout.Say("Effect of AES instructions on %s", "AES 指令对 %s 的作用", other.of()),
		layout.Text{EN: "without AES instructions", ZH: "不用 AES 指令时"})
}

// crossovers are the sentences on the contenders of the choices, sealing. The
// table has them all.
func (m *messagesView) crossovers() (out []*layout.Answer) {
	for _, c := range m.Doc.Crossovers {
		a, b := m.ByID[c.A], m.ByID[c.B]
		if a == nil || b == nil || a.Operation != algorithm.Encrypt || !m.inChoices(a) || !m.inChoices(b) {
			continue
		}
		said := &layout.Answer{Mark: layout.Plain, Text: crossover(c, a, b),
			Evidence: append([]string{a.ID, b.ID}, c.Comparisons...)}
		if c.Kind == document.Undecided {
			said.Mark = layout.Unclear
		}
		out = append(out, said)
	}
	return out
}

func (m *messagesView) inChoices(r *document.Row) bool {
	return r.Algorithm != algorithm.AES256 && r.Mode != algorithm.CCM && r.Who() != subject.Tjfoc && r.Who() != subject.Engine
}

// crossover words one crossover. Without an interval there is no number.
func crossover(c document.Crossover, a, b *document.Row) layout.Text {
	first, second := who(a), who(b)
	least, most := answer.SizeText(c.Sizes[0]), answer.SizeText(c.Sizes[len(c.Sizes)-1])
	switch {
	case c.Kind == document.Overtakes && c.Bytes.Low != nil && c.Bytes.High != nil:
		return layout.Say("Sealing: below about %[3]s %[1]s is faster, above it %[2]s (%[4]s; "+
			"interpolated between the measured %[5]s and %[6]s).",
			"加密：约 %[3]s 以下 %[1]s 更快，以上 %[2]s 更快（%[4]s；在实测的 %[5]s 与 %[6]s 之间插值）。",
			first, second, roughSize(c.Bytes.Median), answer.Span(*c.Bytes.Low, *c.Bytes.High, roughSize),
			answer.SizeText(c.Between[0]), answer.SizeText(c.Between[1]))
	case c.Kind == document.Overtakes:
		return layout.Say("Sealing: %[1]s is faster at %[3]s and %[2]s at %[4]s.", "加密：%[3]s 时 %[1]s 更快，%[4]s 时 %[2]s 更快。",
			first, second, answer.SizeText(c.Between[0]), answer.SizeText(c.Between[1]))
	case c.Kind == document.Never:
		return layout.Say("Sealing: %[2]s was never faster than %[1]s (measured from %[3]s to %[4]s).",
			"加密：从 %[3]s 到 %[4]s 的实测长度上，%[2]s 从未快过 %[1]s。", first, second, least, most)
	case c.Kind == document.Level:
		return layout.Say("Sealing: %[2]s and %[1]s are equally fast at every measured size (%[3]s to %[4]s).",
			"加密：从 %[3]s 到 %[4]s 的实测长度上，%[2]s 与 %[1]s 始终相当。", first, second, least, most)
	}
	return layout.Say("Sealing: inconclusive whether %[2]s becomes faster than %[1]s between %[3]s and %[4]s.",
		"加密：%[3]s 到 %[4]s 之间 %[2]s 是否会快过 %[1]s，无法判定。", first, second, least, most)
}

// roughSize prints a size that is an estimate.
func roughSize(bytes float64) string { return layout.FormatNumber(bytes) + " B" }

// who names a row's contender, and that it runs without AES instructions.
func who(r *document.Row) layout.Text { return choiceOf(r).said() }

// fixedCosts says what a message costs before its first byte, by the cost models.
func (m *messagesView) fixedCosts() *layout.Answer {
	var said answer.Clauses
	for _, f := range m.Fits(document.ModelAffine) {
		r := m.ByID[f.RowIDs[0]]
		if !f.OK || r.Operation != algorithm.Encrypt || isWithoutAES(r) || !m.inChoices(r) {
			continue
		}
		said.Add(layout.Say("%s %s, then %s (half of that rate is reached at %s)", "%s 为 %s，之后 %s（长度到 %s 时达到该吞吐量的一半）",
			who(r), layout.FormatTime(f.Terms["fixed_ns"]), layout.FormatRate(f.Terms["bytes_per_second"]),
			roughSize(f.Terms["half_size_bytes"])), f.RowIDs...)
	}
	return said.Sentence(layout.Plain, "Fixed cost of sealing one message, by fitted models: %s.",
		"按拟合的代价模型，加密一条消息的固定开销：%s。",
		answer.Semicolons(said.Parts))
}

// newKeys says what a new key for each message costs who seals a short one.
func (m *messagesView) newKeys() *layout.Answer {
	if len(m.heads) == 0 {
		return nil
	}
	var said answer.Clauses
	size := m.heads[0]
	for _, c := range renewed {
		if x := m.Compare(m.rowOf(c, algorithm.Encrypt, size), m.rowOf(c, algorithm.NewEncrypt, size)); x != nil {
			kept := layout.Text{EN: "under a kept one", ZH: "沿用同一密钥"}
			said.Tell(layout.Say("%s %s", "%s %s", c.of(), answer.Ratio(x, kept)), x)
		}
	}
	return said.Sentence(layout.Plain, "Sealing %s with a new key for each message: %s.", "每条消息都换新密钥，加密 %s：%s。",
		answer.SizeText(size), answer.Semicolons(said.Parts))
}

// traffic says what a mix of message sizes costs, by cipher.
func (m *messagesView) traffic() (out []*layout.Answer) {
	for _, op := range plan.BothWays {
		for _, c := range []choice{aes128, chacha, sm4GCM, sm4CBC} {
			for _, size := range m.sizes {
				if r := m.rowOf(c, op, size); r != nil && answer.IsMix(r) {
					out = append(out, cost(c, r))
				}
			}
		}
	}
	return out
}

// cost is a message's and a gigabyte's of a mix; nothing without an interval.
func cost(c choice, r *document.Row) *layout.Answer {
	e := r.NsPerOp
	if r.Status != result.OK || e == nil || e.Low == nil || e.High == nil {
		return nil
	}
	n := float64(answer.MessagesOf(r))
	perGigabyte := layout.Text{}
	if r.Bytes > 0 {
		scale := 1e9 / float64(r.Bytes)
		perGigabyte = layout.Say(", and 1 GB %s (%s)", "，1 GB 需 %s（%s）", layout.FormatTime(e.Median*scale),
			answer.Ranging(*e.Low*scale, *e.High*scale))
	}
	return &layout.Answer{Mark: layout.Plain, Evidence: []string{r.ID},
		Text: layout.Say("On your mix of sizes (%s on average), %s one message with %s takes %s (%s)%s.",
			"按你的消息长度分布（平均 %s），%s一条消息，%s 需 %s（%s）%s。",
			roughSize(float64(r.Bytes)/n), answer.Direction(r.Operation), c.of(),
			layout.FormatTime(e.Median/n), answer.Ranging(*e.Low/n, *e.High/n), perGigabyte)}
}

// draws are the rows of a random nonce, one a library and way of calling it.
func (m *messagesView) draws() []*document.Row {
	return m.Select(func(r *document.Row) bool { return r.Operation == algorithm.Draw })
}

// sealedBy is the row of AES-128-GCM in the library that a nonce is drawn by, called in the same way.
func (m *messagesView) sealedBy(drawn *document.Row, size int64) *document.Row {
	return m.First(func(r *document.Row) bool {
		return plan.Of(r.Algorithm, r.Mode, r.Operation) == plan.Of(algorithm.AES128, algorithm.GCM, algorithm.Encrypt) &&
			r.Library == drawn.Library && r.Version == drawn.Version && r.CallPath == drawn.CallPath &&
			r.Environment == "" && r.Bytes == size
	})
}

// share is the part of drawing a nonce and sealing a message that drawing is, with the least and the most that both
// intervals allow; false where either has none.
func share(drawn, sealed *document.Row) (median, low, high float64, ok bool) {
	for _, r := range []*document.Row{drawn, sealed} {
		if _, timed := answer.Nanoseconds(r); !timed || r.NsPerOp.Low == nil || r.NsPerOp.High == nil {
			return 0, 0, 0, false
		}
	}
	d, s := drawn.NsPerOp, sealed.NsPerOp
	of := func(d, s float64) float64 { return d / (d + s) }
	return of(d.Median, s.Median), of(*d.Low, *s.High), of(*d.High, *s.Low), true
}

// nonces says what part of a small message drawing its nonce is, in the library that has it first.
func (m *messagesView) nonces() *layout.Answer {
	for _, r := range m.draws() {
		said := answer.Clauses{Evidence: []string{r.ID}}
		for _, size := range m.heads {
			sealed := m.sealedBy(r, size)
			if part, low, high, ok := share(r, sealed); ok {
				said.Add(layout.Say("%s (%s) at %s", "%[3]s 时 %[1]s（%[2]s）", layout.FormatShare(part),
					answer.Span(low, high, layout.FormatShare), answer.SizeText(size)), sealed.ID)
			}
		}
		if len(said.Parts) > 0 {
			return said.Sentence(layout.Plain,
				"A random nonce for each message (%s) takes %s. Its share of the time to generate it and to seal with %s: %s. "+
					"Where one sender alone uses the key, a counter instead costs next to nothing.",
				"每条消息生成一个随机 nonce（%s）需 %s，占生成与 %s 加密总耗时的比例：%s。若密钥只有一个发送方使用，改用计数器几乎没有开销。",
				answer.Label(r.Who()), layout.FormatTime(r.NsPerOp.Median), answer.CaseName(algorithm.AES128, algorithm.GCM),
				said.Join())
		}
	}
	return nil
}
