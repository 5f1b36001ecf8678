package uncouple

import (
	"fmt"
	"regexp"
	"strings"
)

// A function is one kernel in assembly: its TEXT line, and its lines after that.
type function struct {
	text  string
	lines []string
}

func find(text, name string) (f function, err error) {
	from := strings.Index(text, "\nTEXT ·"+name+"(SB)")
	if from < 0 {
		return f, fmt.Errorf("no function %s", name)
	}
	body := text[from+1:]
	if to := strings.Index(body, "\n// func "); to >= 0 {
		body = body[:to]
	}
	f.text, body, _ = strings.Cut(body, "\n")
	for line := range strings.Lines(body) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			f.lines = append(f.lines, line)
		}
	}
	return f, nil
}

var register = regexp.MustCompile(`\b[XYZ][0-9]+\b`)

// source is, by instruction, the operand through which a kernel waits for what was computed before: the input of an
// inversion, of a product and of a round of AES.
func source(op string) (operand int, waits bool) {
	switch op {
	case "VGF2P8AFFINEINVQB", "VPCLMULQDQ":
		return 2, true
	case "VAESENC", "VAESENCLAST", "VAESDEC", "VAESDECLAST":
		return 1, true
	}
	return 0, false
}

// uncoupled is the function with inversions, products and rounds that don't read what they should but, twice, the
// operand before, the register of their matrix, power or key, which is there early. So nothing waits for
// the round before, for the block before or for the hash so far. Nothing else changes.
func (f function) uncoupled() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", f.text)
	for _, line := range f.lines {
		if strings.HasSuffix(line, ":") {
			fmt.Fprintf(&b, "\n%s\n", line)
			continue
		}
		op, operands := split(line)
		if i, waits := source(op); waits {
			if operands[i] = operands[i-1]; strings.Contains(operands[i], "(") { // a register is read in its place
				operands[i] = operands[len(operands)-1][:1] + "31"
			}
		}
		fmt.Fprintf(&b, "\t%s\n", strings.TrimSpace(op+" "+strings.Join(operands, ", ")))
	}
	b.WriteString("\n")
	return b.String()
}

func split(line string) (op string, operands []string) {
	op, rest, _ := strings.Cut(line, " ")
	if rest = strings.TrimSpace(rest); rest != "" {
		operands = strings.Split(rest, ", ")
	}
	return op, operands
}
