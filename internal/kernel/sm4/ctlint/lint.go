// Package ctlint checks the machine code of the kernels for what a secret could be seen by: a branch, an
// address or an instruction whose time depends on data. It reads the disassembly of GNU objdump, because
// valgrind can't run AVX-512 or GFNI and go tool objdump can't read their encodings.
//
// The argument has two halves. Secrets live in vector registers and in memory, and general registers
// hold lengths, pointers and the public counter only: so nothing may go from a vector or mask register
// to a general one, and a general register is loaded only from the frame (the arguments) or by way of a
// register that points to public memory. Given that, a branch or an address made of general registers
// is public; what remains forbidden is a table lookup through vectors, a flag set from a vector, and
// division.
//
// It also looks for the check of the stack at the start of a function, the one place where a kernel can be
// stopped: without it, calls in a loop delay the garbage collector, and with it everybody, to their end.
package ctlint

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// A Finding is an instruction that may leak.
type Finding struct {
	Symbol, Instruction, Why string
}

func (f Finding) String() string { return fmt.Sprintf("%s: %s: %s", f.Symbol, f.Instruction, f.Why) }

// Rules are what a symbol is allowed beyond the rules for all.
type Rules struct {
	// PublicPointers are registers through which public memory is read into general registers, by
	// symbol: the counter, or the table of the lanes' pointers.
	PublicPointers map[string][]string
	// MaskFlags are symbols that branch on a mask register, which holds carries of the public counter.
	MaskFlags map[string]bool
	// Index are registers that may be the index of an address: offsets counted from lengths.
	Index []string
	// StackCheck says that a symbol must begin with one.
	StackCheck bool
}

var (
	header  = regexp.MustCompile(`^[0-9a-f]+ <(.+)>:$`)
	line    = regexp.MustCompile(`^\s*[0-9a-f]+:\s+(\S.*)$`)
	vector  = regexp.MustCompile(`%(?:[xyz]mm|k)[0-9]+`)
	general = regexp.MustCompile(`%(?:r[0-9]+[dwb]?|[re]?(?:ax|bx|cx|dx|si|di|bp|sp)|[abcd][lh]|sil|dil|bpl)$`)
	address = regexp.MustCompile(`\(([^)]*)\)`)
)

// Lint reads the output of objdump -d --no-show-raw-insn and returns the findings in the symbols that
// match, and the names of these symbols.
func Lint(r io.Reader, match func(symbol string) (name string, ok bool), rules Rules) (findings []Finding, seen []string, err error) {
	name, in := "", false
	flags := "" // the last instruction that set the flags
	var start prologue
	end := func() {
		if in && rules.StackCheck && !start.complete() {
			findings = append(findings, Finding{name, "its start", "no check of the stack: calls in a loop can't be stopped"})
		}
	}
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 1<<20), 1<<20)
	for s.Scan() {
		if h := header.FindStringSubmatch(s.Text()); h != nil {
			end()
			if name, in = match(h[1]); in {
				seen = append(seen, name)
			}
			flags, start = "", prologue{}
			continue
		}
		l := line.FindStringSubmatch(s.Text())
		if !in || l == nil {
			continue
		}
		instruction, _, _ := strings.Cut(l[1], "#")
		instruction = strings.TrimSpace(instruction)
		if start.takes(instruction) {
			continue
		}
		if why := check(instruction, flags, name, rules); why != "" {
			findings = append(findings, Finding{name, instruction, why})
		}
		if setsFlags(instruction) {
			flags = instruction
		}
	}
	end()
	return findings, seen, s.Err()
}

// A prologue is what has been seen of the check that Go's assembler puts at the start of a function: g is
// loaded, its stackguard0 compared, and what lies behind the jump calls the runtime.
type prologue struct {
	instructions int // of the function
	g            string
	steps        int // 1 after the load, 2 after the comparison, 3 after the jump
	calls        bool
}

var loadsG = regexp.MustCompile(`^mov +%fs:0xf{8}f*8,(%r[a-z0-9]+)$`)

// takes is whether the next instruction of the function belongs to the check.
func (p *prologue) takes(instruction string) bool {
	p.instructions++
	op, rest, _ := strings.Cut(instruction, " ")
	rest = strings.TrimSpace(rest)
	if op == "call" && strings.Contains(rest, "<runtime.morestack") {
		p.calls = true
	}
	if p.steps != p.instructions-1 {
		return false
	}
	switch load := loadsG.FindStringSubmatch(instruction); {
	case p.steps == 0 && load != nil:
		p.g = load[1]
	case p.steps == 1 && op == "cmp" && rest == "0x10("+p.g+"),%rsp":
	case p.steps == 2 && op == "jbe":
	default:
		return false
	}
	p.steps++
	return true
}

func (p *prologue) complete() bool { return p.steps == 3 && p.calls }

func check(instruction, flags, symbol string, rules Rules) string {
	op, rest, _ := strings.Cut(instruction, " ")
	operands := split(strings.TrimSpace(rest))
	switch {
	case strings.Contains(op, "gather") || strings.Contains(op, "scatter"):
		return "an address in every lane"
	case strings.Contains(instruction, "(bad)"):
		return "objdump does not know this instruction"
	case strings.Contains(op, "div"):
		return "division takes a time that depends on its operands"
	case strings.HasPrefix(op, "rep") || strings.Contains(op, "cmps") && !strings.HasPrefix(op, "v"):
		return "a string instruction"
	case strings.HasPrefix(op, "j") && op != "jmp":
		if why := checkFlags(flags, symbol, rules); why != "" {
			return why
		}
	case op == "jmp" && strings.Contains(rest, "*"):
		return "an indirect jump"
	}
	if why := checkAddresses(operands, rules); why != "" {
		return why
	}
	return checkFlow(op, operands, symbol, rules)
}

// checkFlags looks at what a conditional jump depends on.
func checkFlags(flags, symbol string, rules Rules) string {
	switch {
	case flags == "":
		return "a jump on flags of unknown origin"
	case strings.HasPrefix(flags, "ktest") && rules.MaskFlags[symbol]:
		return ""
	case vector.MatchString(flags):
		return "a jump on a vector or mask: " + flags
	}
	for _, o := range split(flags[strings.Index(flags, " ")+1:]) {
		if strings.Contains(o, "(") && !strings.Contains(o, "(%rsp)") {
			return "a jump on memory: " + flags
		}
	}
	return ""
}

func checkAddresses(operands []string, rules Rules) string {
	for _, o := range operands {
		a := address.FindStringSubmatch(o)
		if a == nil {
			continue
		}
		parts := strings.Split(a[1], ",")
		if len(parts) < 2 {
			continue
		}
		allowed := false
		for _, r := range rules.Index {
			allowed = allowed || strings.TrimSpace(parts[1]) == r
		}
		if !allowed {
			return "an indexed address"
		}
	}
	return ""
}

// checkFlow keeps secrets out of general registers. The destination is the last operand.
func checkFlow(op string, operands []string, symbol string, rules Rules) string {
	if len(operands) < 2 || strings.HasPrefix(op, "lea") || strings.HasPrefix(op, "nop") {
		return ""
	}
	if !general.MatchString(operands[len(operands)-1]) {
		return ""
	}
	for _, o := range operands[:len(operands)-1] {
		if vector.MatchString(o) {
			return "from a vector or mask to a general register"
		}
		a := address.FindStringSubmatch(o)
		if a == nil || a[1] == "%rsp" || a[1] == "%rip" {
			continue
		}
		allowed := false
		for _, r := range rules.PublicPointers[symbol] {
			allowed = allowed || a[1] == r
		}
		if !allowed {
			return "memory that may be secret to a general register"
		}
	}
	return ""
}

// setsFlags knows the instructions that the kernels could use before a jump; mov, lea, vector
// arithmetic and the like leave the flags alone.
func setsFlags(instruction string) bool {
	op, _, _ := strings.Cut(instruction, " ")
	for _, prefix := range []string{"cmp", "test", "dec", "inc", "sub", "add", "adc", "sbb", "and", "or", "xor", "neg",
		"sh", "sar", "bt", "bzhi", "ktest", "kortest", "ptest", "vptest", "vtest", "comis", "vcomis", "ucomis", "vucomis"} {
		if strings.HasPrefix(op, prefix) {
			return true
		}
	}
	return false
}

// split cuts operands at the commas outside parentheses.
func split(s string) (operands []string) {
	depth, from := 0, 0
	for i, c := range s {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				operands = append(operands, strings.TrimSpace(s[from:i]))
				from = i + 1
			}
		}
	}
	if s = strings.TrimSpace(s[from:]); s != "" {
		operands = append(operands, s)
	}
	return operands
}
