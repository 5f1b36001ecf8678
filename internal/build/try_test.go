package build

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// to be removed
func TestTry(t *testing.T) {
	for _, what := range strings.Fields(os.Getenv("TRY")) {
		name, v, _ := strings.Cut(what, "@")
		s := LibrarySpec{Name: name, Version: v, Oldest: os.Getenv("OLDEST")}
		if strings.HasPrefix(v, "go") {
			s.Version, s.Toolchain = "", v
		}
		began := time.Now()
		b, err := Library(context.Background(), s)
		if err != nil {
			t.Errorf("%s: %v\n%s (%v)", what, err, language.Of(err).ZH, time.Since(began))
			continue
		}
		t.Logf("%s in %v: %+v", what, time.Since(began), b)
	}
}
