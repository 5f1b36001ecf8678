package answer

import (
	"math"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// versions says, of each library that is in the run in two versions, in how many
// cases the later one is faster, and where they differ most.
func (v *View) versions() (out []layout.Answer) {
	var found []*document.Comparison
	for i := range v.Doc.Comparisons {
		c := &v.Doc.Comparisons[i]
		base, other := v.ByID[c.Base], v.ByID[c.Other]
		if base != nil && other != nil && base.Library == other.Library && base.Version != other.Version &&
			base.CallPath == other.CallPath {
			found = append(found, c)
		}
	}
	for _, cs := range Grouped(found, func(c *document.Comparison) [2]string {
		return [2]string{v.ByID[c.Base].Who(), v.ByID[c.Other].Who()}
	}) {
		out = append(out, v.between(cs))
	}
	return out
}

// between words the comparisons of one version with another.
func (v *View) between(cs []*document.Comparison) layout.Answer {
	counts := map[string]int{}
	a := layout.Answer{Mark: layout.Plain}
	var most *document.Comparison
	for _, c := range cs {
		counts[c.Verdict]++
		a.Evidence = append(a.Evidence, c.ID)
		if Differs(c) && (most == nil || math.Abs(math.Log(c.Ratio)) > math.Abs(math.Log(most.Ratio))) {
			most = c
		}
	}
	if counts["slower"] > 0 {
		a.Mark = layout.Beware
	}
	cases := layout.Say("%d cases", "%d 项", len(cs))
	if len(cs) == 1 {
		cases.EN = "1 case"
	}
	base, other := v.ByID[cs[0].Base].Who(), v.ByID[cs[0].Other].Who()
	a.Text = layout.Say("%s compared with %s, in %s: faster in %d, slower in %d, equal in %d, inconclusive in %d.",
		"%s 与 %s 相比，共 %s：%d 项更快，%d 项更慢，%d 项相当，%d 项无法判定。",
		other, base, cases, counts["faster"], counts["slower"], counts["same"], counts["inconclusive"])
	if most != nil && most.Low != nil && most.High != nil {
		r := v.ByID[most.Other]
		a.Text = layout.Say("%s The largest difference is in %s, %s, %s: %s as fast as %s.",
			"%[1]s差别最大的是 %[2]s，%[3]s，%[4]s：速度为 %[6]s 的 %[5]s。",
			a.Text, CaseName(r.Algorithm, r.Mode), Operation(r.Operation), SizeText(r.Bytes),
			Times(most), base)
	}
	return a
}
