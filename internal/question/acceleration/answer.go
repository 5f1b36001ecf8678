package acceleration

import (
	"cmp"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/switches"
	"github.com/cryptogauge/cryptogauge/result"
)

// Question is what the reports need to know of the question.
var Question = answer.Question{Name: "acceleration", Narrowing: []string{"--algorithms", "--sizes", "--libraries"}, Layout: layOut,
	Asks: layout.Text{EN: "How much does each CPU feature speed up each library and mode?",
		ZH: "每项 CPU 特性能让各个库、各种模式快多少？"}}

// layOut lays out what the CPU's features are worth: each library as it is
// against itself without one.
func layOut(v *answer.View) layout.Layout {
	a := &accelerationView{View: v}
	a.sizes = answer.Values(v.Rows, answer.BytesOf, func(*document.Row) bool { return true })
	slices.Sort(a.sizes)
	a.find()
	return layout.Layout{
		Experiment: "acceleration",
		Title:      layout.Text{EN: "Hardware acceleration", ZH: "硬件加速"},
		Answers:    a.answers(),
		Headline:   a.headlineTables(),
		Tables:     a.tables(),
		Charts:     a.charts(),
		Next: []layout.Next{
			{Command: "cryptogauge run acceleration", Why: layout.Text{EN: "every library, mode and feature", ZH: "全部密码库、工作模式与特性"}},
		},
	}
}

// accelerationView is the view with its toggles.
type accelerationView struct {
	*answer.View
	sizes   []int64 // rising
	toggles []toggle
}

// toggle is a row beside the same without a feature: how many times as fast the
// feature makes it.
type toggle struct {
	feature switches.Feature
	off, on *document.Row
	c       *document.Comparison // with an interval; nil where there is none
}

// find pairs the rows of every environment with those as they are.
func (a *accelerationView) find() {
	for _, off := range a.Rows {
		feature, ok := switches.FeatureOf(off.Library, off.Environment)
		if !ok {
			continue
		}
		for _, on := range a.Rows {
			if on.Environment == "" && sameSubject(on, off) && sameCase(on, off) {
				a.toggles = append(a.toggles, toggle{feature, off, on, a.Compare(off, on)})
			}
		}
	}
}

func sameSubject(a, b *document.Row) bool {
	return a.Library == b.Library && a.Version == b.Version && a.CallPath == b.CallPath
}

func sameCase(a, b *document.Row) bool {
	return a.Algorithm == b.Algorithm && a.Mode == b.Mode && a.Operation == b.Operation && a.Bytes == b.Bytes && a.Parameters == b.Parameters
}

// usual is the size that the answer is about: that of the headline comparisons, else
// the longest.
func (a *accelerationView) usual() int64 {
	for _, t := range a.toggles {
		if t.c != nil && t.c.Headline {
			return t.on.Bytes
		}
	}
	if len(a.sizes) == 0 {
		return 0
	}
	return slices.Max(a.sizes)
}

// who names a library, with its version where there are several.
func (a *accelerationView) who(r *document.Row) string {
	versions := answer.Values(a.Rows, func(x *document.Row) string { return x.Version }, func(x *document.Row) bool { return x.Library == r.Library && x.Environment == "" })
	if len(versions) > 1 {
		return r.Library + " " + r.Version
	}
	return r.Library
}

// whos are the libraries in the order of the rows, ours last.
func (a *accelerationView) whos() []string {
	found := answer.Values(a.Rows, a.who, func(*document.Row) bool { return true })
	slices.SortStableFunc(found, func(x, y string) int {
		switch {
		case answer.IsNew(x) == answer.IsNew(y):
			return 0
		case answer.IsNew(x):
			return 1
		}
		return -1
	})
	return found
}

// of keeps toggles.
func (a *accelerationView) of(keep func(toggle) bool) []toggle {
	return slices.DeleteFunc(slices.Clone(a.toggles), func(t toggle) bool { return !keep(t) })
}

// different says whether a comparison shows a difference.
func different(c *document.Comparison) bool {
	return c != nil && (c.Verdict == "faster" || c.Verdict == "slower")
}

// strongest is the toggle with the greatest effect, either way; ok is false where
// there is none.
func strongest(ts []toggle) (s toggle, ok bool) {
	effect := func(t toggle) float64 { return max(t.c.Ratio, 1/t.c.Ratio) }
	for _, t := range ts {
		if different(t.c) && (!ok || effect(t) > effect(s)) {
			s, ok = t, true
		}
	}
	return s, ok
}

// featureText names a feature, in the middle of a sentence.
func featureText(f switches.Feature) layout.Text {
	switch f {
	case switches.AES:
		return layout.Text{EN: "AES instructions", ZH: "AES 指令"}
	case switches.CarrylessMultiply:
		return layout.Text{EN: "carry-less multiplication", ZH: "无进位乘法指令"}
	case switches.SHA:
		return layout.Text{EN: "SHA instructions", ZH: "SHA 指令"}
	case switches.All:
		return layout.Text{EN: "any of them", ZH: "任何加速特性"}
	}
	return layout.Same(featureColumn(f).EN)
}

// featureColumn names it where there is little room.
func featureColumn(f switches.Feature) layout.Text {
	switch f {
	case switches.AES:
		return layout.Same("AES")
	case switches.CarrylessMultiply:
		return layout.Same("CLMUL")
	case switches.SHA:
		return layout.Same("SHA")
	case switches.AVX:
		return layout.Same("AVX")
	case switches.AVX2:
		return layout.Same("AVX2")
	case switches.AVX512:
		return layout.Same("AVX-512")
	case switches.VAES:
		return layout.Same("VAES")
	case switches.GFNI:
		return layout.Same("GFNI")
	}
	return layout.Text{EN: "all", ZH: "全部"}
}

// flag is what /proc/cpuinfo calls a feature; "" where it has no one name.
func (a *accelerationView) flag(f switches.Feature) string {
	names := map[switches.Feature]string{switches.AES: "aes", switches.CarrylessMultiply: "pclmulqdq", switches.SHA: "sha_ni",
		switches.AVX: "avx", switches.AVX2: "avx2", switches.AVX512: "avx512f", switches.VAES: "vaes", switches.GFNI: "gfni"}
	if a.Doc.Machine.Arch == "arm64" {
		names = map[switches.Feature]string{switches.AES: "aes", switches.CarrylessMultiply: "pmull", switches.SHA: "sha2"}
	}
	return names[f]
}

// byFeature orders toggles as features are shown, and keeps the rows' order within.
func byFeature(ts []toggle) []toggle {
	sorted := slices.Clone(ts)
	slices.SortStableFunc(sorted, func(a, b toggle) int {
		return cmp.Compare(slices.Index(switches.Features(), a.feature), slices.Index(switches.Features(), b.feature))
	})
	return sorted
}

// evidenceOfToggles are the comparisons, and the rows of those that have none.
func evidenceOfToggles(ts []toggle) (ids []string) {
	for _, t := range ts {
		if t.c != nil {
			ids = append(ids, t.c.ID)
		}
		ids = append(ids, t.off.ID, t.on.ID)
	}
	return ids
}

// present are the rows of libraries that are here, as they are.
func (a *accelerationView) present() (rows []*document.Row) {
	for _, r := range a.Rows {
		if r.Environment == "" && r.Status == result.OK {
			rows = append(rows, r)
		}
	}
	return rows
}
