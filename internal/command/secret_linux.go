package command

import (
	"bufio"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// AskSecret asks on a terminal for what is not shown when it is typed; ErrNoTerminal where in is none.
func AskSecret(in *os.File, out io.Writer, prompt string) ([]byte, error) {
	before, err := unix.IoctlGetTermios(int(in.Fd()), unix.TCGETS)
	if err != nil {
		return nil, ErrNoTerminal
	}
	silent := *before
	silent.Lflag &^= unix.ECHO | unix.ICANON | unix.ISIG
	silent.Cc[unix.VMIN], silent.Cc[unix.VTIME] = 1, 0
	if err := unix.IoctlSetTermios(int(in.Fd()), unix.TCSETS, &silent); err != nil {
		return nil, fmt.Errorf("hiding what is typed: %w", err)
	}
	fmt.Fprint(out, prompt)
	secret, err := typed(bufio.NewReaderSize(in, 1))
	fmt.Fprintln(out)
	if restored := unix.IoctlSetTermios(int(in.Fd()), unix.TCSETS, before); restored != nil && err == nil {
		err = fmt.Errorf("showing again what is typed: %w", restored)
	}
	return secret, err
}
