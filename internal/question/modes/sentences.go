package modes

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

// answers are the sentences, the most useful first; those of the first size alone are for
// the quick screen.
func (m *modesView) answers(advised []*layout.Answer) []layout.Answer {
	first := append(advised, m.Caution(m.exposure(), algorithm.EqualBlocks))
	if m.askedFor(algorithm.ECB, algorithm.CBC) {
		first = slices.Insert(first, 0, m.ecbOrCBC())
	}
	out := answer.Said(answer.FirstShort(len(first), first)...)
	for i, size := range m.headlineSizes() {
		m.at = size
		for _, a := range m.atSize() {
			a.Short = a.Short && i == 0
			out = append(out, a)
		}
	}
	m.at = m.headlineSizes()[0]
	return out
}

func (m *modesView) atSize() []layout.Answer {
	var all []*layout.Answer
	for i, lib := range answer.Select(m.everyday(), answer.Primary) {
		said := []*layout.Answer{m.ecbAgainstCBC(lib, algorithm.Encrypt), m.ecbAgainstCBC(lib, algorithm.Decrypt),
			m.direction(lib), m.gcmAgainstCCM(lib)}
		if i == 0 {
			answer.FirstShort(2, said)
		}
		all = append(all, said...)
	}
	all = append(all, answer.Short(m.againstAES()))
	for i, cipher := range m.algorithms() {
		if i > 0 || m.at != m.headlineSizes()[0] { // which has been said
			_, whole := m.advice(m.inOne, cipher)
			all = append(all, whole...)
		}
	}
	return answer.Said(all...)
}

// counted is the row that counts the equal blocks of a mode's ciphertext; nil without one.
func (m *modesView) counted(mode string) *document.Row {
	return m.First(func(r *document.Row) bool {
		return r.Operation == algorithm.Exposure && r.Status == result.OK && r.Mode == mode
	})
}

// exposure says what ECB gives away, from the counted blocks of the records.
func (m *modesView) exposure() *layout.Answer {
	ecb, cbc := m.counted(algorithm.ECB), m.counted(algorithm.CBC)
	share, ok := answer.Metric(ecb, "repeated_share_records")
	if !ok || share.Value == 0 {
		return nil
	}
	a := &layout.Answer{Mark: layout.Stop, Evidence: []string{ecb.ID}}
	other := layout.Text{}
	if cbc != nil && cbc.Metrics["repeated_share_records"].Value == 0 {
		other = layout.Text{EN: " (with CBC none)", ZH: "（CBC 没有）"}
		a.Evidence = append(a.Evidence, cbc.ID)
	}
	sample := layout.Text{}
	if own, ok := answer.Metric(ecb, ownData); ok {
		sample = layout.Say(" Of your sample it is %s.", "你的样本中为 %s。", layout.FormatShare(own.Value))
	}
	a.Text = layout.Say("Do not encrypt data with ECB: of structured records under %s, %s of the ciphertext blocks equal another%s, "+
		"and anyone sees which without the key.%s",
		"不要用 ECB 加密数据：结构化记录经 %s 加密后，有 %s 的密文分组与别的分组相同%s，任何人无需密钥即可看出哪些分组相同。%s",
		answer.CaseName(ecb.Algorithm, ecb.Mode), layout.FormatShare(share.Value), other, sample)
	return a
}

// parallelGain is the ratio above which a library evidently works on several
// blocks at once, and serialGain the one below which it evidently does not.
const (
	parallelGain = 1.5
	serialGain   = 1.25
)

func sm4(mode, library, operation string) answer.Key {
	return answer.Key{Subject: library, Algorithm: algorithm.SM4, Mode: mode, Operation: operation}
}

// ecbOverCBC sets the speed of ECB against that of CBC, in one direction.
func (m *modesView) ecbOverCBC(lib, op string) *document.Comparison {
	return m.compare(sm4(algorithm.CBC, lib, op), sm4(algorithm.ECB, lib, op))
}

// ecbAgainstCBC words the first question: which is faster, in which direction, and why.
func (m *modesView) ecbAgainstCBC(lib, op string) *layout.Answer {
	c := m.ecbOverCBC(lib, op)
	if c == nil {
		return nil
	}
	why := layout.Text{}
	switch {
	case c.Verdict == "inconclusive":
		// What is not established has no cause to name.
	case op == algorithm.Encrypt && m.parallel(lib):
		why = layout.Text{EN: "; ECB computes blocks in parallel, CBC encryption one after the other",
			ZH: "；ECB 各分组可并行计算，CBC 加密只能逐分组进行"}
	case *c.High >= serialGain || *c.Low <= 1/serialGain:
	case m.serial(lib):
		why = layout.Text{EN: "; this library computes one block after the other in both modes", ZH: "；该库两种模式都逐分组计算"}
	case op == algorithm.Decrypt && m.parallel(lib):
		why = layout.Text{EN: "; CBC decryption is not chained, so both modes compute blocks in parallel",
			ZH: "；CBC 解密没有链式依赖，两种模式都可并行计算"}
	}
	return &layout.Answer{Mark: answer.MarkOf(c), Evidence: answer.Evidence(c),
		Text: layout.Say("%s, %s of %s: SM4-ECB %s%s.", "%s，%s %s：SM4-ECB %s%s。",
			answer.Label(lib), answer.Operation(op), answer.SizeText(m.at), answer.Versus(c, layout.Same(algorithm.CBC)), why)}
}

func (m *modesView) askedFor(modes ...string) bool {
	var asked []string
	for _, flag := range document.TypedFlags(m.Doc.Command, "modes") {
		asked = append(asked, strings.Split(strings.ToUpper(flag.Value), ",")...)
	}
	return !slices.ContainsFunc(modes, func(mode string) bool { return !slices.Contains(asked, mode) })
}

// ecbOrCBC compares the two modes in one sentence, for a run that was asked for both: of the first library that has
// them, in both directions, and encryption in the others, where the answer may be another.
func (m *modesView) ecbOrCBC() *layout.Answer {
	for i, lib := range m.everyday() {
		var said answer.Clauses
		for _, op := range plan.BothWays {
			if c := m.ecbOverCBC(lib, op); c != nil {
				than := answer.Versus(c, layout.Same(algorithm.CBC))
				said.Tell(layout.Say("%s %s", "%s%s", answer.Operation(op), than), c)
			}
		}
		if len(said.Parts) == 0 {
			continue
		}
		elsewhere, rows := m.ecbElsewhere(m.everyday()[i+1:])
		if elsewhere.EN != "" && m.ByID[said.Found[0].Base].Operation == algorithm.Encrypt {
			said.Parts[0] = layout.Say("%s, %s", "%s，%s", said.Parts[0], elsewhere)
			said.Evidence = append(said.Evidence, rows...)
		}
		sample, ecb := layout.Text{}, m.counted(algorithm.ECB)
		if own, ok := answer.Metric(ecb, ownData); ok {
			sample = layout.Say(", of your sample %s", "，你的样本中为 %s", layout.FormatShare(own.Value))
			said.Evidence = append(said.Evidence, ecb.ID)
		}
		return said.Sentence(answer.MarkOf(said.Found...),
			"ECB or CBC (%s, SM4, %s): ECB %s. However fast, ECB shows which blocks are equal%s.",
			"ECB 还是 CBC（%s，SM4，%s）：ECB %s。无论多快，ECB 都会暴露哪些分组相同%s。",
			answer.Label(lib), answer.SizeText(m.at), answer.Semicolons(said.Parts), sample)
	}
	return nil
}

// ecbElsewhere is between which ratios ECB encryption is to CBC encryption in other libraries.
func (m *modesView) ecbElsewhere(libraries []string) (text layout.Text, evidence []string) {
	var all []*document.Comparison
	for _, lib := range libraries {
		if c := m.ecbOverCBC(lib, algorithm.Encrypt); c != nil && !answer.IsNew(lib) {
			all = append(all, c)
		}
	}
	if len(all) == 0 {
		return text, nil
	}
	slices.SortFunc(all, func(x, y *document.Comparison) int { return cmp.Compare(x.Ratio, y.Ratio) })
	say := func(c *document.Comparison) layout.Text {
		return layout.Say("%s (%s)", "%s（%s）", answer.Factor(c.Ratio), document.KernelText(m.Name(m.ByID[c.Other])))
	}
	least, most := all[0], all[len(all)-1]
	evidence = answer.Evidence(all...)
	if least == most {
		return layout.Say("elsewhere %s", "在别的库中为 %s", say(least)), evidence
	}
	return layout.Say("elsewhere %s to %s", "在别的库中为 %s 至 %s", say(least), say(most)), evidence
}

// parallel says whether a library gains from independent blocks.
func (m *modesView) parallel(lib string) bool {
	c := m.ecbOverCBC(lib, algorithm.Encrypt)
	return c != nil && c.Verdict == "faster" && *c.Low > parallelGain
}

// serial says whether a library gains nothing from independent blocks: its ECB
// encryption is no faster than its CBC encryption.
func (m *modesView) serial(lib string) bool {
	c := m.ecbOverCBC(lib, algorithm.Encrypt)
	return c != nil && *c.High < serialGain
}

// advice names the best secure mode of the first of some ciphers that was measured, at the
// size that sentences are at: encrypting, unless nothing but decryption was.
func (m *modesView) advice(choice func(cipher, op string) answer.Advice, ciphers ...string) (line *layout.Answer,
	whole []*layout.Answer) {
	for _, cipher := range ciphers {
		for _, op := range plan.BothWays {
			if line, whole = m.Advise(choice(cipher, op)); line != nil {
				return line, whole
			}
		}
	}
	return nil, nil
}

// inOne is a choice that is said in one sentence, and apart one in several, at other sizes too.
func (m *modesView) inOne(cipher, op string) answer.Advice { return m.choice(cipher, op, m.at) }

func (m *modesView) apart(cipher, op string) answer.Advice {
	a := m.inOne(cipher, op)
	a.Apart = []answer.Advice{}
	for _, size := range m.otherSizes() {
		a.Apart = append(a.Apart, m.choice(cipher, op, size))
	}
	return a
}

// choice is among the modes of a cipher and the libraries that have them.
func (m *modesView) choice(cipher, op string, size int64) answer.Advice {
	return answer.Advice{
		Job:    layout.Say("%s of %s", "%s %s 消息", answer.Operation(op), answer.SizeText(size)),
		Sized:  true,
		Brief:  layout.Say("%s", "%s 消息", answer.SizeText(size)),
		Rows:   answer.Select(m.plain(cipher), func(r *document.Row) bool { return r.Operation == op && r.Bytes == size }),
		Name:   answer.CipherText,
		Usual:  func(r *document.Row) bool { return r.Mode == algorithm.CBC },
		Costs:  nonceCosts,
		Secure: layout.Say("%s-GCM (--modes GCM)", " %s-GCM（--modes GCM）", cipher),
	}
}

// nonceCosts is what who uses a mode has to see to.
func nonceCosts(r *document.Row) layout.Text {
	if algorithm.NonceBytes(r.Algorithm, r.Mode) == 12 {
		return layout.Text{EN: "a nonce must never repeat under one key", ZH: "同一密钥下 nonce 不可重复"}
	}
	return layout.Text{}
}

func (m *modesView) direction(lib string) *layout.Answer {
	c := m.compare(sm4(algorithm.CBC, lib, algorithm.Encrypt), sm4(algorithm.CBC, lib, algorithm.Decrypt))
	return answer.Found(c, answer.Operation(algorithm.Encrypt), "%s, SM4-CBC of %s: decryption %s.",
		"%s 的 SM4-CBC，%s：解密%s。", answer.Label(lib), answer.SizeText(m.at))
}

// gcmAgainstCCM says what the chain of CCM costs beside the mode that promises the same.
func (m *modesView) gcmAgainstCCM(lib string) *layout.Answer {
	c := m.compare(sm4(algorithm.CCM, lib, algorithm.Encrypt), sm4(algorithm.GCM, lib, algorithm.Encrypt))
	return answer.Found(c, layout.Same(algorithm.CCM),
		"%s, encryption of %s: SM4-GCM %s, which promises the same; its tag is a chain of single blocks.",
		"%s，加密 %s：SM4-GCM %s；二者安全保证相同，而 CCM 的标签只能逐分组串行计算。", answer.Label(lib), answer.SizeText(m.at))
}

// againstAES says what the choice of the cipher costs, in GCM.
func (m *modesView) againstAES() *layout.Answer {
	aes := answer.Key{Subject: subject.Go, Algorithm: algorithm.AES128, Mode: algorithm.GCM, Operation: algorithm.Encrypt}
	for _, lib := range m.everyday() {
		if c := m.compare(aes, sm4(algorithm.GCM, lib, algorithm.Encrypt)); c != nil {
			return answer.Found(c, layout.Text{EN: "AES-128-GCM in Go's standard library", ZH: "Go 标准库的 AES-128-GCM"},
				"SM4 against AES: SM4-GCM in %s, encrypting %s, %s.", "SM4 与 AES：%s 的 SM4-GCM 加密 %s 消息%s。",
				answer.Label(lib), answer.SizeText(m.at))
		}
	}
	return nil
}
