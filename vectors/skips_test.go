package vectors

import (
	_ "embed"
	"strconv"
	"strings"
	"testing"
)

//go:embed skips.txt
var skipsTxt string

// excuse is a case that a subject need not run.
type excuse struct {
	file, subject string
	id            int
}

// skips reads skips.txt: the reason of each excuse.
func skips(t *testing.T) map[excuse]string {
	t.Helper()
	reasons := map[excuse]string{}
	for line := range strings.Lines(skipsTxt) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) != 4 {
			t.Fatalf("skips.txt: %q is not file, subject, tcId and reason between tabs", line)
		}
		id, err := strconv.Atoi(fields[2])
		if err != nil {
			t.Fatalf("skips.txt: %q: %v", line, err)
		}
		reasons[excuse{fields[0], fields[1], id}] = fields[3]
	}
	return reasons
}
