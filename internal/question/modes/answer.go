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
)

var Question = answer.Question{Name: "modes", Narrowing: []string{"--sizes", "--modes", "--libraries"}, Layout: layOut,
	Asks: layout.Text{EN: "How fast are the modes of SM4 and AES in each library, and which security do the fast ones lack?",
		ZH: "SM4 与 AES 的各种工作模式在各个库中有多快？快的模式缺少哪些安全保证？"}}

// layOut lays out what the modes of SM4 and AES cost and what the fast ones give away.
func layOut(v *answer.View) layout.Layout {
	m := &modesView{View: v}
	m.sizes = slices.Sorted(slices.Values(answer.Values(v.Rows, answer.BytesOf, answer.PlainOperation)))
	m.at = m.headlineSizes()[0]
	line, advised := m.advice(m.apart, m.algorithms()...)
	return layout.Layout{
		Line:     answer.FirstSaid(line),
		Title:    m.title(),
		Answers:  m.answers(advised),
		Headline: answer.NonEmpty(m.speeds(), m.others()),
		Tables:   m.tables(),
		Charts:   m.charts(),
		Pictures: m.pictures(),
		Next: []layout.Next{
			answer.Run("modes --sizes 512,8KiB", "your own message sizes", "自定义消息长度"),
			answer.Run("modes", "every size, mode and library", "全部长度、模式与密码库"),
		},
	}
}

// title names the ciphers that were measured, those of one family once.
func (m *modesView) title() layout.Text {
	families := answer.Values(m.Rows, func(r *document.Row) layout.Text {
		family, _, _ := strings.Cut(r.Algorithm, "-")
		return layout.Same(family)
	}, answer.PlainOperation)
	return layout.Say("Modes of operation: %s", "分组密码工作模式：%s", answer.List(families))
}

type modesView struct {
	*answer.View
	sizes []int64 // measured, rising
	at    int64   // the size that tables and sentences are at
}

// headlineSizes are the sizes with a headline comparison, the largest first; else
// the largest that was measured.
func (m *modesView) headlineSizes() []int64 {
	at := m.SizesOfHeadlines()
	if len(at) == 0 {
		at = []int64{0}
		if len(m.sizes) > 0 {
			at[0] = m.sizes[len(m.sizes)-1]
		}
	}
	insecure := answer.Behind(func(size int64) bool { // nothing to advise there
		return m.First(func(r *document.Row) bool { return r.Bytes == size && r.NsPerOp != nil && len(r.Weaknesses()) == 0 }) == nil
	})
	slices.SortFunc(at, func(a, b int64) int { return cmp.Or(insecure(a, b), cmp.Compare(b, a)) })
	return at
}

func cipherName(k answer.Key) string { return answer.CaseName(k.Algorithm, k.Mode) }

// row is the row of another operation of a key, at the size that tables and sentences are at.
func (m *modesView) row(k answer.Key, operation string) *document.Row {
	k.Operation = operation
	return m.At(k, m.at)
}

// otherSizes are the smallest size and the usual one, where these are others than the one that sentences are at.
func (m *modesView) otherSizes() []int64 {
	other := slices.Compact([]int64{m.sizes[0], plan.UsualSize(m.sizes)})
	return slices.DeleteFunc(other, func(size int64) bool { return size == m.at })
}

// compare sets two rows of the size that sentences are at against each other.
func (m *modesView) compare(base, other answer.Key) *document.Comparison {
	return m.Compare(m.At(base, m.at), m.At(other, m.at))
}

func (m *modesView) plain(name string) []*document.Row {
	return m.Select(func(r *document.Row) bool { return answer.PlainOperation(r) && r.Algorithm == name })
}

// libraries that offer an algorithm as a plain operation, in the run's order, what is new last.
func (m *modesView) libraries(name string) []string {
	all := answer.Values(m.plain(name), m.Name, nil)
	slices.SortStableFunc(all, answer.Behind(answer.IsNew))
	return all
}

// modes are those measured for an algorithm, in the plan's order.
func (m *modesView) modes(name string) []string {
	return answer.Values(m.plain(name), answer.ModeOf, nil)
}

func (m *modesView) algorithms() []string {
	return answer.Values(m.Rows, answer.AlgorithmOf, answer.PlainOperation)
}

// lines are the modes of an algorithm in each library, for an operation.
func (m *modesView) lines(name, operation string) (lines []answer.Key) {
	for _, mode := range m.modes(name) {
		for _, library := range m.libraries(name) {
			lines = append(lines, answer.Key{Subject: library, Algorithm: name, Mode: mode, Operation: operation})
		}
	}
	return lines
}

// everyday are those of the libraries that are called as a Go program would call them,
// which is who sentences speak of: what another way of calling costs is a question of its own.
func (m *modesView) everyday() []string {
	return slices.DeleteFunc(m.libraries(algorithm.SM4), answer.CalledOtherwise)
}

// charts are the ratios that the sentences stand on, then speed over size, one
// chart an algorithm and direction.
func (m *modesView) charts() []layout.Chart {
	out := m.RatioChart(m.Contrast)
	if len(m.sizes) < 2 {
		return out
	}
	for _, name := range m.algorithms() {
		for _, op := range plan.BothWays {
			lines := document.Mapped(m.lines(name, op), func(k answer.Key) answer.Line {
				return answer.Line{Name: layout.Same(k.Subject + " " + cmp.Or(k.Mode, name)), New: answer.IsNew(k.Subject),
					Rows: m.AtEach(k, m.sizes)}
			})
			out = append(out, m.Lines(layout.Chart{Title: layout.Say("%s, %s: speed over message size", "%s，%s：吞吐量与消息长度",
				name, answer.Operation(op))}, lines, answer.Point)...)
		}
	}
	return out
}

// pictures shows the drawn picture under each mode, side by side.
func (m *modesView) pictures() []layout.Picture {
	return answer.Select([]layout.Picture{
		{Title: layout.Text{EN: "The picture", ZH: "原图"}, Artifact: "picture-plain.png"},
		{Title: layout.Text{EN: "under ECB: still the picture", ZH: "ECB 加密：轮廓仍在"}, Artifact: "picture-sm4-ecb.png"},
		{Title: layout.Text{EN: "under CBC", ZH: "CBC 加密"}, Artifact: "picture-sm4-cbc.png"},
		{Title: layout.Text{EN: "under CTR", ZH: "CTR 加密"}, Artifact: "picture-sm4-ctr.png"},
	}, func(p layout.Picture) bool {
		return slices.ContainsFunc(m.Doc.Artifacts, func(a document.ArtifactRef) bool { return a.Name == p.Artifact })
	})
}
