package modes

import (
	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// answers are the sentences, the most useful first.
func (m *modesView) answers() []layout.Answer {
	var out []layout.Answer
	add := func(a *layout.Answer) {
		if a != nil {
			a.Experiment = m.Experiment
			out = append(out, *a)
		}
	}
	add(m.exposure())
	for i, size := range m.headlineSizes() {
		m.at = size
		for _, a := range m.atSize() {
			a.Short = a.Short && i == 0
			add(&a)
		}
	}
	m.at = m.headlineSizes()[0]
	return out
}

// atSize are the sentences of one message size.
func (m *modesView) atSize() (out []layout.Answer) {
	add := func(a *layout.Answer) {
		if a != nil {
			out = append(out, *a)
		}
	}
	for _, lib := range m.everyday(algorithm.SM4) {
		if !answer.Primary(lib) {
			continue
		}
		add(m.ecbAgainstCBC(lib, algorithm.Encrypt))
		add(m.ecbAgainstCBC(lib, algorithm.Decrypt))
		if m.isFirst(lib) && !answer.IsNew(lib) {
			add(m.instead(lib))
		}
		add(m.direction(lib))
	}
	for _, a := range m.betweenLibraries() {
		add(&a)
	}
	add(m.againstAES())
	return out
}

// exposure says what ECB gives away, from the counted blocks of the records.
func (m *modesView) exposure() *layout.Answer {
	var ecb, cbc *document.Row
	for _, r := range m.Rows {
		if r.Operation != algorithm.Exposure || r.Status != result.OK {
			continue
		}
		if r.Mode == algorithm.ECB && ecb == nil {
			ecb = r
		}
		if r.Mode == algorithm.CBC && cbc == nil {
			cbc = r
		}
	}
	if ecb == nil {
		return nil
	}
	share, ok := ecb.Metrics["repeated_share_records"]
	if !ok || share.Value == 0 {
		return nil
	}
	a := &layout.Answer{Mark: layout.Stop, Short: true, Evidence: []string{ecb.ID}}
	percent := layout.FormatShare(share.Value)
	other := layout.Same("")
	if cbc != nil && cbc.Metrics["repeated_share_records"].Value == 0 {
		other = layout.Text{EN: "; with CBC none do", ZH: "；用 CBC 则没有"}
		a.Evidence = append(a.Evidence, cbc.ID)
	}
	a.Brief = layout.Say("Do not encrypt data with ECB: in structured records encrypted with %s, %s of the ciphertext blocks equal another block%s.",
		"不要用 ECB 加密数据：结构化记录经 %s 加密后，有 %s 的密文分组与别的分组相同%s。", ecb.Algorithm+"-ECB", percent, other)
	a.Text = layout.Say("%s Anyone who sees the ciphertext sees which records are equal; no key is needed.", "%s看到密文的人无需密钥即可看出哪些记录相同。", a.Brief)
	return a
}

// parallelGain is the ratio above which a library evidently works on several
// blocks at once, and serialGain the one below which it evidently does not.
const (
	parallelGain = 1.5
	serialGain   = 1.25
)

// ecbAgainstCBC words the first question: which is faster, in which direction, and why.
func (m *modesView) ecbAgainstCBC(lib, op string) *layout.Answer {
	base, other := m.rowOf(lib, algorithm.SM4, algorithm.CBC, op), m.rowOf(lib, algorithm.SM4, algorithm.ECB, op)
	c := m.Compare(base, other)
	if c == nil {
		return nil
	}
	why := layout.Same("")
	switch {
	case c.Verdict == "inconclusive":
		// What is not established has no cause to name.
	case op == algorithm.Encrypt && c.Verdict == "faster" && *c.Low > parallelGain:
		why = layout.Text{EN: "; ECB computes blocks in parallel, CBC encryption one after the other",
			ZH: "；ECB 各分组可并行计算，CBC 加密只能逐分组进行"}
	case *c.High < serialGain && *c.Low > 1/serialGain:
		if m.serial(lib) {
			why = layout.Text{EN: "; this library computes one block after the other in both modes", ZH: "；该库两种模式都逐分组计算"}
		} else if op == algorithm.Decrypt {
			why = layout.Text{EN: "; CBC decryption is not chained, so both modes compute blocks in parallel",
				ZH: "；CBC 解密没有链式依赖，两种模式都可并行计算"}
		}
	}
	return &layout.Answer{Mark: answer.MarkOf(c), Short: m.isFirst(lib), Evidence: []string{c.ID, base.ID, other.ID},
		Text: layout.Say("%s, %s of %s: SM4-ECB %s%s.", "%s，%s %s：SM4-ECB %s%s。",
			answer.Label(lib), answer.Operation(op), layout.Same(answer.SizeText(m.at)), answer.Versus(c, layout.Same(algorithm.CBC)), why)}
}

// serial says whether a library gains nothing from independent blocks: its ECB
// encryption is no faster than its CBC encryption.
func (m *modesView) serial(lib string) bool {
	c := m.Compare(m.rowOf(lib, algorithm.SM4, algorithm.CBC, algorithm.Encrypt), m.rowOf(lib, algorithm.SM4, algorithm.ECB, algorithm.Encrypt))
	return c != nil && *c.High < serialGain
}

func (m *modesView) isFirst(lib string) bool {
	libs := m.everyday(algorithm.SM4)
	return len(libs) > 0 && libs[0] == lib
}

// instead recommends what to use in place of ECB: authenticated encryption, and
// of the two ways to it the one that measures faster in both directions. It is
// said of the first library alone: a recommendation in each would recommend what
// another line of the same report calls slow.
func (m *modesView) instead(lib string) *layout.Answer {
	mode := composite(algorithm.SM4)
	var cs [2]*document.Comparison
	evidence := []string{}
	for i, op := range []string{algorithm.Encrypt, algorithm.Decrypt} {
		cs[i] = m.Compare(m.rowOf(lib, algorithm.SM4, mode, op), m.rowOf(lib, algorithm.SM4, algorithm.GCM, op))
		if cs[i] == nil {
			return nil
		}
		evidence = append(evidence, cs[i].ID, cs[i].Base, cs[i].Other)
	}
	a := &layout.Answer{Evidence: evidence, Short: m.isFirst(lib)}
	than := layout.Same(mode)
	enc, dec := answer.Versus(cs[0], than), answer.Versus(cs[1], than)
	switch {
	case cs[0].Verdict == "faster" && cs[1].Verdict == "faster":
		a.Mark = layout.Choose
		a.Text = layout.Say("Use SM4-GCM of %s instead of ECB: it hides repetition and detects tampering. It is the faster of the two modes that do both: at %s, GCM encryption %s, GCM decryption %s.",
			"请用 %s 的 SM4-GCM 代替 ECB：既隐藏重复又能发现篡改。两种认证加密方式中 GCM 更快：%s 时加密%s，解密%s。",
			answer.Label(lib), layout.Same(answer.SizeText(m.at)), enc, dec)
	case cs[0].Verdict == "slower" && cs[1].Verdict == "slower":
		a.Mark = layout.Choose
		a.Text = layout.Say("Use %[4]s of %[1]s instead of ECB: it hides repetition and detects tampering. SM4-GCM does both too, but is slower here: at %[2]s, GCM encryption %[3]s, GCM decryption %[5]s.",
			"请用 %[1]s 的 %[4]s 代替 ECB：既隐藏重复又能发现篡改。SM4-GCM 同样可以，但此处更慢：%[2]s 时 GCM 加密%[3]s，解密%[5]s。",
			answer.Label(lib), layout.Same(answer.SizeText(m.at)), enc, layout.Same("SM4-"+mode), dec)
	default:
		a.Mark = layout.Beware
		a.Text = layout.Say("Use SM4-GCM or SM4-%[4]s of %[1]s instead of ECB. Neither is faster throughout: at %[2]s, GCM encryption %[3]s, GCM decryption %[5]s.",
			"请用 %[1]s 的 SM4-GCM 或 SM4-%[4]s 代替 ECB。两者快慢不一：%[2]s 时 GCM 加密%[3]s，解密%[5]s。",
			answer.Label(lib), layout.Same(answer.SizeText(m.at)), enc, than, dec)
	}
	return a
}

// direction sets CBC's decryption against its encryption.
func (m *modesView) direction(lib string) *layout.Answer {
	base, other := m.rowOf(lib, algorithm.SM4, algorithm.CBC, algorithm.Encrypt), m.rowOf(lib, algorithm.SM4, algorithm.CBC, algorithm.Decrypt)
	c := m.Compare(base, other)
	if c == nil {
		return nil
	}
	return &layout.Answer{Mark: answer.MarkOf(c), Evidence: []string{c.ID, base.ID, other.ID},
		Text: layout.Say("%s, SM4-CBC of %s: decryption %s.", "%s 的 SM4-CBC，%s：解密%s。",
			answer.Label(lib), layout.Same(answer.SizeText(m.at)), answer.Versus(c, layout.Text{EN: "encryption", ZH: "加密"}))}
}

// betweenLibraries sets the libraries against the first, in the modes people use.
func (m *modesView) betweenLibraries() (out []layout.Answer) {
	libs := m.everyday(algorithm.SM4)
	for _, lib := range libs[min(1, len(libs)):] {
		var parts []layout.Text
		var evidence []string
		for _, mode := range []string{algorithm.CBC, algorithm.GCM} {
			base, other := m.rowOf(libs[0], algorithm.SM4, mode, algorithm.Encrypt), m.rowOf(lib, algorithm.SM4, mode, algorithm.Encrypt)
			if c := m.Compare(base, other); c != nil {
				parts = append(parts, layout.Say("%s %s", "%s 加密%s", layout.Same(mode),
					answer.Versus(c, layout.Say("in %s", "%s", answer.Label(libs[0])))))
				evidence = append(evidence, c.ID, base.ID, other.ID)
			}
		}
		if len(parts) == 0 {
			continue
		}
		out = append(out, layout.Answer{Mark: layout.Plain, Short: true, Evidence: evidence,
			Text: layout.Say("%s, SM4 encryption of %s: %s.", "%s，SM4 加密，%s：%s。", answer.Label(lib), layout.Same(answer.SizeText(m.at)), answer.Join(parts))})
	}
	return out
}

// againstAES says what the choice of the cipher costs, in GCM.
func (m *modesView) againstAES() *layout.Answer {
	base := m.rowOf("go", algorithm.AES128, algorithm.GCM, algorithm.Encrypt)
	for _, lib := range m.everyday(algorithm.SM4) {
		other := m.rowOf(lib, algorithm.SM4, algorithm.GCM, algorithm.Encrypt)
		if c := m.Compare(base, other); c != nil {
			return &layout.Answer{Mark: answer.MarkOf(c), Short: true, Evidence: []string{c.ID, base.ID, other.ID},
				Text: layout.Say("SM4 against AES: SM4-GCM in %s, encrypting %s, %s.", "SM4 与 AES：%s 的 SM4-GCM 加密 %s 消息%s。",
					answer.Label(lib), layout.Same(answer.SizeText(m.at)), answer.Versus(c, layout.Text{EN: "AES-128-GCM in Go's standard library", ZH: "Go 标准库的 AES-128-GCM"}))}
		}
	}
	return nil
}
