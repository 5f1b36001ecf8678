package main

import (
	"errors"
	"os"

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
	pin, err := command.AskSecret(in, s.Err, language.Text{EN: "PIN of the token (not shown): ", ZH: "令牌的 PIN（不显示）："}.In(s.Lang))
	switch {
	case errors.Is(err, command.ErrNoTerminal):
		return nil, nil
	case errors.Is(err, command.ErrInterrupted):
		return nil, interruptedEarly()
	}
	return pin, err
}
