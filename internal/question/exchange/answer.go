package exchange

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

var Question = answer.Question{Name: "exchange", Narrowing: []string{"--algorithms", "--operations", "--libraries"},
	Layout: layOut,
	Asks: layout.Text{EN: "What does a key exchange cost each side, and how much more does a post-quantum one cost?",
		ZH: "协商密钥时双方各付出多少代价？抵御量子计算机又要多付多少？"}}

func layOut(v *answer.View) layout.Layout {
	x := &exchangeView{v}
	short, whole := x.tables()
	p256 := layout.Same("ECDH P-256")
	line, chosen := x.Chosen(x.advice()...)
	return layout.Layout{
		Line:  answer.FirstSaid(line),
		Title: layout.Text{EN: "Key exchange: curves, SM2, ML-KEM and the hybrid", ZH: "密钥交换：椭圆曲线、SM2、ML-KEM 与混合方案"},
		Answers: answer.Said(append(chosen,
			answer.Short(x.hybrid()),
			x.hybridSteps(),
			answer.Short(x.against(algorithm.ECDH256, algorithm.X25519, p256,
				"X25519 in %s: the whole exchange %s.", "%s 的 X25519：完整交换%s。")),
			answer.Short(x.against(algorithm.ECDH256, algorithm.SM2Exchange, p256,
				"SM2 key exchange in %s (it also authenticates both parties): the whole exchange %s.",
				"%s 的 SM2 密钥交换（同时认证双方身份）：完整交换%s。")),
			x.against(algorithm.X25519, algorithm.MLKEM768, layout.Same(algorithm.X25519),
				"ML-KEM-768 without X25519 in %s: the whole exchange %s.", "%s 的 ML-KEM-768（不与 X25519 混合）：完整交换%s。"),
			x.libraries(algorithm.MLKEM768), x.libraries(algorithm.SM2Exchange), x.derivation())...),
		Headline: answer.NonEmpty(short),
		Tables:   answer.NonEmpty(whole, answer.KeyTable(layout.Text{EN: "Every step", ZH: "全部步骤"}, v.Rows)),
		Charts:   slices.Concat(v.RatioChart(answer.ContrastKeys), x.overBytes()),
		Next: []layout.Next{answer.Run("exchange",
			"every step, ML-KEM-1024, P-384, the other libraries", "每个步骤、ML-KEM-1024、P-384 与其他密码库")},
	}
}

type exchangeView struct{ *answer.View }

// advice is what to exchange keys with: the hybrid, else what else withstands quantum
// computers, by whole exchanges where they were measured.
func (x *exchangeView) advice() (all []answer.Advice) {
	for _, op := range append([]string{algorithm.Session}, steps...) {
		rows := x.Select(func(r *document.Row) bool { return r.Operation == op })
		if len(rows) == 0 || len(all) > 0 {
			continue
		}
		all = append(all, answer.Advice{Job: answer.Operation(op), Rows: rows,
			Name: func(r *document.Row) layout.Text { return layout.Same(r.Algorithm) },
			Prefer: []func(*document.Row) bool{
				func(r *document.Row) bool { return r.Algorithm == algorithm.X25519MLKEM768 },
				func(r *document.Row) bool { return algorithm.Of(r.Algorithm).PostQuantum }},
			Gain:  layout.Text{EN: "quantum computers cannot break it", ZH: "可抵御量子计算机"},
			Usual: func(r *document.Row) bool { return r.Algorithm == algorithm.X25519 },
			Costs: func(best *document.Row) layout.Text {
				if best.Algorithm == algorithm.X25519 {
					return layout.Text{}
				}
				return layout.Say("%d bytes are sent, X25519 needs %d", "传输 %d 字节，X25519 只需 %d 字节", wireBytes(best.Algorithm), wireBytes(algorithm.X25519))
			}})
	}
	return all
}

// wireBytes are what both parties send.
func wireBytes(name string) int {
	a := algorithm.Of(name)
	return a.Public + a.Reply
}

// of is the row of an exchange's operation, in the first library where none is named.
func (x *exchangeView) of(name, operation, library string) *document.Row {
	return x.First(func(r *document.Row) bool {
		return r.Algorithm == name && r.Operation == operation && (library == "" || r.Who() == library)
	})
}

// compare sets a step of one exchange against the same of another.
func (x *exchangeView) compare(base, other, operation string) *document.Comparison {
	return x.Compare(x.of(base, operation, ""), x.of(other, operation, ""))
}

// against sets one exchange's whole against another's; what it says names the library.
func (x *exchangeView) against(base, other string, than layout.Text, en, zh string) *layout.Answer {
	c := x.compare(base, other, algorithm.Session)
	if c == nil {
		return nil
	}
	return &layout.Answer{Mark: layout.Plain, Evidence: answer.Evidence(c),
		Text: layout.Say(en, zh, answer.Label(x.ByID[c.Other].Who()), answer.Versus(c, than))}
}

// hybrid says what withstanding quantum computers costs beside X25519: CPU and bytes.
func (x *exchangeView) hybrid() *layout.Answer {
	c := x.compare(algorithm.X25519, algorithm.X25519MLKEM768, algorithm.Session)
	if c == nil {
		return nil
	}
	return &layout.Answer{Mark: layout.Choose, Evidence: answer.Evidence(c),
		Text: layout.Say("Exchange keys with X25519MLKEM768 to withstand future quantum computers; it is no weaker than X25519. "+
			"The whole exchange %s; %d bytes are sent, X25519 needs %d.",
			"请用 X25519MLKEM768 交换密钥，以防范日后的量子计算机；安全性不低于 X25519。完整交换%s；传输 %d 字节，X25519 只需 %d 字节。",
			answer.Versus(c, layout.Same(algorithm.X25519)), wireBytes(algorithm.X25519MLKEM768), wireBytes(algorithm.X25519))}
}

// hybridSteps says what the steps of the hybrid cost either side, where it is shown
// that they cost more.
func (x *exchangeView) hybridSteps() *layout.Answer {
	var said answer.Clauses
	for _, op := range steps {
		if c := x.compare(algorithm.X25519, algorithm.X25519MLKEM768, op); answer.Decided(c, "slower") {
			said.Tell(layout.Say("%s %s", "%s%s", answer.KeyOperation(op), answer.Versus(c, layout.Same(algorithm.X25519))), c)
		}
	}
	return said.Sentence(layout.Plain, "X25519MLKEM768, step by step: %s.", "X25519MLKEM768 各步骤：%s。", said.Join())
}

func (x *exchangeView) derivation() *layout.Answer {
	whole, key := x.of(algorithm.X25519, algorithm.Session, ""), x.of(algorithm.X25519, algorithm.SessionKey, "")
	all, ok := answer.Nanoseconds(whole)
	one, there := answer.Nanoseconds(key)
	if !ok || !there || all <= 0 {
		return nil
	}
	return &layout.Answer{Mark: layout.Plain, Evidence: []string{key.ID, whole.ID},
		Text: layout.Say("Deriving a session key from the secret with HKDF takes %s; for both parties that is %s of an X25519 exchange.",
			"用 HKDF 从共享秘密派生会话密钥耗时 %s；双方合计占 X25519 完整交换的 %s。",
			layout.FormatTime(one), layout.FormatShare(2*one/all))}
}

// libraries sets the first other library of an exchange that was compared against the first.
func (x *exchangeView) libraries(name string) *layout.Answer {
	first := x.of(name, algorithm.Session, "")
	other := x.First(func(r *document.Row) bool {
		return r.Algorithm == name && r.Operation == algorithm.Session && r.Who() != first.Who() && x.Compare(first, r) != nil
	})
	if other == nil {
		return nil
	}
	return answer.Found(x.Compare(first, other), layout.Say("in %s", "%s", answer.Label(first.Who())),
		"%s in %s: the whole exchange %s.", "%[2]s 的 %[1]s：完整交换%[3]s。", name, answer.Label(other.Who()))
}

// tables set the exchanges beside each other, a line the first row of each in a library:
// the small table, and the whole one.
func (x *exchangeView) tables() (short, whole layout.Table) {
	exchange := func(r *document.Row) [2]string { return [2]string{r.Algorithm, r.Who()} }
	lines := document.Mapped(document.Grouped(x.Rows, exchange), func(same []*document.Row) *document.Row { return same[0] })
	took := func(en, zh, operation string) answer.RowColumns {
		return answer.Figure(en, zh,
			func(r *document.Row) layout.Cell { return answer.TimeCell(x.of(r.Algorithm, operation, r.Who())) })
	}
	facts := func(r *document.Row) algorithm.Algorithm { return algorithm.Of(r.Algorithm) }
	t := answer.Table[*document.Row]{
		Title: layout.Text{EN: "Key exchange: CPU time of either party, and bytes", ZH: "密钥交换：双方的 CPU 时间与字节数"},
		Columns: []answer.RowColumns{
			answer.Titled("Exchange", "方案", answer.AlgorithmOf), answer.Library, answer.On(facts, answer.Strength),
			took("generate", "生成密钥", algorithm.Generate), took("reply", "应答", algorithm.Encapsulate),
			took("read reply", "读取应答", algorithm.Decapsulate), took("total", "完整交换", algorithm.Session),
			answer.Figure("sent", "传输", func(r *document.Row) layout.Cell { return answer.BytesCell(wireBytes(r.Algorithm)) }),
		},
	}
	short = t.Of(lines)
	t.Caption = layout.Text{
		EN: "The initiator generates a key pair and reads the reply. The responder replies: with a KEM it encapsulates; " +
			"with Diffie-Hellman it generates its own key pair and computes the secret. Total: the work of both parties, including " +
			"an HKDF session key on each side. PQ: withstands quantum computers. Strength in bits: NIST SP 800-57 Part 1 Rev. 5; " +
			"for ML-KEM the category claimed in FIPS 203.",
		ZH: "发起方生成密钥并读取应答；响应方应答：KEM 为封装，Diffie-Hellman 为生成自己的密钥并计算共享秘密。" +
			"完整交换为双方工作之和，并各自用 HKDF 派生会话密钥。" +
			"安全强度（比特）：NIST SP 800-57 Part 1 Rev. 5；ML-KEM 按 FIPS 203 声明的类别。"}
	t.Columns = append(t.Columns, answer.On(facts, answer.PostQuantum))
	return short, t.Of(lines)
}

// overBytes draws what an exchange costs in time over what it costs in bytes.
func (x *exchangeView) overBytes() []layout.Chart {
	return x.OverBytes(layout.Text{EN: "bytes sent by both parties", ZH: "双方传输的字节数"},
		layout.Text{EN: "Whole exchange: time against bytes", ZH: "完整交换：时间与字节数"},
		x.Select(func(r *document.Row) bool { return r.Operation == algorithm.Session }),
		func(r *document.Row) int { return wireBytes(r.Algorithm) })
}
