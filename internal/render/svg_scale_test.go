package render

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// TestDates: labels are whole hours, days, months or years, few enough to stand beside each other.
func TestDates(t *testing.T) {
	begun := time.Date(2026, 11, 20, 13, 37, 0, 0, time.UTC)
	for _, test := range []struct {
		long time.Duration
		want string
	}{
		{0, "11-20 12:00"}, {2 * time.Hour, "14:00 15:00"}, {11 * time.Hour, "15:00 18:00 21:00 00:00"}, {26 * time.Hour, "11-20 18:00 11-21 00:00 11-21 06:00 11-21 12:00"},
		{4 * 24 * time.Hour, "11-21 11-22 11-23 11-24"}, {30 * 24 * time.Hour, "11-27 12-04 12-11 12-18"}, {365 * 24 * time.Hour, "2027-01 2027-04 2027-07 2027-10"},
		{3 * 365 * 24 * time.Hour, "2027-01 2027-07 2028-01 2028-07 2029-01 2029-07"},
		{20 * 365 * 24 * time.Hour, "2030 2035 2040 2045"},
		{200 * 365 * 24 * time.Hour, "2026-11-20"},
	} {
		s := covers([]float64{float64(begun.Unix()), float64(begun.Add(test.long).Unix())}, 0)
		ticks, label := dateTicks(s)
		var labels []string
		for _, v := range ticks {
			if at := s.at(v); at < 0 || at > 1 {
				t.Errorf("%s: a label at %v", test.long, at)
			}
			labels = append(labels, label(v))
		}
		if got := strings.Join(labels, " "); got != test.want && test.long != 0 {
			t.Errorf("%s: %s, want %s", test.long, got, test.want)
		}
		if len(ticks) == 0 {
			t.Errorf("%s: no label", test.long)
		}
	}
	if at := (dateScale{5, 5}).at(5); at != 0.5 {
		t.Errorf("a scale of nothing puts it at %v", at)
	}
}

// TestCourse: a chart over time has dates below, marks changes across, and draws levels in place of a line through points.
func TestCourse(t *testing.T) {
	day := func(n int) float64 { return float64(time.Date(2026, 11, 1+n, 0, 0, 0, 0, time.UTC).Unix()) }
	s := layout.Series{Name: layout.Same("gmsm"), Levels: []layout.Level{{From: day(0), To: day(9), Y: 100, Low: 95, High: 105}, {From: day(10), To: day(20), Y: 160, Low: 150, High: 170}}}
	for n := range 21 {
		y := 100.0
		if n >= 10 {
			y = 160
		}
		s.Points = append(s.Points, layout.Point{X: day(n), Y: y, Low: 0.9 * y, High: 1.1 * y, RowID: fmt.Sprint("run", n)})
	}
	c := layout.Chart{Title: layout.Same("A machine"),
		X: layout.Axis{Title: layout.Text{EN: "time", ZH: "时间"}, Unit: layout.UnitDate},
		Y: layout.Axis{Title: layout.Text{EN: "time of an operation", ZH: "耗时"}, Unit: "ns"}, Series: []layout.Series{s}, Changes: []layout.Change{{X: day(10), Label: "7"}}}
	draw := func() string {
		var b strings.Builder
		if err := WriteChart(&b, c, layout.Chinese, func(row string) string { return "/runs/" + row }); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	drawn := draw()
	for _, want := range []string{">11-07<", `href="/runs/run20"`, "2026-11-21 00:00", `<line class="change"`, `text-anchor="middle">7</text>`,
		`aria-label="A machine：`, "Time of an operation over time, logarithmic"} {
		if !strings.Contains(drawn, want) {
			t.Errorf("no %s", want)
		}
	}
	if n := strings.Count(drawn, `<path class="curve`); n != 1 {
		t.Errorf("%d curves, want the levels'", n)
	}
	if at := strings.Index(drawn, `<path class="curve`); strings.Count(strings.SplitN(drawn[at:], `"/>`, 2)[0], "M") != 2 {
		t.Error("the levels are not two pieces")
	}
	c.Series[0].Levels = nil
	if joined := draw(); !strings.Contains(joined, `<path class="curve`) {
		t.Error("without levels no line joins the points")
	}
	c.Series[0].Points = nil
	if got := draw(); got != "" {
		t.Errorf("of no points %q is drawn", got)
	}
}
