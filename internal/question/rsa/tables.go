package rsa

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
)

// use is how a key is used: a padding, an operation, and how the key is held.
type use struct{ mode, operation, parameters string }

var (
	signing    = use{algorithm.PSS, algorithm.Sign, ""}
	verifying  = use{algorithm.PSS, algorithm.Verify, ""}
	decrypting = use{algorithm.OAEP, algorithm.Decrypt, ""}
	encrypting = use{algorithm.OAEP, algorithm.Encrypt, ""}
	generating = use{operation: algorithm.Generate}
	withoutCRT = use{algorithm.PSS, algorithm.Sign, parameter.WithoutCRT}
)

type line struct {
	use
	library string
}

// at is the row of a line at a length, nil where there is none.
func (r *rsaView) at(l line, length string) *document.Row {
	return r.First(func(row *document.Row) bool { return row.Algorithm == length && r.Name(row) == l.library && l.is(row) })
}

// short is the small table: a line a use and library, a column a length.
func (r *rsaView) short() layout.Table {
	var lines []line
	for _, u := range []use{signing, verifying, decrypting, encrypting, generating} {
		for _, library := range answer.Values(r.Rows, r.Name, nil) {
			l := line{u, library}
			if r.least(l) != nil && answer.Primary(library) && !answer.CalledOtherwise(library) {
				lines = append(lines, l)
			}
		}
	}
	return answer.Table[line]{
		Title: layout.Text{EN: "RSA: CPU time of a call", ZH: "RSA：单次调用的 CPU 时间"},
		Row:   r.least,
		Columns: []answer.Columns[line]{
			answer.Told("Operation", "操作", func(l line) layout.Text {
				if l.use == generating {
					return layout.Text{EN: "key generation, p50", ZH: "密钥生成，p50"}
				}
				return layout.Say("%s %s", "%s %s", algorithm.Padding(l.mode), answer.KeyOperation(l.operation))
			}),
			answer.By(func(l line) string { return l.library }),
			answer.Each(r.lengths, layout.Same, r.timeAt),
		},
	}.Of(lines)
}

// timeAt is what a line takes at a length, or why it was not measured there.
func (r *rsaView) timeAt(l line, length string) layout.Cell {
	row := r.at(l, length)
	cell := answer.TimeCell(row)
	if l.use == generating {
		cell = answer.Quantile(answer.P50)(r.drawn(row))
	}
	if row == nil {
		cell.Footnotes = []layout.Text{{EN: "not measured in this run at this length; cryptogauge run rsa measures every operation at every length",
			ZH: "本次运行未测该长度；cryptogauge run rsa 测全部操作与长度"}}
	}
	return cell
}

// least is the row of a line at the least length that has it.
func (r *rsaView) least(l line) *document.Row {
	return cmp.Or(document.Mapped(r.lengths, func(length string) *document.Row { return r.at(l, length) })...)
}

// Columns of a row: what is done, and who does it, by its kernel too where a library has
// several.
func (r *rsaView) named() answer.RowColumns {
	return append(answer.Told("Operation", "操作", answer.CaseText), answer.By(r.Name)...)
}

// full lists every operation, under its key length.
func (r *rsaView) full() layout.Table {
	rows := r.Select(func(row *document.Row) bool { return row.Operation != algorithm.Generate })
	bits := func(row *document.Row) int { return algorithm.RSABits(row.Algorithm) }
	slices.SortStableFunc(rows, func(a, b *document.Row) int { return cmp.Compare(bits(a), bits(b)) })
	return answer.Table[*document.Row]{
		Title: layout.Text{EN: "Every operation, by key length", ZH: "各密钥长度的全部操作"},
		Caption: layout.Text{
			EN: "Microseconds of CPU time per call, with the exact interval at 99 %. Encrypted is a key of 32 bytes, " +
				"signed a SHA-256 digest. The keys are fixed and built into cryptogauge.",
			ZH: "单次调用的 CPU 时间（微秒）及 99% 精确置信区间。加密对象为 32 字节密钥，签名对象为 SHA-256 摘要。密钥为本程序内置的固定密钥。"},
		Group:   strengthOf,
		Columns: []answer.RowColumns{r.named(), answer.Micro},
	}.Of(rows)
}

func strengthOf(r *document.Row) layout.Text {
	if s := algorithm.Of(r.Algorithm).Strength; s > 0 {
		return layout.Say("%s: strength of %d bits", "%s：安全强度 %d 比特", r.Algorithm, s)
	}
	return layout.Same(r.Algorithm)
}

func (r *rsaView) growth() layout.Table {
	return answer.Table[*document.Fit]{
		Title: layout.Text{EN: "Growth with the key length: t = c·bitsᵏ", ZH: "耗时随密钥长度的增长：t = c·bitsᵏ"},
		Caption: layout.Text{
			EN: "Range: the exponents found when any one length is left out and every time varies within its interval. " +
				"A model that misses the times by more than 15 % (rms) is not used.",
			ZH: "指数范围：去掉任意一个长度、并让每个耗时在置信区间内变动，所得指数的范围。均方根误差超过 15% 的模型不采用。"},
		Row: r.FitRow,
		Columns: []answer.Columns[*document.Fit]{
			answer.On(r.FitRow, r.named()),
			answer.FitFigure("exponent", "指数", answer.NoFit,
				func(f *document.Fit) string { return exponent(f.Terms["exponent"]) }),
			answer.FitFigure("range", "范围", nil, exponentRange),
			answer.FitFigure("twice the length", "长度加倍", nil, func(f *document.Fit) string { return "×" + factorOfDoubling(f) }),
			answer.Misfit,
		},
	}.Of(r.Fits(document.ModelPower))
}

func (r *rsaView) draws() layout.Table {
	rows := document.Mapped(r.lengths, func(length string) *document.Row { return r.of(length, generating) })
	drawn := func(en, zh string, text func(*document.Distribution) string) answer.RowColumns {
		return answer.Figure(en, zh, func(row *document.Row) layout.Cell {
			if d := r.drawn(row); d != nil {
				return answer.TextCell(text(d))
			}
			return answer.TextCell("–")
		})
	}
	return answer.Table[*document.Row]{
		Title: layout.Text{EN: "Key generation: distribution of the time", ZH: "密钥生成耗时的分布"},
		Caption: layout.Text{
			EN: "CPU time per key. The mean is dominated by a few slow keys, so do not plan by it. p95 needs at least 90 keys. " +
				"The same seed gives the same keys if the library uses the given random source (GODEBUG=cryptocustomrand=1 in Go); " +
				"under GODEBUG=fips140=only it does not, and runs cannot be repeated.",
			ZH: "每个密钥的 CPU 时间。均值有误导性：它由少数很长的几次决定。90 次以上才给出 p95。" +
				"库采用所给随机源时（Go 需设 GODEBUG=cryptocustomrand=1），相同种子得到相同密钥；GODEBUG=fips140=only 下不采用，结果无法重现。"},
		Columns: []answer.RowColumns{
			answer.Words("Key", "密钥", func(row *document.Row) layout.Cell {
				return layout.Cell{Text: layout.Same(row.Algorithm), Footnotes: row.Notes}
			}),
			answer.By(r.Name),
			answer.Figure("keys", "次数", func(row *document.Row) layout.Cell {
				if d := r.drawn(row); d != nil {
					return answer.TextCell(strconv.FormatInt(d.Count, 10))
				}
				return answer.Cell(row)
			}),
			drawn("p50", "p50", func(d *document.Distribution) string { return layout.FormatTime(d.P50) }),
			drawn("p90", "p90", func(d *document.Distribution) string { return layout.FormatTime(d.P90) }),
			drawn("p95", "p95", func(d *document.Distribution) string {
				if !tells95(d) {
					return "–"
				}
				return layout.FormatTime(*d.P95)
			}),
			drawn("longest", "最长", func(d *document.Distribution) string { return layout.FormatTime(d.Max) }),
			drawn("mean (misleading)", "均值（有误导性）", func(d *document.Distribution) string { return layout.FormatTime(d.Mean) }),
		},
	}.Of(answer.Present(rows))
}

// overLength is a chart of time over the length of the key, for lines of two points and
// more.
func (r *rsaView) overLength(title, caption layout.Text, lines []layout.Series) []layout.Chart {
	lines = answer.Select(lines, func(s layout.Series) bool { return len(s.Points) > 1 })
	if len(lines) == 0 {
		return nil
	}
	return []layout.Chart{{Title: title, Caption: caption, Y: answer.TimeAxis, Series: lines,
		X: layout.Axis{Title: layout.Text{EN: "key length", ZH: "密钥长度"}, Unit: "bit"}}}
}

func (r *rsaView) usesOverLength() []layout.Chart {
	var lines []layout.Series
	for _, u := range []use{signing, withoutCRT, verifying, decrypting, encrypting,
		{algorithm.PKCS1v15, algorithm.Encrypt, ""}} {
		var s layout.Series
		for _, length := range r.lengths {
			row := r.of(length, u)
			if p, ok := answer.TimePoint(row, float64(algorithm.RSABits(length))); ok {
				s.Name = answer.CaseText(row)
				s.Points = append(s.Points, p)
			}
		}
		if f := r.fit(u); f != nil && f.OK {
			s.Model = func(x float64) float64 { return f.Terms["factor_ns"] * math.Pow(x, f.Terms["exponent"]) }
		}
		lines = append(lines, s)
	}
	return r.overLength(layout.Say("CPU time of a call over key length, in %s", "%s：单次 CPU 时间与密钥长度",
		answer.Label(r.Name(r.Rows[0]))),
		layout.Text{EN: "Broken lines are the fitted power laws.", ZH: "虚线为拟合的幂律。"}, lines)
}

// drawsOverLength draws what key generation takes, a percentile a line.
func (r *rsaView) drawsOverLength() []layout.Chart {
	percentiles := []struct {
		name layout.Text
		of   func(*document.Distribution) float64
	}{
		{layout.Same("p50"), func(d *document.Distribution) float64 { return d.P50 }},
		{layout.Text{EN: "mean", ZH: "均值"}, func(d *document.Distribution) float64 { return d.Mean }},
		{layout.Same("p90"), func(d *document.Distribution) float64 { return d.P90 }},
		{layout.Text{EN: "longest", ZH: "最长"}, func(d *document.Distribution) float64 { return d.Max }},
	}
	var lines []layout.Series
	for _, p := range percentiles {
		s := layout.Series{Name: p.name}
		for _, length := range r.lengths {
			row := r.of(length, generating)
			if d := r.drawn(row); d != nil {
				y := p.of(d)
				s.Points = append(s.Points,
					layout.Point{X: float64(algorithm.RSABits(length)), Y: y, Low: y, High: y, RowID: row.ID})
			}
		}
		lines = append(lines, s)
	}
	return r.overLength(layout.Text{EN: "Key generation: CPU time over key length", ZH: "密钥生成：CPU 时间与密钥长度"}, layout.Text{
		EN: "Each line is a percentile over the keys; the spread between them is random.", ZH: "每条线是所有密钥的一个百分位数；线与线的间距反映随机性。"}, lines)
}
