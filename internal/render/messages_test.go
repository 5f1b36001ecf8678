package render

import (
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// TestNames: every line of the list is a name in both languages, once, and Chinese closes a percentage up.
func TestNames(t *testing.T) {
	lines := 0
	for line := range strings.Lines(htmlAsset("words.txt")) {
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		lines++
		if strings.Count(line, " = ") != 2 || strings.Contains(line, "  ") {
			t.Errorf("%q is not a name, in English, in Chinese", line)
		}
	}
	if all := pageNames(); lines < 100 || len(all) != lines {
		t.Errorf("%d names on %d lines", len(all), lines)
	}
	for name, text := range pageNames() {
		if want := strings.Count(name, "%s"); strings.Count(text.EN, "%s") != want || strings.Count(text.ZH, "%s") != want {
			t.Errorf("%s: %+v has another number of arguments", name, text)
		}
		if strings.Contains(strings.ReplaceAll(text.ZH, " %s", ""), " %") {
			t.Errorf("%s: %q has a space before its percent sign", name, text.ZH)
		}
	}
	for parameters, want := range map[string]layout.Text{
		"chunk=65536,io=file": {EN: "in chunks of 64 KiB, in files", ZH: "分块 64 KiB，文件"},
		"session":             layout.Same("session"), // the name of an operation
	} {
		if got := ParameterText(parameters); got != want {
			t.Errorf("%s: %+v, want %+v", parameters, got, want)
		}
	}
}
