package boundary

import (
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/answer/answertest"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// bordered is a run of experiment boundary: OpenSSL by every path, and Go's own.
func bordered(batches bool) *answertest.Timings {
	m := answertest.NewTimings(21)
	var calls []int
	for _, x := range []struct {
		path string
		ns   float64
	}{{"go", 1.4}, {"cgo", 25}, {"purego", 66}, {"c-loop", 2}} {
		calls = append(calls, m.Trial("boundary", result.Subject{Library: "harness", Version: "1", CallPath: x.path}, result.Case{Algorithm: "empty", Mode: "crossing", Operation: "call"}, x.ns))
	}
	m.Group("boundary", calls)
	openssl := result.Subject{Library: "openssl", Version: "3.0.19"}
	for _, size := range []int64{16, 64, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10} {
		c := result.Case{Algorithm: "AES-128", Mode: "GCM", Operation: "encrypt", Bytes: size}
		at := map[string]int{}
		own := m.Trial("boundary", result.Subject{Library: "go", Version: "go1.26", CallPath: "go"}, c, 60+0.3*float64(size))
		for _, x := range []struct {
			path     string
			crossing float64
		}{{"cgo", 100}, {"purego", 300}, {"c-loop", 0}} {
			openssl.CallPath = x.path
			at[x.path] = m.Trial("boundary", openssl, c, 160+0.2*float64(size)+x.crossing)
		}
		trials := []int{own, at["c-loop"], at["cgo"], at["purego"]}
		pairs := []result.Pair{{Base: at["c-loop"], Other: at["cgo"], Headline: true, Within: 0.05}, {Base: at["c-loop"], Other: at["purego"], Within: 0.05},
			{Base: own, Other: at["cgo"], Crossover: true}}
		if batches && size <= 16<<10 {
			openssl.CallPath = "cgo"
			c.Bytes, c.Parameters = 64*size, "batch=64"
			b := m.Trial("boundary", openssl, c, 64*(160+0.2*float64(size))+25)
			trials, pairs = append(trials, b), append(pairs, result.Pair{Base: at["cgo"], Other: b})
		}
		m.Group("boundary", trials, pairs...)
	}
	return m
}

func TestBoundarySays(t *testing.T) {
	d := bordered(true).Document(Question)
	answertest.CheckLayout(t, d)
	for _, want := range []string{
		"An empty call from Go into C and back costs 2",
		" ns by purego (",
		"; a call of Go's own assembly 1.4",
		"AES-128-GCM of openssl: message sizes at which the call into C adds less than 5 % to the time: cgo from about ",
		"; purego from about ",
		"AES-128-GCM of openssl, 64 messages in one call into C: at 16 B a batch is 1.6",
		"AES-128-GCM: Go's own is faster for short messages, and openssl by cgo for long ones, from about ",
	} {
		if !strings.Contains(answertest.Texts(d, layout.English), want) {
			t.Errorf("no sentence says %q in:\n%s", want, answertest.Texts(d, layout.English))
		}
	}
	for _, c := range d.Crossovers {
		if c.Within == 0 {
			continue
		}
		want := 9200.0 // where 100 ns are 5 % of 160 ns and 0.2 ns a byte
		if strings.HasSuffix(c.B, "purego") {
			want = 29200
		}
		if c.Bytes == nil || c.Bytes.Median < want*0.95 || c.Bytes.Median > want*1.05 {
			t.Errorf("%s fades at %+v, want %g", c.B, c.Bytes, want)
		}
	}
	l := d.Layouts[len(d.Layouts)-1]
	for _, title := range []string{"An empty call", "AES-128-GCM, time per message", "AES-128-GCM, what the call into C adds to a message",
		"AES-128-GCM, single calls compared with batches", "Message size from which the call from Go costs little", "Cost of a message and of a byte"} {
		if !slices.ContainsFunc(l.Tables, func(tab layout.Table) bool { return tab.Title.EN == title && len(tab.Rows) > 0 }) {
			t.Errorf("no table %q", title)
		}
	}
}

// TestBoundaryWithoutALibrary: where no library could be opened, the rows say so, and
// no sentence claims anything.
func TestBoundaryWithoutALibrary(t *testing.T) {
	m := answertest.NewTimings(15)
	c := result.Case{Algorithm: "AES-128", Mode: "GCM", Operation: "encrypt", Bytes: 64}
	own := m.Trial("boundary", result.Subject{Library: "go", Version: "go1.26", CallPath: "go"}, c, 100)
	gone := m.Trial("boundary", result.Subject{Library: "openssl", CallPath: "purego"}, c, 1)
	m.Run.Statuses = append(m.Run.Statuses, result.StatusChange{Trial: gone, Status: result.Unsupported, Reason: "openssl is not installed"})
	m.Group("boundary", []int{own, gone})
	d := m.Document(Question)
	answertest.CheckLayout(t, d)
	if got := answertest.Texts(d, layout.English); got != "" {
		t.Errorf("got:\n%s", got)
	}
}
