package batches

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

var Question = answer.Question{Name: "batches", Narrowing: []string{"--algorithms", "--modes", "--sizes", "--libraries"},
	Layout: layOut, Use: wayText,
	Asks: layout.Text{EN: "How much faster is it to authenticate or encrypt many short messages in one call, under one key or a key each?",
		ZH: "大量短消息一次调用成批计算 MAC 或加密（同一密钥或各用一个密钥）能快多少？"}}

func layOut(v *answer.View) layout.Layout {
	b := &view{v, answer.Values(v.Rows, answer.MessageSize, nil)}
	line, chosen := v.Chosen(b.advice()...)
	return layout.Layout{
		Title:    layout.Text{EN: "Many messages in one call", ZH: "成批处理大量消息"},
		Line:     answer.FirstSaid(b.line(), line),
		Answers:  answer.Said(slices.Concat([]*layout.Answer{answer.Short(b.inLanes()), b.encrypted()}, chosen, []*layout.Answer{b.keys()})...),
		Headline: answer.NonEmpty(b.table(b.titled(usualMessages, b.sizes[0]), b.at(usualMessages, b.sizes[0]))),
		Tables:   b.tables(),
		Charts:   b.charts(),
		Next: []layout.Next{
			answer.Run("batches --algorithms HMAC-SM3", "only HMAC-SM3", "仅 HMAC-SM3"),
			answer.Run("batches", "every size and number of messages", "全部长度与条数"),
		},
	}
}

type view struct {
	*answer.View
	sizes []int64 // of messages, in the plan's order
}

func wayOf(r *document.Row) way {
	return way{job{r.Algorithm, r.Mode, r.Operation}, parameter.Way.In(r.Parameters), parameter.Keys.In(r.Parameters), answer.MessagesOf(r)}
}

var texts = map[parameter.Manner]layout.Text{
	parameter.New:   {EN: "new per message", ZH: "每条消息新建"},
	parameter.Kept:  {EN: "kept and Reset", ZH: "复用并 Reset"},
	parameter.Lanes: {EN: "in SIMD lanes", ZH: "SIMD 多通道"},
}

var encryptionTexts = map[parameter.Manner]layout.Text{
	parameter.Kept:     {EN: "ciphers kept", ZH: "复用 cipher 实例"},
	parameter.LanesNew: {EN: "in SIMD lanes, raw keys", ZH: "SIMD 多通道，密钥未扩展"},
}

func wayText(r *document.Row) layout.Text {
	w := wayOf(r)
	if text, ok := encryptionTexts[w.by]; ok && w.encrypts() {
		return text
	}
	return texts[w.by]
}

// name is the algorithm of a job, with its mode.
func (j job) name() string { return result.Case{Algorithm: j.algorithm, Mode: j.mode}.Name() }

// find is the row of a way at a size, in the library that comes first.
func (b *view) find(w way, size int64) *document.Row {
	return b.First(func(r *document.Row) bool { return wayOf(r) == w && answer.MessageSize(r) == size })
}

// advice is how to authenticate the messages of each job at the first size: under one key, where that was measured.
func (b *view) advice() (all []answer.Advice) {
	type work struct {
		job
		keys, messages, size int64
	}
	seen := map[job]bool{}
	authenticating := b.Select(func(r *document.Row) bool { return !wayOf(r).encrypts() })
	for _, rows := range document.Grouped(authenticating, func(r *document.Row) work {
		w := wayOf(r)
		return work{w.job, w.keys, w.messages, answer.MessageSize(r)}
	}) {
		if w := wayOf(rows[0]); !seen[w.job] {
			seen[w.job] = true
			all = append(all, answer.Advice{Rows: rows, Ways: true,
				Job: layout.Say("%s messages of %s", "%s 条 %s 消息", answer.Number(int(w.messages)), answer.SizeText(answer.MessageSize(rows[0]))),
				Name: func(r *document.Row) layout.Text {
					return layout.Say("%s, %s", "%s（%s）", r.Algorithm, wayText(r))
				},
				Secure: layout.Same(algorithm.HMACSHA256)})
		}
	}
	return all
}

// line is to keep what a key is made ready in, and what lanes gain beside that, at the first size.
func (b *view) line() *layout.Answer {
	var l answer.Summary
	var first *document.Comparison
	var lanes []*document.Comparison
	for _, j := range authentication {
		c := b.keptAgainstNew(j, b.sizes[0])
		if first == nil && answer.Decided(c, "faster") {
			first, l.Mark = c, layout.Choose
			l.Do = layout.Say("Reset a kept %s (%s)", "%[2]s 的 %[1]s 请复用并 Reset", j.algorithm, b.ByID[c.Other].Who())
			l.Pay(answer.Ratio(c, layout.Text{EN: "a new one", ZH: "每次新建"}), c)
		}
		if c := b.compare(j, 1, b.sizes[0]); answer.Decided(c, "faster") {
			lanes = append(lanes, c)
		}
	}
	if first == nil {
		return nil
	}
	if len(lanes) > 0 {
		l.Pay(b.lanesThen(first, lanes), lanes...)
	}
	return l.Said(first)
}

// lanesThen is what lanes gain over what is kept, which a sentence has just advised for the first algorithm.
func (b *view) lanesThen(kept *document.Comparison, lanes []*document.Comparison) (text layout.Text) {
	for i, c := range lanes {
		of := layout.Same(b.ByID[c.Other].Algorithm)
		switch {
		case i > 0:
			text = layout.Say("%s, for %s %s", "%s，%s 为 %s", text, of, answer.Times(c))
		case of.EN == b.ByID[kept.Other].Algorithm:
			text = layout.Say("SIMD lanes (new): %s that", "SIMD 多通道（新）为复用时的 %s", answer.Times(c))
		default:
			text = layout.Say("SIMD lanes (new) make a kept %s %s as fast", "%s 改用 SIMD 多通道（新）为复用时的 %s", of, answer.Times(c))
		}
	}
	return text
}

func (b *view) keptAgainstNew(j job, size int64) *document.Comparison {
	kept := way{j, parameter.Kept, 1, usualMessages}
	return b.Against(b.find(kept.in(parameter.New), size), b.find(kept, size), 1)
}

func (b *view) compare(j job, keys, size int64) *document.Comparison {
	kept := way{j, parameter.Kept, keys, usualMessages}
	return b.Compare(b.find(kept, size), b.find(kept.in(parameter.Lanes), size))
}

// inLanes says what lanes gain, under one key and under a key each.
func (b *view) inLanes() *layout.Answer {
	var said answer.Clauses
	for _, j := range authentication {
		for _, size := range b.sizes {
			var first *document.Comparison
			for _, keys := range []int64{1, usualMessages} {
				c := b.compare(j, keys, size)
				if c == nil || !c.Headline {
					continue
				}
				part := layout.Say("%s of %s under %s %s", "%[2]s 的 %[1]s，%[3]s：%[4]s", j.algorithm, answer.SizeText(size), underKeys(keys),
					answer.Ratio(c, answer.Label(b.ByID[c.Base].Who())))
				if first != nil {
					if number, again := answer.Again(first, c); again {
						part = layout.Say("under %s %s", "%s为 %s", underKeys(keys), number)
					}
				}
				first = c
				said.Tell(part, c)
			}
		}
	}
	return said.Sentence(answer.MarkOf(said.Found...),
		"%d messages in one call, in SIMD lanes (new; package multibuffer), compared with an HMAC that is kept and Reset: %s.",
		"%d 条消息一次调用、SIMD 多通道（新；multibuffer 包），与复用 HMAC 并 Reset 相比：%s。", usualMessages, answer.Semicolons(said.Parts))
}

// encrypted says what lanes gain where messages are encrypted: under ciphers that are kept, and under raw keys
// compared with a new cipher for each.
func (b *view) encrypted() *layout.Answer {
	var said answer.Clauses
	for _, j := range encryption {
		for _, size := range b.sizes {
			for _, x := range []struct {
				base, other parameter.Manner
				keys        int64
				under       layout.Text
			}{
				{parameter.New, parameter.LanesNew, usualMessages,
					layout.Text{EN: "raw keys, compared with a new cipher for each", ZH: "密钥未扩展，与每条消息新建 cipher 实例相比"}},
				{parameter.Kept, parameter.Lanes, usualMessages, layout.Text{EN: "kept ciphers, a key each", ZH: "复用 cipher 实例，各用一个密钥"}},
				{parameter.Kept, parameter.Lanes, 1, layout.Text{EN: "a kept cipher, one key", ZH: "复用 cipher 实例，同一密钥"}},
			} {
				w := way{j, x.base, x.keys, usualMessages}
				c := b.Compare(b.find(w, size), b.find(w.in(x.other), size))
				if c == nil || !c.Headline {
					continue
				}
				said.Tell(layout.Say("%s of %s, %s: %s", "%[2]s 的 %[1]s，%[3]s：%[4]s", j.name(), answer.SizeText(size), x.under,
					answer.Ratio(c, answer.Label(b.ByID[c.Base].Who()))), c)
			}
		}
	}
	return said.Sentence(answer.MarkOf(said.Found...),
		"%d messages encrypted in one call, in SIMD lanes (new; package sm4), compared with one after the other: %s.",
		"%d 条消息一次调用加密、SIMD 多通道（新；sm4 包），与逐条加密相比：%s。", usualMessages, answer.Semicolons(said.Parts))
}

// underKeys says how many keys the messages of a call are under.
func underKeys(n int64) layout.Text {
	if n == 1 {
		return layout.Text{EN: "one key", ZH: "同一密钥"}
	}
	return layout.Text{EN: "a key each", ZH: "各用一个密钥"}
}

// keys says what it costs to make an HMAC for each message.
func (b *view) keys() *layout.Answer {
	var said answer.Clauses
	for _, j := range authentication {
		for _, size := range b.sizes {
			if c := b.keptAgainstNew(j, size); c != nil && c.Headline {
				said.Tell(layout.Say("%s of %s %s", "%[2]s 的 %[1]s：%[3]s", j.algorithm, answer.SizeText(size),
					answer.Ratio(c, layout.Text{EN: "a new one", ZH: "每次新建"})), c)
			}
		}
	}
	mark := answer.MarkOf(said.Found...)
	if answer.AllAre(said.Found, "faster") {
		mark = layout.Choose
	}
	return said.Sentence(mark, "Keep an HMAC for each key and Reset it, do not make one per message: %s.",
		"请为每个密钥保留一个 HMAC 并 Reset，不要每条消息新建：%s。", answer.Semicolons(said.Parts))
}

// against is a row's speed over that of the state that is kept, or, in lanes that make keys ready, of new ones.
func (b *view) against(r *document.Row) layout.Cell {
	w, base := wayOf(r), parameter.Kept
	if w.by == parameter.LanesNew {
		base = parameter.New
	}
	if c := b.Compare(b.find(w.in(base), answer.MessageSize(r)), r); c != nil && w.by != parameter.Kept {
		return answer.TextCell(answer.Figures(c))
	}
	return answer.Dash()
}

// table has a line a row; the full one says more of each.
func (b *view) table(title layout.Text, rows []*document.Row, more ...answer.RowColumns) layout.Table {
	return answer.Table[*document.Row]{
		Title: title,
		Caption: layout.Text{EN: "Time of one message. Speed ratio: compared with an HMAC that is kept and Reset, or a kept cipher; " +
			"of raw keys in lanes, with a new cipher for each message; with its interval.",
			ZH: "单条消息耗时。速度比：与复用 HMAC 并 Reset 或复用 cipher 实例相比；多通道内扩展密钥时与每条消息新建 cipher 实例相比；附置信区间。"},
		Columns: append([]answer.RowColumns{
			answer.Titled("algorithm", "算法", func(r *document.Row) string { return wayOf(r).name() }),
			answer.Told("Way", "方式", wayText),
			answer.Printed("keys", "密钥数", func(r *document.Row) string { return layout.FormatCount(float64(wayOf(r).keys)) }),
			answer.Library, answer.Figure("message", "单条耗时", answer.MessageTime), answer.Figure("speed ratio", "速度比", b.against),
		}, more...),
	}.Of(rows)
}

var moreColumns = []answer.RowColumns{
	answer.Rate, answer.Allocs,
	answer.Kernel, answer.Secrets,
}

// at are the rows of so many messages of a size, ours last.
func (b *view) at(messages, size int64) []*document.Row {
	rows := b.Select(func(r *document.Row) bool { return answer.MessagesOf(r) == messages && answer.MessageSize(r) == size })
	slices.SortStableFunc(rows, func(x, y *document.Row) int { return rank(x) - rank(y) })
	return rows
}

// rank orders rows by job, and ours after the established ones of each.
func rank(r *document.Row) int {
	place := 2 * slices.Index(jobs, wayOf(r).job)
	if r.Library == subject.Engine {
		place++
	}
	return place
}

func (b *view) titled(messages, size int64) layout.Text {
	return layout.Say("%s messages of %s in a call", "每次调用 %s 条 %s 消息", layout.FormatCount(float64(messages)), answer.SizeText(size))
}

func (b *view) tables() (all []layout.Table) {
	counts := answer.Values(b.Rows, answer.MessagesOf, nil)
	for _, size := range b.sizes {
		for _, n := range counts {
			all = append(all, b.table(b.titled(n, size), b.at(n, size), moreColumns...))
		}
	}
	return answer.NonEmpty(all...)
}

// charts are the ratios that the sentences stand on, then speed over size.
func (b *view) charts() []layout.Chart {
	out := b.RatioChart(func(base, other *document.Row) layout.Text {
		w := wayOf(other)
		return layout.Say("%s, %s (%s), %s / %s", "%s，%s（%s），%s / %s", w.name(), answer.SizeText(answer.MessageSize(other)), underKeys(w.keys),
			wayText(other), wayText(base))
	})
	if len(b.sizes) < 2 {
		return out
	}
	rows := b.Select(func(r *document.Row) bool { return answer.MessagesOf(r) == usualMessages && wayOf(r).keys == 1 })
	var lines []answer.Line
	for _, same := range document.Grouped(rows, wayOf) {
		lines = append(lines, answer.Line{Rows: same, New: answer.IsNew(same[0].Library),
			Name: layout.Say("%s, %s", "%s，%s", wayOf(same[0]).name(), wayText(same[0]))})
	}
	return append(out, b.Lines(layout.Chart{
		Title: layout.Say("%d messages under one key: speed over message size", "同一密钥下 %d 条消息：吞吐量与消息长度", usualMessages),
		X:     layout.Axis{Title: layout.Text{EN: "message size", ZH: "消息长度"}, Unit: "B"},
	}, lines, answer.Over(answer.MessageSize))...)
}
