package stat

import (
	"math"
	"slices"
	"testing"
)

// column makes blocks of one round.
func column(values ...float64) (blocks [][]float64) {
	for _, v := range values {
		blocks = append(blocks, []float64{v})
	}
	return blocks
}

func codes(ws []Warning) (cs []string) {
	for _, w := range ws {
		cs = append(cs, w.Code)
	}
	return cs
}

func TestSummarize(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	eight := column(3, 1, 4, 8, 5, 2, 7, 6)
	for _, c := range []struct {
		name         string
		blocks       [][]float64
		level, floor float64
		want         Summary
		codes        []string
	}{
		{"eight blocks", eight, 0.99, 0, Summary{Median: 4.5, Low: 1, High: 8, Level: 1 - 1./128, OK: true, Blocks: 8, Samples: 8}, nil},
		{"widened", eight, 0.99, 0.25, Summary{Median: 4.5, Low: 0.8, High: 10, Level: 1 - 1./128, OK: true, Blocks: 8, Samples: 8}, nil},
		{"seven blocks", eight[:7], 0.99, 0, Summary{Median: 4, Low: 1, High: 8, Level: 1 - 1./64, Blocks: 7, Samples: 7}, []string{CodeFewBlocks}},
		{"one block", [][]float64{{1, 2, 9}}, 0.99, 0, Summary{Median: 2, Low: 2, High: 2, Blocks: 1, Samples: 3}, []string{CodeFewBlocks}},
		{"no block", nil, 0.99, 0, Summary{}, []string{CodeFewBlocks}},
		{"all discarded", column(nan, nan), 0.99, 0, Summary{}, []string{CodeDiscarded, CodeFewBlocks}},
		{"unequal blocks, one empty, one sample discarded", [][]float64{{1, nan, 3}, {}, {2, 2, 2, 5}, {9}}, 0.5, 0,
			Summary{Median: 2, Low: 2, High: 9, Level: 0.75, OK: true, Blocks: 3, Samples: 7}, []string{CodeDiscarded}},
		{"identical", column(2, 2, 2, 2, 2, 2, 2, 2), 0.99, 0.25, Summary{Median: 2, Low: 1.6, High: 2.5, Level: 1 - 1./128, OK: true, Blocks: 8, Samples: 8}, []string{CodeTies}},
		{"zero", column(1, 0, 2), 0.99, 0, Summary{}, []string{CodeInvalid}},
		{"negative", column(1, -1, 2), 0.99, 0, Summary{}, []string{CodeInvalid}},
		{"infinite", column(1, inf, 2), 0.99, 0, Summary{}, []string{CodeInvalid}},
		{"overflow", column(1e308, 1e308), 0.5, 9, Summary{}, []string{CodeInvalid}},
		{"level 1", eight, 1, 0, Summary{}, []string{CodeInvalid}},
		{"level NaN", eight, nan, 0, Summary{}, []string{CodeInvalid}},
		{"floor negative", eight, 0.99, -0.1, Summary{}, []string{CodeInvalid}},
		{"floor NaN", eight, 0.99, nan, Summary{}, []string{CodeInvalid}},
		{"floor infinite", eight, 0.99, inf, Summary{}, []string{CodeInvalid}},
	} {
		got := Summarize(c.blocks, c.level, c.floor)
		if !slices.Equal(codes(got.Warnings), c.codes) {
			t.Errorf("%s: warnings %v, want %v", c.name, got.Warnings, c.codes)
		}
		got.Warnings = nil
		if got.Level != c.want.Level || got.Median != c.want.Median || got.Low != c.want.Low || got.High != c.want.High ||
			got.OK != c.want.OK || got.Blocks != c.want.Blocks || got.Samples != c.want.Samples {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestDoubtsNeedEightBlocks(t *testing.T) {
	rising := column(10, 11, 12, 13, 14, 15, 16, 17)
	if ws := Summarize(rising, 0.99, 0).Warnings; !slices.Equal(codes(ws), []string{CodeDrift}) {
		t.Errorf("8 rising blocks: %v", ws)
	}
	if ws := Summarize(rising[:7], 0.95, 0).Warnings; len(ws) != 0 {
		t.Errorf("7 rising blocks: %v", ws)
	}
	// A change below the floor changes no answer.
	if ws := Summarize(rising, 0.99, 1).Warnings; len(ws) != 0 {
		t.Errorf("8 rising blocks under a floor of 100 %%: %v", ws)
	}
}

func BenchmarkSummarizeMillion(b *testing.B) {
	base, _ := busy.pair(seeded(5), 15, 66_667, 1)
	b.ReportAllocs()
	for b.Loop() {
		Summarize(base, 0.99, MinFloor)
	}
}
