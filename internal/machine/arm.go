package machine

import (
	_ "embed"
	"fmt"
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

func armVendor(implementer int) string {
	return armName(fmt.Sprintf("%#02x", implementer), fmt.Sprintf("implementer %#x", implementer))
}

func armModel(implementer, part int) string {
	return armName(fmt.Sprintf("%#02x %#x", implementer, part), fmt.Sprintf("part %#x", part))
}
