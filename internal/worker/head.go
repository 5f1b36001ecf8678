package worker

import (
	"bytes"
	"strings"
	"sync"
	"unicode"

	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// head keeps the beginning of what a process wrote to its standard error: a Go
// traceback names the cause in its first line.
type head struct {
	mu   sync.Mutex
	text []byte
}

const headBytes = 4096

func (h *head) Write(b []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.text = append(h.text, b[:min(max(0, headBytes-len(h.text)), len(b))]...)
	return len(b), nil
}

func (h *head) lines(n int) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var lines []string
	for line := range bytes.Lines(bytes.TrimSpace(h.text)) {
		if len(lines) < n {
			lines = append(lines, oneLine(string(line)))
		}
	}
	return lines
}

// inside says how a library that is not Go's ended the process, where a signal stopped
// it in code of its own; nil where nothing tells that. Go's runtime words it so:
//
//	SIGSEGV: segmentation violation
//	PC=0x7f095a89b1f1 m=0 sigcode=2 addr=0x7f0951000000
//	signal arrived during cgo execution
func (h *head) inside() error {
	lines := h.lines(3)
	if len(lines) < 3 || lines[2] != "signal arrived during cgo execution" {
		return nil
	}
	name, text, _ := strings.Cut(lines[0], ": ")
	if strings.Contains(lines[1], "sigcode=2 ") { // SEGV_ACCERR of sigaction(2): there is memory, and no right to it
		return reason.New("inside-fence", name, reason.Foreign(text))
	}
	return reason.New("inside", name, reason.Foreign(text))
}

func endOf(err error, stderr *head) error {
	if inside := stderr.inside(); inside != nil {
		return inside
	}
	last, how := strings.Join(stderr.lines(1), ""), ""
	if err != nil {
		how = err.Error()
	}
	status, exited := strings.CutPrefix(how, "exit status ")
	signal, killed := strings.CutPrefix(how, "signal: ")
	switch silent := last == ""; {
	case err == nil && silent:
		return reason.New("ended-silent")
	case err == nil:
		return reason.New("ended-silent-saying", reason.Foreign(last))
	case exited && silent:
		return reason.New("ended-status", status)
	case exited:
		return reason.New("ended-status-saying", status, reason.Foreign(last))
	case killed && silent:
		return reason.New("ended-signal", signal)
	case killed:
		return reason.New("ended-signal-saying", signal, reason.Foreign(last))
	}
	return reason.New("ended", err)
}

// oneLine makes a reason of what a library or a worker said: in a table and in
// a footnote there is room for one line.
func oneLine(text string) string {
	const most = 300
	line := strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, "?"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
	if runes := []rune(line); len(runes) > most {
		line = string(runes[:most]) + "…"
	}
	return line
}
