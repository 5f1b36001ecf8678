package document

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
	"github.com/cryptogauge/cryptogauge/result"
)

// goroutines is a run of one cipher over numbers of goroutines, at planted times.
func goroutines(cpus int, ns map[int]float64, more ...func(*documenttest.Fixture)) *Document {
	f := documenttest.NewFixture(15, 5)
	f.Run.Header.Machine.CPU.Allowed, f.Run.Header.Machine.Cgroup.QuotaCPUs = cpus, 0
	for n := 1; n <= 64; n++ {
		if ns[n] > 0 {
			c := result.Case{Algorithm: "SM4", Mode: "GCM", Operation: "encrypt", Bytes: 1024,
				Parameters: "goroutines=" + strconv.Itoa(n) + ",holding=shared,request=128"}
			i := f.Trial("concurrency", c, documenttest.GMSM, documenttest.Plan{NS: ns[n]})
			f.Run.Trials[i].Loop, f.Run.Trials[i].Clock = "parallel", result.WallClock
		}
	}
	for _, change := range more {
		change(f)
	}
	return Build(f.End())
}

func usl(d *Document) (fits []Fit) {
	for _, f := range d.Fits {
		if f.Model == "usl" {
			fits = append(fits, f)
		}
	}
	return fits
}

func TestScalingIsFitted(t *testing.T) {
	ns := map[int]float64{}
	for _, n := range []int{1, 2, 3, 4, 6, 8, 64} {
		x := float64(n)
		ns[n] = 1000 * (1 + 0.1*(x-1)) / x
	}
	fits := usl(goroutines(8, ns))
	if len(fits) != 1 || !fits[0].OK || math.Abs(fits[0].Terms["sigma"]-0.1) > 0.01 || len(fits[0].RowIDs) != 7 {
		t.Errorf("%+v", fits)
	}
}

// TestTwoCPUsHaveNoScalingLaw: it is refused, with the reason.
func TestTwoCPUsHaveNoScalingLaw(t *testing.T) {
	fits := usl(goroutines(2, map[int]float64{1: 1000, 2: 510, 4: 505, 8: 506, 64: 507}))
	if len(fits) != 1 || fits[0].OK || !strings.Contains(fits[0].Reason, "takes 4 CPUs") || len(fits[0].Terms) != 0 {
		t.Errorf("%+v", fits)
	}
}

func TestCPUs(t *testing.T) {
	for _, c := range []struct {
		allowed, online int
		quota           float64
		environment     string
		want            int
	}{
		{8, 16, 0, "", 8}, {0, 4, 0, "", 4}, {8, 8, 2.5, "", 2}, {8, 8, 0.5, "", 1}, {8, 8, 0, "GOMAXPROCS=3", 3}, {8, 8, 0, "GOMAXPROCS=x", 8},
	} {
		d := &Document{Environment: []string{c.environment}}
		d.Machine.CPU.Allowed, d.Machine.CPU.Online, d.Machine.Cgroup.QuotaCPUs = c.allowed, c.online, c.quota
		if got := d.CPUs(); got != c.want {
			t.Errorf("%+v: %d CPUs", c, got)
		}
	}
}

// TestLateGenerator: blocks in which the generator was behind are told of, and a
// row that has no others has no percentiles and says why.
func TestLateGenerator(t *testing.T) {
	arrivals := func(behind ...float64) (*Document, *Row) {
		f := documenttest.NewFixture(0, 0)
		i := f.Trial("concurrency", result.Case{Algorithm: "SM4", Mode: "GCM", Operation: "arrival", Bytes: 1024, Parameters: "load=80,request=128"}, documenttest.GMSM, documenttest.Plan{Silent: true})
		f.Run.Trials[i].Loop = "scenario"
		for block, b := range behind {
			r := result.Record{Trial: i, Block: block, Metrics: []result.Metric{{Name: "behind", Value: b, Unit: "1"}}}
			if b <= mostBehind {
				r.Histograms = []result.Histogram{{Name: "latency", Unit: "ns", Buckets: [][2]int64{{100_000, 900}, {200_000, 100}}}}
			}
			f.Run.Records = append(f.Run.Records, r)
			f.Run.Closed = append(f.Run.Closed, result.Closed{Trial: i, Block: block})
		}
		d := Build(f.End())
		return d, d.Rows[i]
	}
	if d, row := arrivals(0, 0.009, 0); row.Status != result.OK || slices.Contains(row.Notes, noteBehind) || len(d.Distributions) != 1 || d.Distributions[0].Count != 3000 {
		t.Errorf("on time: %+v", row)
	}
	if d, row := arrivals(0, 0.05, 0); row.Status != result.OK || !slices.Contains(row.Notes, noteBehind) || d.Distributions[0].Count != 2000 {
		t.Errorf("late in one block: %+v", row)
	}
	if d, row := arrivals(0.02, 0.05); row.Status != result.Unstable || row.Why != whyBehind ||
		!strings.Contains(row.Reason, "up to 5.0 % behind its schedule in 2 of 2 blocks") || len(d.Distributions) != 0 {
		t.Errorf("always late: %+v", row)
	}
}
