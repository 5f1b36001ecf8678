// Package command is what the programs of the command line share: the session that a program was started in, its
// verbs and their help in the session's language, exit codes, and the programs that lie beside it.
//
//	session.go      what a program was started with
//	exit.go         exit codes, and the one place that decides them
//	root.go         verbs under one root
//	help.go         what verbs and flags say of themselves, in English and Chinese
//	terminal.go     what a terminal shows
//	beside.go       finding and becoming the program that lies beside this one
//	stream_linux.go standard streams that were closed, and asking on one for what is not shown
//
// There are two such programs. Command cryptogauge measures and reports; it is started again as each worker of
// each block, so that it links nothing that takes long to initialise. Command cryptogauge-store holds
// what speaks to databases and object stores, and to readers over HTTP; cryptogauge becomes that program where it
// is asked for one of its verbs.
package command

import (
	"fmt"
	"io"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// Session is what a program was started with, so that tests can pass their own.
type Session struct {
	Args     []string
	In       io.Reader
	Out, Err io.Writer
	Lang     language.Lang // of the session, or what --lang says
	Quiet    bool          // no progress and no notes
}

// Remark says a line to the user.
func (s Session) Remark(t language.Text) { fmt.Fprintf(s.Err, "cryptogauge: %s\n", t.In(s.Lang)) }

// Note makes the remarks that there are, unless the user wants none.
func (s Session) Note(remarks ...language.Text) {
	for _, t := range remarks {
		if t != (language.Text{}) && !s.Quiet {
			s.Remark(t)
		}
	}
}
