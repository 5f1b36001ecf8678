package uncouple

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Tally is the number of instructions of each class, by the names of the fields of bound.Counts.
type Tally map[string]int

// String is the literal of a bound.Counts.
func (t Tally) String() string {
	var fields []string
	for _, c := range slices.Sorted(maps.Keys(t)) {
		fields = append(fields, fmt.Sprintf("%s: %d", c, t[c]))
	}
	return "{" + strings.Join(fields, ", ") + "}"
}

// isCopy is whether an instruction only copies between vector registers.
func isCopy(line string) bool {
	op, operands := split(line)
	return strings.HasPrefix(op, "VMOVDQA") && len(operands) == 2 && register.FindString(operands[0]) == operands[0] && register.FindString(operands[1]) == operands[1]
}

// classify adds a vector instruction to its classes: what it computes, and what memory it touches.
func (t Tally) classify(line string) {
	op, operands := split(line)
	if len(operands) == 0 || !register.MatchString(line) {
		return
	}
	last := operands[len(operands)-1]
	moves := strings.HasPrefix(op, "VMOV") || strings.HasPrefix(op, "VPBROADCAST") || strings.HasPrefix(op, "VBROADCAST")
	switch {
	case strings.HasPrefix(op, "VGF2P8"):
		t["GFNI"]++
	case strings.HasPrefix(op, "VAES"):
		t["AES"]++
	case strings.HasPrefix(op, "VPCLMUL"):
		t["Multiply"]++
	case isCopy(line):
		t["Copy"]++
	case moves:
	case strings.HasPrefix(op, "VPUNPCK"), strings.HasPrefix(op, "VPSHUF"), strings.HasPrefix(op, "VPERM"), strings.HasPrefix(op, "VALIGN"), strings.HasPrefix(op, "VSHUF"),
		strings.HasPrefix(op, "VEXTRACT"), strings.HasPrefix(op, "VINSERT"), strings.HasPrefix(op, "VPINSR"):
		t["Shuffle"]++
	default:
		t["Logic"]++
	}
	if strings.Contains(last, "(") {
		t["Store"]++
	} else if strings.Contains(line, "(") {
		t["Load"]++
	}
}
