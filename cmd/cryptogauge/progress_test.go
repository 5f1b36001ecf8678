package main

import (
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/measure"
	"github.com/cryptogauge/cryptogauge/internal/render"
	"github.com/cryptogauge/cryptogauge/internal/subject"
)

// TestProgressBeforeMeasuring: the line says which library is asked, until a sample
// says more.
func TestProgressBeforeMeasuring(t *testing.T) {
	p := &progress{streams: streams{Session: command.Session{Lang: language.English}}, begun: time.Now(), expected: time.Minute}
	if got := p.line(); got != "starting workers" {
		t.Errorf("%q", got)
	}
	p.asking("botan", 3, 120)
	if got := p.line(); got != "looking up what the libraries offer: 3 of 120 answered, last botan" || len(got) >= 100 {
		t.Errorf("%q", got)
	}
	p.update(0.5, language.Same("last sample: gmsm"))
	if got := p.line(); !strings.Contains(got, "50%") || !strings.HasSuffix(got, "last sample: gmsm") {
		t.Errorf("%q", got)
	}
	floor := measure.Progress{Done: 0.7}
	floor.Trial.Subject.Library = subject.Harness
	p.sample(nil, floor)
	if got := p.line(); !strings.Contains(got, "70%") || !strings.HasSuffix(got, "last sample: gmsm") {
		t.Errorf("a sample of the noise floor hides what was measured: %q", got)
	}
	p.Lang = language.Chinese
	if got := p.line(); !strings.Contains(got, "剩余") {
		t.Errorf("in Chinese: %q", got)
	}
	if got := fitted(strings.Repeat("种", 80), nil); render.Width(got) != 98 {
		t.Errorf("%d columns: %s", render.Width(got), got)
	}
	var none *progress // where nobody looks
	none.update(1, language.Text{})
	none.asking("", 0, 0)
	none.clear()
	none.stop()
}
