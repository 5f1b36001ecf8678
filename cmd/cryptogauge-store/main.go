// Command cryptogauge-store is what cryptogauge becomes where it is asked for a verb that speaks to databases, to
// object stores, or to readers over HTTP. What it links takes milliseconds to initialise, which
// cryptogauge, started again as each worker of each block, must not take.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/render"
	"github.com/cryptogauge/cryptogauge/internal/treesum/digest"
	"github.com/cryptogauge/cryptogauge/internal/treesum/hashing"
	"github.com/cryptogauge/cryptogauge/internal/treesum/objects"
	"github.com/cryptogauge/cryptogauge/internal/treesum/s3"
	"github.com/cryptogauge/cryptogauge/internal/treesum/treehash"
	"github.com/cryptogauge/cryptogauge/internal/version"
)

func main() {
	os.Exit(program().Main(command.Session{Args: os.Args[1:], In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}

// program is all verbs. They are typed as cryptogauge's.
func program() command.Program {
	return command.Program{Version: version.Tool(),
		Words: []string{"{formats}", strings.Join(render.Formats(), ", "), "{algorithms}", strings.Join(digest.Names(), ", ")},
		Verbs: func(s command.Session) []*cobra.Command {
			return []*cobra.Command{newStore(s), newHistory(s), newServe(s), hashing.New(s, openObjects), newReport(s), newVersion(s)}
		}}
}

// openObjects opens the store that the environment names.
func openObjects() (treehash.Objects, error) {
	client, err := s3.Open(os.Getenv)
	if err != nil {
		return nil, err
	}
	return objects.New(client), nil
}

func newVersion(s command.Session) *cobra.Command {
	return &cobra.Command{
		Use:  "version",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(s.Out, "%s %s (%s, %s/%s)\n", command.Store, version.Tool(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return command.WithCode(command.ExitOutput, err)
		},
	}
}
