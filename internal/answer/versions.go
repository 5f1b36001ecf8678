package answer

import (
	"fmt"
	"math"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// versions says, of each library that is in the run in two versions, in how many
// cases the later one is faster, and where they differ most.
func (v *View) versions() (out []layout.Answer) {
	type couple struct{ base, other string }
	var order []couple
	found := map[couple][]*document.Comparison{}
	for i := range v.Doc.Comparisons {
		c := &v.Doc.Comparisons[i]
		base, other := v.ByID[c.Base], v.ByID[c.Other]
		if base == nil || other == nil || base.Library != other.Library || base.Version == other.Version || base.CallPath != other.CallPath {
			continue
		}
		k := couple{base.Who(), other.Who()}
		if found[k] == nil {
			order = append(order, k)
		}
		found[k] = append(found[k], c)
	}
	for _, k := range order {
		out = append(out, v.between(k.base, k.other, found[k]))
	}
	return out
}

// between words the comparisons of one version with another.
func (v *View) between(base, other string, cs []*document.Comparison) layout.Answer {
	counts := map[string]int{}
	var evidence []string
	var most *document.Comparison
	for _, c := range cs {
		counts[c.Verdict]++
		evidence = append(evidence, c.ID)
		if (c.Verdict == "faster" || c.Verdict == "slower") && (most == nil || math.Abs(math.Log(c.Ratio)) > math.Abs(math.Log(most.Ratio))) {
			most = c
		}
	}
	cases := layout.Text{EN: fmt.Sprintf("%d cases", len(cs)), ZH: fmt.Sprintf("%d 项", len(cs))}
	if len(cs) == 1 {
		cases.EN = "1 case"
	}
	text := layout.Say("%s compared with %s, in %s: faster in %d, slower in %d, equal in %d, inconclusive in %d.", "%s 与 %s 相比，共 %s：%d 项更快，%d 项更慢，%d 项相当，%d 项无法判定。",
		other, base, cases, counts["faster"], counts["slower"], counts["same"], counts["inconclusive"])
	mark := layout.Plain
	if counts["slower"] > 0 {
		mark = layout.Beware
	}
	if most != nil && most.Low != nil && most.High != nil {
		r := v.ByID[most.Other]
		where := layout.Say("%s, %s, %s", "%s，%s，%s", CaseName(r.Algorithm, r.Mode), Operation(r.Operation), layout.Same(SizeText(r.Bytes)))
		speeds := fmt.Sprintf("%.2f (%.2f–%.2f)", most.Ratio, *most.Low, *most.High)
		text = layout.Say("%s %s", "%s%s", text, layout.Say("The largest difference is in %s: %s times as fast as %s.",
			"差别最大的是 %[1]s：速度为 %[3]s 的 %[2]s 倍。", where, speeds, base))
	}
	return layout.Answer{Experiment: v.Experiment, Mark: mark, Evidence: evidence, Text: text}
}
