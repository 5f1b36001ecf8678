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

// line is what a line of a table has: a cipher of a library by the name that the view has
// for it, in one environment and direction.
type line struct {
	answer.Key // without a size
	withoutAES bool
}

// lines are those of an operation, in the plan's order, ours last. Where turning AES
// instructions off changed no kernel, there is one line and not two: the second would
// say of the same code that it runs without what it never had.
func (m *messagesView) lines(op string) []line {
	rows := m.Select(func(r *document.Row) bool { return r.Operation == op })
	found := answer.Select(answer.Values(rows, m.line, nil), func(l line) bool { return !l.withoutAES || m.turnedOff(l) })
	slices.SortStableFunc(found, answer.Behind(func(l line) bool { return answer.IsNew(l.Subject) }))
	return found
}

func (m *messagesView) line(r *document.Row) line { return line{m.Sizeless(r), isWithoutAES(r)} }

// turnedOff says whether any row of a line without AES instructions ran another
// kernel than its twin with them, or has no twin.
func (m *messagesView) turnedOff(l line) bool {
	alike := 0
	for _, r := range m.Select(func(r *document.Row) bool { return m.line(r) == l }) {
		with := m.First(func(o *document.Row) bool { return twins(o, r) })
		switch {
		case with == nil:
		case with.Implementation != r.Implementation:
			return true
		default:
			alike++
		}
	}
	return alike == 0
}

// any is the row of a line at the largest size that was measured.
func (m *messagesView) any(l line) *document.Row { return answer.Last(m.AtEach(l.Key, m.sizes)) }

// timeCell shows a row's time per message, or why there is none.
func timeCell(r *document.Row) layout.Cell {
	c := answer.Cell(r)
	if r != nil && r.NsPerOp != nil {
		c.Text = layout.Same(layout.FormatTime(r.NsPerOp.Median / float64(answer.MessagesOf(r))))
	}
	return c
}

func (m *messagesView) named() answer.Columns[line] {
	return slices.Concat(
		answer.Titled("Cipher", "算法", func(l line) string { return answer.CaseName(l.Algorithm, l.Mode) }),
		answer.By(func(l line) string {
			if l.withoutAES {
				return answer.LibraryOf(l.Subject)
			}
			return l.Subject // with its kernel, where it is not the library's first
		}),
		answer.Told("AES instr.", "AES 指令", func(l line) layout.Text { return m.usesAES(m.any(l)) }))
}

// headline is for the quick screen: time and throughput at the headline sizes.
func (m *messagesView) headline() layout.Table {
	op := m.main()
	columns := m.named()
	for _, size := range m.heads {
		name := layout.Same(answer.SizeText(size))
		if m.mixed() {
			name = layout.Text{EN: "your mix", ZH: "你的分布"}
		}
		columns = append(columns, answer.On(func(l line) *document.Row { return m.At(l.Key, size) },
			answer.Figure(name.EN, name.ZH, timeCell), answer.Rate)...)
	}
	return answer.Table[line]{
		Title: layout.Say("Small messages, %s: time per message, and bytes per second of CPU time",
			"小消息%s：单条耗时与每秒 CPU 时间处理的字节数", answer.Direction(op)),
		Row: m.any, Columns: []answer.Columns[line]{columns},
	}.Of(answer.Select(m.lines(op), func(l line) bool { return answer.Primary(l.Subject) || l.withoutAES }))
}

func (m *messagesView) tables() (out []layout.Table) {
	for _, op := range plan.BothWays {
		if m.mixed() {
			out = append(out, m.mix(op))
			continue
		}
		name := answer.Upper(answer.Direction(op))
		out = append(out, m.bySize(op, layout.Say("%s, time per message", "%s，单条消息耗时", name), timeCell),
			m.bySize(op, layout.Say("%s, bytes per second of CPU time", "%s，每秒 CPU 时间处理的字节数", name), answer.Cell))
	}
	out = append(out, m.bySize(algorithm.NewEncrypt, layout.Text{EN: "Sealing, with a new key for each message: time per message",
		ZH: "加密，每条消息都换新密钥：单条消息耗时"}, timeCell))
	return answer.NonEmpty(append(out, m.nonceTable(), m.kernels(), m.crossoverTable(), m.Costs())...)
}

// bySize is one direction: a line a cipher and library, a column a size.
func (m *messagesView) bySize(op string, title layout.Text, show func(*document.Row) layout.Cell) layout.Table {
	return answer.Table[line]{Title: title, Row: m.any, Columns: []answer.Columns[line]{m.named(),
		answer.EachSize(m.sizes, func(l line, size int64) layout.Cell { return show(m.At(l.Key, size)) }),
	}}.Of(m.lines(op))
}

// kernels says what ran: which kernel on the shortest and on the longest
// messages, whether its time depends on secrets, and what a call allocates.
func (m *messagesView) kernels() layout.Table {
	return answer.Table[line]{
		Title: layout.Text{EN: "What ran", ZH: "实际运行的实现"}, Row: m.any,
		Caption: layout.Text{
			EN: "AES instr.: no means measured with " + parameter.WithoutAES +
				", which go and gmsm obey. –: measured only with the features that the CPU has. " +
				"A CPU without AES instructions may also lack AVX2, which ChaCha20-Poly1305 still uses here. " +
				"a → b: kernels for the shortest and the longest messages.",
			ZH: "AES 指令：“否”表示在 " + parameter.WithoutAES + " 下测得，go 与 gmsm 遵从该设置；“–”表示只在 CPU 现有特性下测量。" +
				"没有 AES 指令的 CPU 可能也没有 AVX2，而此处 ChaCha20-Poly1305 仍在使用 AVX2。" +
				"a → b：最短与最长消息所用的实现。",
		},
		Columns: []answer.Columns[line]{m.named(), answer.On(m.any, answer.DirectionColumn),
			answer.Told("Kernel", "实现", func(l line) layout.Text {
				kernel := answer.KernelText(m.any(l))
				if short := m.At(l.Key, m.sizes[0]); short != nil && answer.KernelText(short) != kernel {
					kernel = layout.Say("%s → %s", "%s → %s", answer.KernelText(short), kernel)
				}
				return kernel
			}),
			answer.On(m.any, answer.Secrets, answer.Allocs),
		},
	}.Of(append(m.lines(algorithm.Encrypt), m.lines(algorithm.Decrypt)...))
}

func (m *messagesView) mix(op string) layout.Table {
	return answer.Table[line]{
		Title:   layout.Say("Your mix of message sizes, %s", "你的消息长度分布，%s", answer.Direction(op)),
		Caption: m.drawn(op), Row: m.any,
		Columns: []answer.Columns[line]{m.named(), answer.On(m.any,
			answer.Figure("per message", "每条", timeCell),
			answer.Figure("1 GB", "每 1 GB", func(r *document.Row) layout.Cell {
				if r.NsPerOp == nil || r.Bytes == 0 {
					return answer.Dash()
				}
				return answer.TextCell(layout.FormatTime(r.NsPerOp.Median / float64(r.Bytes) * 1e9))
			}),
			answer.Rate)},
	}.Of(m.lines(op))
}

func (m *messagesView) drawn(op string) layout.Text {
	r := m.First(func(r *document.Row) bool { return r.Operation == op })
	if m.Doc.Run == nil || len(m.Doc.Run.Header.Mix) == 0 || r == nil {
		return layout.Text{}
	}
	n := float64(answer.MessagesOf(r))
	return layout.Say("One call replays %s messages, drawn from the histogram in equal shares of its weight: %s on average, "+
		"the histogram's mean is %s. 1 GB is 10^9 bytes.",
		"每次调用依次重放 %s 条消息，按权重分层抽自直方图：平均 %s，直方图的均值为 %s。1 GB 为 10^9 字节。",
		layout.FormatCount(n), roughSize(float64(r.Bytes)/n), roughSize(plan.MeanSize(m.Doc.Run.Header.Mix)))
}

func (m *messagesView) crossoverTable() layout.Table {
	type crossing = document.Crossover
	first := func(c crossing) *document.Row { return m.ByID[c.A] }
	second := func(c crossing) *document.Row { return m.ByID[c.B] }
	sizes := func(least, most int64) layout.Cell {
		return answer.TextCell(answer.SizeText(least) + " – " + answer.SizeText(most))
	}
	return answer.Table[crossing]{
		Title: layout.Text{EN: "Crossovers: from which size on the second is faster", ZH: "交叉点：自何种长度起后者更快"},
		Caption: layout.Text{
			EN: "Exact intervals at 99 %, widened by the noise floor. Where a size is given, the verdicts at the measured sizes " +
				"beside it show that there is a crossover; where it lies between them is interpolated.",
			ZH: "99% 精确置信区间，已按本底噪声放宽。给出长度时，其两侧实测长度的判定表明存在交叉点；具体位置由插值得出。"},
		Row: first,
		Columns: []answer.Columns[crossing]{
			answer.On(first, answer.Told("First", "前者", who)), answer.On(second, answer.Told("Second", "后者", who)),
			answer.On(first, answer.DirectionColumn),
			answer.Figure("size", "长度", func(c crossing) layout.Cell {
				if c.Bytes != nil {
					return answer.TextCell(roughSize(c.Bytes.Median))
				}
				return layout.Cell{Text: uncrossed[c.Kind], Faint: c.Kind == document.Undecided}
			}),
			answer.Figure("interval", "置信区间", func(c crossing) layout.Cell {
				if c.Bytes == nil || c.Bytes.Low == nil || c.Bytes.High == nil {
					return answer.TextCell("–")
				}
				return answer.TextCell(answer.Span(*c.Bytes.Low, *c.Bytes.High, roughSize))
			}),
			answer.Words("between", "实测区间", func(c crossing) layout.Cell {
				if c.Bytes == nil {
					return sizes(c.Sizes[0], c.Sizes[len(c.Sizes)-1])
				}
				return sizes(c.Between[0], c.Between[1])
			}),
		},
	}.Of(answer.Select(m.Doc.Crossovers, func(c crossing) bool { return first(c) != nil && second(c) != nil }))
}

var uncrossed = map[string]layout.Text{
	document.Never:     {EN: "never", ZH: "从不"},
	document.Level:     {EN: "equal", ZH: "相当"},
	document.Undecided: {EN: "inconclusive", ZH: "无法判定"},
}

// charts are the ratios that the sentences stand on, then speed over size with the
// cost models, one chart a direction, with AES instructions and without.
func (m *messagesView) charts() []layout.Chart {
	out := m.RatioChart(m.Contrast)
	if len(m.sizes) < 2 {
		return out
	}
	for _, op := range plan.BothWays {
		name := answer.Upper(answer.Direction(op))
		all := m.lines(op)
		soft := func(l line) bool { return l.withoutAES }
		with := answer.Select(all, func(l line) bool { return !l.withoutAES && answer.Primary(l.Subject) })
		out = append(out, m.Lines(layout.Chart{
			Title: layout.Say("%s with AES instructions: speed over message size", "%s，有 AES 指令：吞吐量与消息长度", name),
		}, m.drawing(with), answer.Point)...)
		if !slices.ContainsFunc(all, soft) {
			continue // nothing differs from the chart with them
		}
		// Those that were told so, and those that have none; not our engine, whose GFNI no
		// CPU has that lacks AES instructions.
		without := answer.Select(all, func(l line) bool {
			toldSo := func(o line) bool {
				return soft(o) && answer.LibraryOf(o.Subject) == answer.LibraryOf(l.Subject) &&
					o.Algorithm == l.Algorithm && o.Mode == l.Mode
			}
			return soft(l) || answer.Primary(l.Subject) && !answer.IsNew(l.Subject) && !slices.ContainsFunc(all, toldSo)
		})
		out = append(out, m.Lines(layout.Chart{
			Title: layout.Say("%s without AES instructions: speed over message size", "%s，无 AES 指令：吞吐量与消息长度", name),
			Caption: layout.Say("Measured with %s; a CPU without AES instructions may also lack AVX2, "+
				"which ChaCha20-Poly1305 still uses here.",
				"在 %s 下测得；没有 AES 指令的 CPU 可能也没有 AVX2，而此处 ChaCha20-Poly1305 仍在使用。", parameter.WithoutAES),
		}, m.drawing(without), answer.Point)...)
	}
	return out
}

func (m *messagesView) drawing(lines []line) []answer.Line {
	return document.Mapped(lines, func(l line) answer.Line {
		name := answer.CaseName(l.Algorithm, l.Mode) + " " + answer.LibraryOf(l.Subject)
		return answer.Line{Name: layout.Same(name), New: answer.IsNew(l.Subject), Rows: m.AtEach(l.Key, m.sizes)}
	})
}

// nonceTable is what a random nonce takes, and what part it is of each message.
func (m *messagesView) nonceTable() layout.Table {
	return answer.Table[*document.Row]{
		Title: layout.Text{EN: "A random nonce for each message: what it takes, and its share of generating and sealing", ZH: "每条消息一个随机 nonce：耗时，以及它在生成与加密总耗时中所占比例"},
		Caption: layout.Say("12 bytes from the library's random number generator; the message is sealed with %s of the same library.",
			"由该库的随机数发生器生成 12 字节；消息由同一库的 %s 加密。", answer.CaseName(algorithm.AES128, algorithm.GCM)),
		Columns: []answer.RowColumns{
			answer.By(m.Name),
			answer.Figure("a nonce", "一个 nonce", answer.TimeCell),
			answer.EachSize(m.sizes, func(r *document.Row, size int64) layout.Cell {
				if part, _, _, ok := share(r, m.sealedBy(r, size)); ok {
					return answer.TextCell(layout.FormatShare(part))
				}
				return answer.Dash()
			})},
	}.Of(m.draws())
}
