package document_test

import (
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
)

// TestCompareWhatNoPlanDeclared: rows that took turns can be compared with their interval, and
// rows of different groups can not.
func TestCompareWhatNoPlanDeclared(t *testing.T) {
	f := documenttest.NewFixture(15, 3)
	slow := f.Trial("modes", documenttest.SM4("CBC", 1024), documenttest.TJFOC, documenttest.Plan{NS: 4000})
	fast := f.Trial("modes", documenttest.SM4("GCM", 1024), documenttest.GMSM, documenttest.Plan{NS: 1000})
	apart := f.Trial("modes", documenttest.SM4("CTR", 1024), documenttest.GMSM, documenttest.Plan{NS: 1000})
	f.Group("modes", "in turn", "", []int{slow, fast})
	f.Group("modes", "apart", "", []int{apart})
	d := document.Build(f.End())
	if len(d.Comparisons) != 0 {
		t.Fatalf("%d comparisons were declared", len(d.Comparisons))
	}
	c := d.Compare(d.Rows[slow], d.Rows[fast], 1)
	if c == nil || c.Verdict != "faster" || c.Low == nil || *c.Low < 3.9 || *c.High > 4.1 || c.Headline {
		t.Fatalf("compared: %+v", c)
	}
	wide := d.Compare(d.Rows[slow], d.Rows[fast], 50)
	if wide.Level <= c.Level || *wide.Low > *c.Low || *wide.High < *c.High {
		t.Errorf("of 50 read together: level %v, %v–%v; of one: %v, %v–%v", wide.Level, *wide.Low, *wide.High, c.Level, *c.Low, *c.High)
	}
	if d.Compare(d.Rows[slow], d.Rows[apart], 1) != nil {
		t.Error("rows of two groups were compared")
	}
}
