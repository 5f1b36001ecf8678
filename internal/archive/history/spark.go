package history

import (
	"math"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// leastRange is the ratio between the top and the bottom of a small chart: noise of a percent stays flat in it.
const leastRange = 1.25

// Signs of a small chart: eight heights, a run without a number, and a wrong output.
var heights = []rune("▁▂▃▄▅▆▇█")

const (
	signNone  = '·'
	signWrong = '✗'
)

// spark draws a course in so many columns, each some runs: high is slow, and what has a length is drawn as time too,
// so that up is worse in every row.
func (c *Course) spark(columns int) string {
	type column struct {
		logs  []float64
		wrong bool
	}
	n := min(columns, len(c.Points))
	drawn := make([]column, n)
	var all []float64
	for i, p := range c.Points {
		at := &drawn[i*n/len(c.Points)]
		at.wrong = at.wrong || p.Status == result.Incorrect && !c.Exhibit
		if p.NsPerOp != nil && p.NsPerOp.Median > 0 && p.Confidence != document.TrustLow {
			at.logs = append(at.logs, math.Log(p.NsPerOp.Median))
			all = append(all, math.Log(p.NsPerOp.Median))
		}
	}
	low, high := 0.0, 0.0
	if len(all) > 0 {
		low, high = slices.Min(all), slices.Max(all)
	}
	if wide := math.Log(leastRange); high-low < wide {
		middle := (low + high) / 2
		low, high = middle-wide/2, middle+wide/2
	}
	signs := make([]rune, 0, n)
	for _, col := range drawn {
		switch {
		case col.wrong:
			signs = append(signs, signWrong)
		case len(col.logs) == 0:
			signs = append(signs, signNone)
		default:
			share := (stat.Median(col.logs) - low) / (high - low)
			signs = append(signs, heights[min(len(heights)-1, int(share*float64(len(heights))))])
		}
	}
	return string(signs)
}
