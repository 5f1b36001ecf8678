package main

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

// uncoupled is the function with inversions and products that don't read what they should but, twice, the
// register of their matrix or power, which is there early. So nothing waits for the round before, for the
// block before or for the hash so far. Nothing else changes.
func (f function) uncoupled() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", f.text)
	for _, line := range f.lines {
		if strings.HasSuffix(line, ":") {
			fmt.Fprintf(&b, "\n%s\n", line)
			continue
		}
		op, operands := split(line)
		if op == "VGF2P8AFFINEINVQB" || op == "VPCLMULQDQ" {
			operands[2] = operands[1]
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
