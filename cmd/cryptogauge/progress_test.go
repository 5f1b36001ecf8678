package main

import (
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/render"
)

// TestProgressBeforeMeasuring: the line says which library is asked, until a sample
// says more.
func TestProgressBeforeMeasuring(t *testing.T) {
	p := &progress{begun: time.Now(), expected: time.Minute}
	if got := p.line(); got != "starting workers" {
		t.Errorf("%q", got)
	}
	p.prepare(asking("botan", 3, 120))
	if got := p.line(); got != "asking the libraries what they offer: 3 of 120 answers, last botan" || len(got) >= usualWidth {
		t.Errorf("%q", got)
	}
	p.update(0.5, language.Same("last sample: gmsm"))
	if got := p.line(); !strings.Contains(got, "50%") || !strings.HasSuffix(got, "last sample: gmsm") {
		t.Errorf("%q", got)
	}
	p.lang = language.Chinese
	p.update(0.5, language.Same(strings.Repeat("宽", usualWidth)))
	if got := p.line(); !strings.Contains(got, "剩余") || render.Width(got) >= usualWidth {
		t.Errorf("%q", got)
	}
}
