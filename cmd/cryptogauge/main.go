// Command cryptogauge measures what cryptography costs on this machine, over
// every library at hand, and says what follows.
//
// The command line only turns flags into a configuration and calls the package
// that does the work, one file a verb. What it must do stands in
// testdata/script/*.txtar.
package main

import (
	"os"
)

func main() { os.Exit(run(streams{args: os.Args[1:], in: os.Stdin, out: os.Stdout, err: os.Stderr})) }
