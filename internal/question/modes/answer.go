package modes

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// Question is what the reports need to know of the question.
var Question = answer.Question{Name: "modes", Narrowing: []string{"--sizes", "--modes", "--libraries"}, Layout: layOut,
	Asks: layout.Text{EN: "How fast are the modes of SM4 and AES in each library, and which security do the fast ones lack?",
		ZH: "SM4 与 AES 的各种工作模式在各个库中有多快？快的模式缺少哪些安全保证？"}}

// layOut lays out what the modes of SM4 and AES cost and what the fast ones give away.
func layOut(v *answer.View) layout.Layout {
	m := &modesView{View: v}
	m.sizes = answer.Values(v.Rows, answer.BytesOf, answer.PlainOperation)
	slices.Sort(m.sizes)
	m.at = m.headlineSizes()[0]
	return layout.Layout{
		Experiment: "modes",
		Title: layout.Text{EN: "Modes of operation: SM4 and AES",
			ZH: "分组密码工作模式：SM4 与 AES"},
		Answers:  m.answers(),
		Headline: m.headlineTables(),
		Tables:   m.tables(),
		Charts:   m.charts(),
		Pictures: m.pictures(),
		Next: []layout.Next{
			{Command: "cryptogauge run modes --sizes 512,8KiB", Why: layout.Text{EN: "your own message sizes", ZH: "自定消息长度"}},
			{Command: "cryptogauge run modes", Why: layout.Text{EN: "every size, mode and library", ZH: "全部长度、模式与密码库"}},
		},
	}
}

// modesView is the view with what all parts of this layout need.
type modesView struct {
	*answer.View
	sizes []int64 // measured, rising
	at    int64   // the size that tables and sentences are at
}

// headlineSizes are the sizes with a headline comparison, the largest first; else
// the largest that was measured.
func (m *modesView) headlineSizes() []int64 {
	var at []int64
	for _, c := range m.Doc.Comparisons {
		if r := m.ByID[c.Base]; c.Headline && r != nil && !slices.Contains(at, r.Bytes) {
			at = append(at, r.Bytes)
		}
	}
	if len(at) == 0 && len(m.sizes) > 0 {
		at = append(at, m.sizes[len(m.sizes)-1])
	}
	if len(at) == 0 {
		at = append(at, 0)
	}
	slices.Sort(at)
	slices.Reverse(at)
	return at
}

func (m *modesView) rowOf(library, algorithm, mode, operation string) *document.Row {
	return m.Row(answer.Key{Subject: library, Algorithm: algorithm, Mode: mode, Operation: operation, Bytes: m.at})
}

// libraries that offer an algorithm as a plain operation, in the run's order.
func (m *modesView) libraries(algorithm string) []string {
	return answer.Values(m.Rows, m.Name, func(r *document.Row) bool { return answer.PlainOperation(r) && r.Algorithm == algorithm })
}

// everyday are those of them that are called as a Go program would call them, which
// is who sentences speak of: what another way of calling costs is a question of its own.
func (m *modesView) everyday(algorithm string) []string {
	return slices.DeleteFunc(m.libraries(algorithm), answer.CalledOtherwise)
}

// modeNames are the modes measured for an algorithm, in the plan's order.
func (m *modesView) modeNames(algorithm string) []string {
	return answer.Values(m.Rows, func(r *document.Row) string { return r.Mode }, func(r *document.Row) bool {
		return answer.PlainOperation(r) && r.Algorithm == algorithm
	})
}

func (m *modesView) algorithms() []string {
	return answer.Values(m.Rows, func(r *document.Row) string { return r.Algorithm }, answer.PlainOperation)
}

func composite(name string) string {
	if name == algorithm.SM4 {
		return algorithm.CBCHMACSM3
	}
	return algorithm.CBCHMACSHA256
}
