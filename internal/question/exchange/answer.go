package exchange

import (
	"slices"
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// Question is what the reports need to know of the question.
var Question = answer.Question{Name: "exchange", Narrowing: []string{"--algorithms", "--operations", "--libraries"}, Layout: layOut,
	Asks: layout.Text{EN: "What does a key exchange cost each side, and how much more does a post-quantum one cost?",
		ZH: "协商密钥时双方各付出多少代价？抵御量子计算机又要多付多少？"}}

// layOut lays out what agreeing on a key costs.
func layOut(v *answer.View) layout.Layout {
	x := &exchangeView{v}
	return layout.Layout{
		Experiment: "exchange",
		Title:      layout.Text{EN: "Key exchange: curves, SM2, ML-KEM and the hybrid", ZH: "密钥交换：椭圆曲线、SM2、ML-KEM 与混合方案"},
		Answers:    x.answers(),
		Headline:   answer.NonEmpty(x.table(false)),
		Tables:     answer.NonEmpty(x.table(true), answer.KeyTable(layout.Text{EN: "Every step", ZH: "全部步骤"}, v.Rows, func(*document.Row) bool { return true })),
		Charts:     slices.Concat(v.RatioChart(answer.ContrastKeys), x.overBytes()),
		Next:       []layout.Next{{Command: "cryptogauge run exchange", Why: layout.Text{EN: "every step, ML-KEM-1024, P-384, the other libraries", ZH: "每个步骤、ML-KEM-1024、P-384 与其他密码库"}}},
	}
}

type exchangeView struct{ *answer.View }

// wire are the bytes that either party sends: points uncompressed (SEC 1 §2.3.3),
// X25519's (RFC 7748 §5), ML-KEM's (FIPS 203, table 3), and the two together.
var wire = map[string]struct{ first, second int }{
	"ECDH-P-256": {65, 65}, "ECDH-P-384": {97, 97}, "X25519": {32, 32}, "SM2-exchange": {65, 65},
	"ML-KEM-768": {1184, 1088}, "ML-KEM-1024": {1568, 1568}, "X25519MLKEM768": {1216, 1120},
}

func wireBytes(algorithm string) int { return wire[algorithm].first + wire[algorithm].second }

func (x *exchangeView) of(algorithm, operation, library string) *document.Row {
	for _, r := range x.Rows {
		if r.Algorithm == algorithm && r.Operation == operation && (library == "" || r.Who() == library) {
			return r
		}
	}
	return nil
}

func (x *exchangeView) answers() (out []layout.Answer) {
	for _, a := range []*layout.Answer{
		x.hybrid(),
		x.hybridSteps(),
		x.against("ECDH-P-256", "X25519", true,
			layout.Text{EN: "X25519 in %s: the whole exchange %s.", ZH: "%s 的 X25519：完整交换%s。"}, layout.Same("ECDH P-256")),
		x.against("ECDH-P-256", "SM2-exchange", true,
			layout.Text{EN: "SM2 key exchange in %s (it also authenticates both parties): the whole exchange %s.", ZH: "%s 的 SM2 密钥交换（同时认证双方身份）：完整交换%s。"}, layout.Same("ECDH P-256")),
		x.against("X25519", "ML-KEM-768", false,
			layout.Text{EN: "ML-KEM-768 without X25519 in %s: the whole exchange %s.", ZH: "%s 的 ML-KEM-768（不与 X25519 混合）：完整交换%s。"}, layout.Same("X25519")),
		x.libraries("ML-KEM-768"), x.libraries("SM2-exchange"), x.derivation(),
	} {
		if a != nil {
			a.Experiment = x.Experiment
			out = append(out, *a)
		}
	}
	return out
}

// against sets one exchange's whole against another's.
func (x *exchangeView) against(base, other string, short bool, sentence, than layout.Text) *layout.Answer {
	b, o := x.of(base, "session", ""), x.of(other, "session", "")
	c := x.Compare(b, o)
	if c == nil {
		return nil
	}
	return &layout.Answer{Mark: layout.Plain, Short: short, Evidence: []string{c.ID, b.ID, o.ID},
		Text: layout.Say(sentence.EN, sentence.ZH, answer.Label(o.Who()), answer.Versus(c, than))}
}

// hybrid says what withstanding quantum computers costs beside X25519: CPU and bytes.
func (x *exchangeView) hybrid() *layout.Answer {
	b, o := x.of("X25519", "session", ""), x.of("X25519MLKEM768", "session", "")
	c := x.Compare(b, o)
	if c == nil {
		return nil
	}
	return &layout.Answer{Mark: layout.Choose, Short: true, Evidence: []string{c.ID, b.ID, o.ID},
		Text: layout.Say("Exchange keys with X25519MLKEM768 to withstand future quantum computers; it is no weaker than X25519. The whole exchange %s; %s bytes are sent, X25519 needs %s.",
			"请用 X25519MLKEM768 交换密钥，以防范日后的量子计算机；安全性不低于 X25519。完整交换%s；传输 %s 字节，X25519 只需 %s 字节。",
			answer.Versus(c, layout.Same("X25519")), strconv.Itoa(wireBytes("X25519MLKEM768")), strconv.Itoa(wireBytes("X25519")))}
}

// hybridSteps says what the steps of the hybrid cost either side, where it is shown
// that they cost more.
func (x *exchangeView) hybridSteps() *layout.Answer {
	a := &layout.Answer{Mark: layout.Plain}
	var parts []layout.Text
	for _, op := range []string{"generate", "encapsulate", "decapsulate"} {
		b, o := x.of("X25519", op, ""), x.of("X25519MLKEM768", op, "")
		if c := x.Compare(b, o); c != nil && answer.Decided(c, "slower") {
			parts = append(parts, layout.Say("%s %s", "%s%s", answer.ExchangeOperation(op), answer.Versus(c, layout.Same("X25519"))))
			a.Evidence = append(a.Evidence, c.ID, b.ID, o.ID)
		}
	}
	if len(parts) == 0 {
		return nil
	}
	a.Text = layout.Say("X25519MLKEM768, step by step: %s.", "X25519MLKEM768 各步骤：%s。", answer.Join(parts))
	return a
}

// derivation says what a session key costs on top of the secret.
func (x *exchangeView) derivation() *layout.Answer {
	whole, key := x.of("X25519", "session", ""), x.of("X25519", "session-key", "")
	all, ok := answer.Nanoseconds(whole)
	one, there := answer.Nanoseconds(key)
	if !ok || !there || all <= 0 {
		return nil
	}
	return &layout.Answer{Mark: layout.Plain, Evidence: []string{key.ID, whole.ID},
		Text: layout.Say("Deriving a session key from the secret with HKDF takes %s; for both parties that is %s of an X25519 exchange.", "用 HKDF 从共享秘密派生会话密钥耗时 %s；双方合计占 X25519 完整交换的 %s。",
			layout.FormatTime(one), layout.FormatShare(2*one/all))}
}

// libraries sets the other library of an exchange against the first.
func (x *exchangeView) libraries(algorithm string) *layout.Answer {
	first := x.of(algorithm, "session", "")
	for _, r := range x.Rows {
		if first == nil || r.Algorithm != algorithm || r.Operation != "session" || r.Who() == first.Who() {
			continue
		}
		if c := x.Compare(first, r); c != nil {
			return &layout.Answer{Mark: answer.MarkOf(c), Evidence: []string{c.ID, first.ID, r.ID},
				Text: layout.Say("%s in %s: the whole exchange %s.", "%[2]s 的 %[1]s：完整交换%[3]s。", algorithm, answer.Label(r.Who()), answer.Versus(c, layout.Say("in %s", "%s", answer.Label(first.Who()))))}
		}
	}
	return nil
}

// table sets the exchanges beside each other.
func (x *exchangeView) table(whole bool) layout.Table {
	t := layout.Table{Title: layout.Text{EN: "Key exchange: CPU time of either party, and bytes", ZH: "密钥交换：双方的 CPU 时间与字节数"},
		Columns: []layout.Column{answer.TextColumn("Exchange", "方案"), answer.LibraryColumn, answer.NumberColumn(layout.Text{EN: "strength", ZH: "强度"}),
			answer.NumberColumn(layout.Text{EN: "generate", ZH: "生成密钥"}), answer.NumberColumn(layout.Text{EN: "reply", ZH: "应答"}), answer.NumberColumn(layout.Text{EN: "read reply", ZH: "读取应答"}),
			answer.NumberColumn(layout.Text{EN: "total", ZH: "完整交换"}), answer.NumberColumn(layout.Text{EN: "sent", ZH: "传输"})}}
	if whole {
		t.Caption = layout.Text{EN: "The initiator generates a key pair and reads the reply. The responder replies: with a KEM it encapsulates; with Diffie-Hellman it generates its own key pair and computes the secret. Total: the work of both parties, including an HKDF session key on each side. PQ: withstands quantum computers. Strength in bits: NIST SP 800-57 Part 1 Rev. 5; for ML-KEM the category claimed in FIPS 203.",
			ZH: "发起方生成密钥并读取应答；响应方应答：KEM 为封装，Diffie-Hellman 为生成自己的密钥并计算共享秘密。完整交换为双方工作之和，并各自用 HKDF 派生会话密钥。安全强度（比特）：NIST SP 800-57 Part 1 Rev. 5；ML-KEM 按 FIPS 203 声明的类别。"}
		t.Columns = append(t.Columns, answer.TextColumn("PQ", "抗量子"))
	}
	var seen [][2]string
	for _, r := range x.Rows {
		pair := [2]string{r.Algorithm, r.Who()}
		if slices.Contains(seen, pair) {
			continue
		}
		seen = append(seen, pair)
		row := layout.TableRow{RowID: r.ID, Cells: []layout.Cell{answer.TextCell(r.Algorithm), answer.TextCell(r.Who()), answer.TextCell(strconv.Itoa(answer.StrengthOf(r.Algorithm)))}}
		for _, op := range []string{"generate", "encapsulate", "decapsulate", "session"} {
			row.Cells = append(row.Cells, answer.TimeCell(x.of(r.Algorithm, op, r.Who())))
		}
		row.Cells = append(row.Cells, answer.BytesCell(wireBytes(r.Algorithm)))
		if whole {
			row.Cells = append(row.Cells, layout.Cell{Text: answer.PostQuantum(r.Algorithm)})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// overBytes draws what an exchange costs in time over what it costs in bytes.
func (x *exchangeView) overBytes() []layout.Chart {
	chart := layout.Chart{Kind: layout.SpeedOverSize, Y: answer.TimeAxis,
		X:       layout.Axis{Title: layout.Text{EN: "bytes sent by both parties", ZH: "双方传输的字节数"}, Unit: "B"},
		Title:   layout.Text{EN: "Whole exchange: time against bytes", ZH: "完整交换：时间与字节数"},
		Caption: layout.Text{EN: "Further left and lower is cheaper.", ZH: "越靠左下越省。"}}
	for _, r := range x.Rows {
		if r.Operation != "session" {
			continue
		}
		if p, ok := answer.TimePoint(r, float64(wireBytes(r.Algorithm))); ok {
			chart.Series = append(chart.Series, layout.Series{Name: layout.Same(r.Algorithm + " " + r.Who()), Points: []layout.Point{p}})
		}
	}
	if len(chart.Series) < 2 {
		return nil
	}
	return []layout.Chart{chart}
}
