package machine

import (
	_ "embed"
	"strings"
)

// An arm64 CPU names itself by two numbers only, the implementer and the part. One that is
// not in the file is shown as its numbers.
//
//go:embed arm.txt
var armNames string

func armName(numbers, unknown string) string {
	for line := range strings.Lines(armNames) {
		if name, ok := strings.CutPrefix(line, numbers+" "); ok && !strings.HasPrefix(name, "0x") {
			return strings.TrimSpace(name)
		}
	}
	return unknown
}
