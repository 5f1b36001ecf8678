package command

import (
	"bufio"
	"errors"
	"io"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

var (
	ErrNoTerminal  = errors.New("there is no terminal to ask on")
	ErrInterrupted = language.Error("interrupted", "已中断")
)

// typed reads a line of a terminal that neither shows nor edits what is typed: a line feed or a carriage return
// ends it, Ctrl-C gives up.
func typed(in *bufio.Reader) (line []byte, err error) {
	const interrupt, end, backspace, del = 3, 4, 8, 127
	for {
		b, err := in.ReadByte()
		switch {
		case err != nil && (len(line) == 0 || !errors.Is(err, io.EOF)):
			return nil, err
		case err != nil, b == '\n', b == '\r', b == end:
			return line, nil
		case b == interrupt:
			clear(line)
			return nil, ErrInterrupted
		case b == backspace, b == del:
			line = line[:max(0, len(line)-1)]
		default:
			line = append(line, b)
		}
	}
}
