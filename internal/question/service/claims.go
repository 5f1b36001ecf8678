package service

import (
	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
)

// claim is what reports publish of services. statements/published.yaml states them for a machine to check.
type claim struct {
	says        layout.Text
	base, other algorithm.Mode
	connections []parameter.Reuse
	low, high   float64 // how many times as long the other takes as the base, 5 % to either side of what is claimed
	found       func(*document.Comparison) layout.Text
}

var claims = []claim{
	{layout.Text{EN: "mutual TLS costs 18 % of the CPU", ZH: "双向 TLS 占 18% 的 CPU"}, algorithm.Cleartext, algorithm.ByMutual,
		[]parameter.Reuse{parameter.KeptOnes, parameter.NewOnes}, 1.206, 1.233, share},
	{layout.Text{EN: "a hybrid handshake costs 37 % more", ZH: "混合握手多花 37%"}, algorithm.ByTLS, algorithm.ByHybrid,
		[]parameter.Reuse{parameter.NewOnes}, 1.33, 1.41, adds},
}

// verdict says whether a comparison's interval lies within what is claimed.
func (c claim) verdict(found *document.Comparison) layout.Text {
	low, high := 1/(*found.High), 1/(*found.Low)
	switch {
	case low >= c.low && high <= c.high:
		return layout.Text{EN: "holds here", ZH: "在此成立"}
	case high < c.low || low > c.high:
		return layout.Text{EN: "does not hold here", ZH: "在此不成立"}
	}
	return layout.Text{EN: "can't be decided here", ZH: "在此无法判定"}
}

// published says which published claims hold here, by what was measured.
func (v *serviceView) published() *layout.Answer {
	var said answer.Clauses
	for _, c := range claims {
		for _, connections := range c.connections {
			if found := v.compare(served{c.base, connections}, served{c.other, connections}); found != nil {
				said.Add(layout.Say("“%s” %s %s: %s", "“%s”%[3]s，%[2]s：%[4]s", c.says, wayOf(connections), c.verdict(found), c.found(found)),
					answer.Evidence(found)...)
			}
		}
	}
	return said.Sentence(layout.Plain, "Published claims, of a request with an answer of %s: %s.", "对照已发表的说法（请求的应答 %s）：%s。",
		answer.SizeText(v.usual()), answer.Semicolons(said.Parts))
}
