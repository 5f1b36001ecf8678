package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/language"
)

// inMemory makes a file that no folder has, with a secret.
func inMemory(secret []byte) (*os.File, error) { return memoryFile("PIN", secret) }

// askPIN asks for the PIN where somebody sits at a terminal, without showing it; nil where nobody does.
func askPIN(s streams) ([]byte, error) {
	in, ok := s.In.(*os.File)
	if !ok {
		return nil, nil
	}
	before, err := unix.IoctlGetTermios(int(in.Fd()), unix.TCGETS)
	if err != nil {
		return nil, nil
	}
	silent := *before
	silent.Lflag &^= unix.ECHO | unix.ICANON | unix.ISIG
	silent.Cc[unix.VMIN], silent.Cc[unix.VTIME] = 1, 0
	if err := unix.IoctlSetTermios(int(in.Fd()), unix.TCSETS, &silent); err != nil {
		return nil, fmt.Errorf("hiding what is typed: %w", err)
	}
	fmt.Fprint(s.Err, language.Text{EN: "PIN of the token (not shown): ", ZH: "令牌的 PIN（不显示）："}.In(s.Lang))
	pin, err := typed(bufio.NewReaderSize(in, 1))
	fmt.Fprintln(s.Err)
	if restored := unix.IoctlSetTermios(int(in.Fd()), unix.TCSETS, before); restored != nil && err == nil {
		err = fmt.Errorf("showing again what is typed: %w", restored)
	}
	if errors.Is(err, errInterrupted) {
		return nil, command.WithCode(command.ExitInterrupted, language.Errorf("interrupted before anything was measured", "尚未开始测量即中断"))
	}
	return pin, err
}
