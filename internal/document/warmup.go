package document

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// WarmUp is what a worker whose code is compiled while it runs did in each block before its first sample.
type WarmUp struct {
	Batches        float64 `json:"batches"`         // of calls, the median of the blocks
	Seconds        float64 `json:"seconds"`         // of wall time, likewise
	UnsteadyBlocks int     `json:"unsteady_blocks"` // in which calls still got faster at its end
}

// fillWarmUp says what runs a row's code, and how it was warmed up.
func (r *Row) fillWarmUp(opened []*result.Opened) {
	if r.Runtime == "" {
		return
	}
	opened = slices.DeleteFunc(slices.Clone(opened), func(o *result.Opened) bool { return o.WarmUp == nil })
	if len(opened) == 0 {
		r.Notes = append(r.Notes, layout.Say("run by %s", "由 %s 运行", r.Runtime))
		return
	}
	w := &WarmUp{
		Batches: *medianOf(opened, func(o *result.Opened) float64 { return float64(o.WarmUp.Batches) }),
		Seconds: *medianOf(opened, func(o *result.Opened) float64 { return float64(o.WarmUp.Nanoseconds) / 1e9 }),
	}
	for _, o := range opened {
		if o.WarmUp.Unsteady {
			w.UnsteadyBlocks++
		}
	}
	r.WarmUp = w
	said := fmt.Sprintf("warmed up in each block by %s batches of calls, %s", layout.FormatCount(w.Batches), layout.FormatTime(w.Seconds*1e9))
	r.Note = strings.TrimPrefix(r.Note+"; "+said, "; ")
	r.Notes = append(r.Notes, layout.Say("run by %s, after a warm-up of its compiler in each block", "由 %s 运行，每个数据组先预热其即时编译器", r.Runtime))
	if w.UnsteadyBlocks > 0 {
		r.doubt(doubt{reason.Cause("warm-up-unsteady", w.UnsteadyBlocks), noteWarmUp})
	}
}
