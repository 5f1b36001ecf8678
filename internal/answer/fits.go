package answer

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// Fits are the models of a kind that rest on the question's rows, and FitRow the first of
// those.
func (v *View) Fits(model string) (fits []*document.Fit) {
	for i := range v.Doc.Fits {
		if f := &v.Doc.Fits[i]; f.Model == model && len(f.RowIDs) > 0 && v.FitRow(f) != nil {
			fits = append(fits, f)
		}
	}
	return fits
}

func (v *View) FitRow(f *document.Fit) *document.Row { return v.ByID[f.RowIDs[0]] }

// Costs shows the cost models: what a message costs before its first byte, the
// rate of long messages, and the size at which half of it is reached.
func (v *View) Costs() layout.Table {
	return Table[*document.Fit]{
		Title: layout.Text{EN: "Cost of a message: fixed part, rate, and n½", ZH: "单条消息的代价：固定开销、渐近吞吐量与 n½"},
		Caption: layout.Text{
			EN: "Fitted as t(n) = fixed + n / rate over all sizes; n½ is the size at which half of the rate is reached.",
			ZH: "按 t(n) = 固定开销 + n / 吞吐量，对所有长度拟合；n½ 为达到渐近吞吐量一半时的消息长度。"},
		Row: v.FitRow,
		Columns: []Columns[*document.Fit]{
			On(v.FitRow,
				Told("Mode", "工作模式", CipherText),
				By(v.Name),
				Told("Operation", "操作", func(r *document.Row) layout.Text { return Operation(r.Operation) })),
			Fitted,
		},
	}.Of(v.Fits(document.ModelAffine))
}

var Fitted = slices.Concat(FitTerm("fixed", "固定开销", NoFit, "fixed_ns", layout.FormatTime),
	FitTerm("rate", "渐近吞吐量", nil, "bytes_per_second", layout.FormatRate),
	FitTerm("n½", "n½", nil, "half_size_bytes", func(n float64) string { return layout.FormatNumber(n) + " B" }), Misfit)

// FitTerm is a column of a term of models, or a dash where one has it not; of those that
// were refused it shows what refused does, or a dash for nil.
func FitTerm(en, zh string, refused func(document.Fit) layout.Cell, name string,
	show func(float64) string) Columns[*document.Fit] {
	return FitFigure(en, zh, refused, func(f *document.Fit) string {
		if x, ok := f.Terms[name]; ok {
			return show(x)
		}
		return "–"
	})
}

// FitFigure is a column of a number of models; of those that were refused it shows what
// refused does, or a dash for nil.
func FitFigure(en, zh string, refused func(document.Fit) layout.Cell,
	text func(*document.Fit) string) Columns[*document.Fit] {
	return Figure(en, zh, func(f *document.Fit) layout.Cell {
		switch {
		case f.OK:
			return TextCell(text(f))
		case refused != nil:
			return refused(*f)
		}
		return TextCell("–")
	})
}

// NoFit stands where a model was refused.
func NoFit(f document.Fit) layout.Cell {
	c := Faintly("no fit", "不拟合")
	c.Footnotes = []layout.Text{reason.Words(f.Reason)}
	return c
}

var Misfit = Figure("misfit (rms)", "拟合误差（均方根）",
	func(f *document.Fit) layout.Cell { return TextCell(layout.FormatShare(f.RMS)) })
