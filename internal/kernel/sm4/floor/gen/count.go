package main

import (
	"fmt"
	"strings"
)

// classes are the classes of instructions, in the order of floor.Counts.
var classes = []string{"GFNI", "Logic", "Shuffle", "Multiply", "Copy", "Load", "Store"}

type tally map[string]int

func (t tally) String() string {
	var b strings.Builder
	for _, c := range classes {
		fmt.Fprintf(&b, "%s: %d, ", c, t[c])
	}
	return "{" + strings.TrimSuffix(b.String(), ", ") + "}"
}

// isCopy is whether an instruction only copies between vector registers.
func isCopy(line string) bool {
	op, operands := split(line)
	return strings.HasPrefix(op, "VMOVDQA") && len(operands) == 2 && register.FindString(operands[0]) == operands[0] && register.FindString(operands[1]) == operands[1]
}

// classify adds a vector instruction to its classes: what it computes, and what memory it touches.
func (t tally) classify(line string) {
	op, operands := split(line)
	if len(operands) == 0 || !register.MatchString(line) {
		return
	}
	last := operands[len(operands)-1]
	moves := strings.HasPrefix(op, "VMOV") || strings.HasPrefix(op, "VPBROADCAST") || strings.HasPrefix(op, "VBROADCAST")
	switch {
	case strings.HasPrefix(op, "VGF2P8"):
		t["GFNI"]++
	case strings.HasPrefix(op, "VPCLMUL"):
		t["Multiply"]++
	case isCopy(line):
		t["Copy"]++
	case moves:
	case strings.HasPrefix(op, "VPUNPCK"), strings.HasPrefix(op, "VPSHUF"), strings.HasPrefix(op, "VSHUF"),
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
