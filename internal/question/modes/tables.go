package modes

import (
	"cmp"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/plan"
)

var libraryColumn = answer.By(func(k answer.Key) string { return k.Subject })

// timed are the columns of both operations at the size that tables are at, each with its time.
func (m *modesView) timed() (all answer.Columns[answer.Key]) {
	for _, op := range plan.BothWays {
		name := answer.Operation(op)
		all = append(all, answer.On(func(k answer.Key) *document.Row { return m.row(k, op) },
			answer.Figure(name.EN, name.ZH, answer.Cell), answer.EachTime)...)
	}
	return all
}

// either is the row that a line has at the size that tables are at, of encryption if it has
// one.
func (m *modesView) either(k answer.Key) *document.Row {
	return cmp.Or(m.row(k, algorithm.Encrypt), m.row(k, algorithm.Decrypt))
}

// measured are the lines of all algorithms that have a row at that size, of whichever operation.
func (m *modesView) measured() (lines []answer.Key) {
	for _, name := range m.algorithms() {
		lines = append(lines, answer.Select(m.lines(name, ""), func(k answer.Key) bool { return m.either(k) != nil })...)
	}
	return lines
}

// speeds is the small table of SM4: for each library and direction a line of rates and one of
// times, a column a mode. CFB and OFB are in the full tables: here there is room for what
// people choose from.
func (m *modesView) speeds() layout.Table {
	var ways []answer.Key
	for _, op := range plan.BothWays {
		for _, library := range m.libraries(algorithm.SM4) {
			if answer.Primary(library) && !answer.CalledOtherwise(library) {
				ways = append(ways, sm4("", library, op))
			}
		}
	}
	modes := slices.DeleteFunc(m.modes(algorithm.SM4),
		func(mode string) bool { return mode == algorithm.CFB || mode == algorithm.OFB })
	shown := func(does func(answer.Key) layout.Text, cell func(*document.Row) layout.Cell) answer.Columns[answer.Key] {
		return slices.Concat(libraryColumn, answer.Told("", "", does),
			answer.Each(modes, layout.Same, func(k answer.Key, mode string) layout.Cell {
				k.Mode = mode
				return cell(m.At(k, m.at))
			}))
	}
	does := func(k answer.Key) layout.Text { return answer.Operation(k.Operation) }
	takes := func(k answer.Key) layout.Text { return layout.Say("%s, time", "%s，每次耗时", does(k)) }
	return answer.Table[answer.Key]{
		Title: layout.Say("%s, messages of %s: bytes per second of CPU time, and time per message", "%s，消息长度 %s：每秒 CPU 时间处理的字节数，每条消息的耗时",
			algorithm.SM4, answer.SizeText(m.at)),
		Caption: newCode(m.libraries(algorithm.SM4)),
		Columns: []answer.Columns[answer.Key]{shown(does, answer.Cell)},
		Beneath: []answer.Columns[answer.Key]{shown(takes, answer.TimeBeside)},
	}.Of(ways)
}

// newCode says of what is marked as new, among libraries, when to choose it.
func newCode(libraries []string) layout.Text {
	if !slices.ContainsFunc(libraries, answer.IsNew) {
		return layout.Text{}
	}
	return layout.Text{EN: "New: no third party has reviewed it; choose it once you trust new code.", ZH: "“新”：尚无第三方审查，信任之后再选用。"}
}

// others is the small table of what is not SM4, by library.
func (m *modesView) others() layout.Table {
	lines := answer.Select(m.measured(), func(k answer.Key) bool {
		return k.Algorithm != algorithm.SM4 && !answer.CalledOtherwise(k.Subject)
	})
	slices.SortStableFunc(lines, func(a, b answer.Key) int {
		if a.Algorithm != b.Algorithm {
			return 0
		}
		libraries := m.libraries(a.Algorithm)
		return slices.Index(libraries, a.Subject) - slices.Index(libraries, b.Subject)
	})
	return answer.Table[answer.Key]{
		Title:   layout.Say("Other ciphers for comparison, messages of %s", "其他算法对照，消息长度 %s", answer.SizeText(m.at)),
		Columns: []answer.Columns[answer.Key]{answer.Titled("Cipher", "算法", cipherName), libraryColumn, m.timed()},
	}.Of(lines)
}

func (m *modesView) tables() (out []layout.Table) {
	for _, name := range m.algorithms() {
		for _, op := range plan.BothWays {
			out = append(out, m.bySize(name, op), m.timesBySize(name, op))
		}
	}
	return answer.NonEmpty(append(append(out, m.helpers()...), m.Costs(), m.selection(), allowed(), rules(), m.repetition())...)
}

// bySize is one algorithm in one direction: a line a library and mode, a column a size.
func (m *modesView) bySize(name, op string) layout.Table {
	largest := func(k answer.Key) *document.Row { return answer.Last(m.AtEach(k, m.sizes)) }
	return answer.Table[answer.Key]{
		Title: layout.Say("%s, %s", "%s，%s", name, answer.Operation(op)),
		Row:   largest,
		Columns: []answer.Columns[answer.Key]{
			answer.Words("Mode", "工作模式", func(k answer.Key) layout.Cell {
				c := answer.TextCell(cmp.Or(k.Mode, name))
				r := largest(k)
				c.Footnotes, _ = answer.SplitNotes(answer.Cell(r).Footnotes, r.Security)
				return c
			}),
			answer.By(func(k answer.Key) string { return answer.LibraryOf(k.Subject) }),
			answer.On(largest, answer.Kernel),
			answer.EachSize(m.sizes, func(k answer.Key, size int64) layout.Cell {
				r := m.At(k, size)
				c := answer.Cell(r)
				if r != nil {
					_, c.Footnotes = answer.SplitNotes(c.Footnotes, r.Security)
				}
				return c
			}),
			answer.On(largest, answer.Allocs),
		},
	}.Of(answer.Select(m.lines(name, op), func(k answer.Key) bool { return largest(k) != nil }))
}

// timesBySize is the same in times, whose notes stand beside the rates.
func (m *modesView) timesBySize(name, op string) layout.Table {
	return answer.Table[answer.Key]{
		Title: layout.Say("%s, %s: time per message", "%s，%s：每条消息耗时", name, answer.Operation(op)),
		Columns: []answer.Columns[answer.Key]{
			answer.Titled("Mode", "工作模式", func(k answer.Key) string { return cmp.Or(k.Mode, name) }),
			libraryColumn,
			answer.EachSize(m.sizes, func(k answer.Key, size int64) layout.Cell { return answer.TimeBeside(m.At(k, size)) }),
		},
	}.Of(answer.Select(m.lines(name, op), func(k answer.Key) bool {
		return slices.ContainsFunc(m.AtEach(k, m.sizes), answer.IsTimed)
	}))
}

// helpers lists the one-call helpers. They do more inside the call than the rows
// above, so they have a table of their own.
func (m *modesView) helpers() []layout.Table {
	keys := answer.Values(m.Rows, m.Sizeless, func(r *document.Row) bool {
		return !answer.PlainOperation(r) && r.Operation != algorithm.Exposure
	})
	of := func(title, caption layout.Text, show func(*document.Row) layout.Cell) layout.Table {
		return answer.Table[answer.Key]{Title: title, Caption: caption, Columns: []answer.Columns[answer.Key]{
			answer.Titled("Mode", "工作模式", cipherName),
			answer.Titled("Library", "库", func(k answer.Key) string { return k.Subject }),
			answer.Told("What is done", "操作", func(k answer.Key) layout.Text { return answer.Operation(k.Operation) }),
			answer.EachSize(m.sizes, func(k answer.Key, size int64) layout.Cell { return show(m.At(k, size)) }),
		}}.Of(keys)
	}
	return []layout.Table{
		of(layout.Text{EN: "One-call helpers, not comparable with the rows above", ZH: "一次性调用的辅助函数，不可与上表比较"},
			layout.Text{EN: "Each call expands the key, allocates the output, and pads where the operation says so.",
				ZH: "它们在调用内部进行密钥扩展、分配输出，并按操作名所示进行填充。"}, answer.Cell),
		of(layout.Text{EN: "One-call helpers: time per call", ZH: "一次性调用的辅助函数：每次耗时"}, layout.Text{}, answer.TimeBeside),
	}
}
