package command

import "errors"

// Exit codes. They are part of the interface; README.md lists them.
const (
	ExitOK           = 0
	ExitUsage        = 2   // usage or configuration: nothing was measured, nothing overwritten
	ExitInconclusive = 3   // too noisy, or too little time, for any number
	ExitOutput       = 6   // what was measured could not be written
	ExitInterrupted  = 130 // by Ctrl-C or SIGTERM; what was measured is kept
)

// exitError carries an exit code to [Main], which decides it.
type exitError struct {
	code int
	error
}

func (e *exitError) Unwrap() error { return e.error }

// WithCode is an error that ends the program with an exit code; nil of nil.
func WithCode(code int, err error) error {
	if err == nil {
		return nil
	}
	return &exitError{code, err}
}

// ErrSilent is an error whose reason the user has already been shown.
var ErrSilent = errors.New("shown already")

// CodeOf is the exit code of an error: usage where none was said.
func CodeOf(err error) int {
	var coded *exitError
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &coded):
		return coded.code
	case errors.Is(err, ErrInterrupted):
		return ExitInterrupted
	}
	return ExitUsage
}
