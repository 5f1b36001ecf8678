package uncouple

import (
	"fmt"
	"strconv"
	"strings"
)

// A machine follows a function's jumps: it executes what general registers do and counts the vector
// instructions that are passed. Arguments and memory that aren't given hold zeros, and so do carries and
// masks: a counter never wraps.
type machine struct {
	arguments map[string]int64 // by name, and what lies in memory by the operand that reads it
	registers map[string]int64
	flags     int64 // the result that a jump is about to look at
	passed    Tally
}

// execute counts what the function executes with these arguments.
func (f function) execute(arguments map[string]int64) (Tally, error) {
	m := machine{arguments, map[string]int64{}, 0, Tally{}}
	label := map[string]int{}
	for i, line := range f.lines {
		if name, ok := strings.CutSuffix(line, ":"); ok {
			label[name] = i
		}
	}
	for i := 0; i < len(f.lines); i++ {
		line := f.lines[i]
		op, operands := split(line)
		switch {
		case op == "RET":
			return m.passed, nil
		case strings.HasSuffix(line, ":"):
		case strings.HasPrefix(op, "J"):
			taken, err := m.holds(op[1:])
			if err != nil {
				return nil, err
			}
			if taken {
				i = label[operands[0]]
			}
		case register.MatchString(line):
			m.passed.classify(line)
		case len(operands) > 1 || op == "DECQ" || op == "BSWAPQ":
			if err := m.general(op, operands); err != nil {
				return nil, fmt.Errorf("%s: %w", line, err)
			}
		}
	}
	return m.passed, nil
}

// holds is whether a condition is true of the flags.
func (m *machine) holds(condition string) (bool, error) {
	switch condition {
	case "MP":
		return true, nil
	case "E", "EQ", "Z":
		return m.flags == 0, nil
	case "NE", "NZ":
		return m.flags != 0, nil
	case "LT":
		return m.flags < 0, nil
	case "LE":
		return m.flags <= 0, nil
	case "G", "GT", "HI":
		return m.flags > 0, nil
	case "GE":
		return m.flags >= 0, nil
	}
	return false, fmt.Errorf("unknown condition %s", condition)
}

// value is that of an operand.
func (m *machine) value(operand string) int64 {
	if number, ok := strings.CutPrefix(operand, "$"); ok {
		n, _ := strconv.ParseInt(number, 0, 64)
		return n
	}
	if name, ok := strings.CutSuffix(operand, "(FP)"); ok {
		name, _, _ = strings.Cut(name, "+")
		return m.arguments[name]
	}
	if strings.Contains(operand, "(") {
		return m.arguments[operand]
	}
	return m.registers[operand]
}

// address is what LEAQ makes of an operand.
func (m *machine) address(operand string) int64 {
	offset, base, _ := strings.Cut(strings.TrimSuffix(operand, ")"), "(")
	n, _ := strconv.ParseInt(offset, 0, 64)
	return n + m.registers[base]
}

// general executes an instruction on general registers.
func (m *machine) general(op string, operands []string) error {
	to := operands[len(operands)-1]
	a, b := m.value(operands[0]), m.value(to)
	if condition, ok := strings.CutPrefix(op, "CMOVQ"); ok {
		move, err := m.holds(condition)
		if move {
			m.registers[to] = a
		}
		return err
	}
	switch op {
	case "MOVQ", "MOVL", "MOVBQZX":
		m.registers[to] = a
		return nil
	case "LEAQ":
		m.registers[to] = m.address(operands[0])
		return nil
	case "BSWAPQ", "BZHIQ", "KMOVQ", "KMOVB", "KANDQ", "KADDB":
		return nil
	case "KTESTQ":
		m.flags = 0
		return nil
	case "CMPQ", "CMPL":
		m.flags = a - b
		return nil
	case "TESTQ":
		m.flags = a & b
		return nil
	case "ADDQ", "ADCQ":
		b += a
	case "SUBQ":
		b -= a
	case "DECQ":
		b--
	case "ANDQ", "ANDL":
		b &= a
	case "SHLQ":
		b <<= a
	case "SHRQ":
		b >>= a
	case "XORL", "XORQ":
		b ^= a
	default:
		return fmt.Errorf("unknown instruction")
	}
	m.registers[to], m.flags = b, b
	return nil
}
