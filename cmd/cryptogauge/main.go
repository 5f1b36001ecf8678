// Command cryptogauge measures what cryptography costs on this machine, over
// every library at hand, and says what follows.
//
// The command line only turns flags into a configuration and calls the package
// that does the work, one file a verb. What it must do stands in
// testdata/script/*.txtar, what verbs and flags say of themselves in
// internal/command/help.
package main

import (
	"os"

	"github.com/cryptogauge/cryptogauge/internal/command"
)

func main() {
	os.Exit(run(streams{Session: command.Session{Args: os.Args[1:], In: os.Stdin, Out: os.Stdout, Err: os.Stderr}}))
}
