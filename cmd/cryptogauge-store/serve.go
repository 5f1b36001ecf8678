package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/live"
	"github.com/cryptogauge/cryptogauge/internal/web"
	"github.com/cryptogauge/cryptogauge/internal/web/access"
)

// usualListen is where serve listens unless another address is given: on this machine alone.
const usualListen = "127.0.0.1:8473"

func newServe(s command.Session) *cobra.Command {
	var at storeFlag
	var asked access.Request
	var verbose bool
	cmd := &cobra.Command{
		Use:  "serve",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			location, err := at.location(cmd)
			if err != nil {
				return err
			}
			if err := asked.Check(); err != nil {
				return err
			}
			home, _ := os.UserHomeDir() // without one there is none to hide
			o := web.Options{At: location, Access: &asked, Home: home, Live: live.Runs, Now: time.Now,
				Password: func(database string) (string, error) { return askPassword(s, database) }}
			if verbose {
				o.Log = logTo(s)
			}
			return serve(cmd.Context(), s, o)
		},
	}
	at.add(cmd)
	fs := cmd.Flags()
	fs.StringVar(&asked.Listen, "listen", usualListen, "")
	fs.StringVar(&asked.TokenFile, "token-file", "", "")
	fs.StringVar(&asked.Certificate, "tls-cert", "", "")
	fs.StringVar(&asked.Key, "tls-key", "", "")
	fs.BoolVar(&asked.Insecure, "insecure", false, "")
	fs.BoolVar(&verbose, "verbose", false, "")
	for _, name := range []string{"token-file", "tls-cert", "tls-key"} {
		_ = cmd.MarkFlagFilename(name)
	}
	return cmd
}

// logTo writes a line a request on standard error.
func logTo(s command.Session) func(string) {
	var mu sync.Mutex
	return func(line string) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintln(s.Err, line)
	}
}

// serve serves until a signal comes. A store that is away comes back by itself; one that never can be read is refused.
func serve(ctx context.Context, s command.Session, o web.Options) error {
	server := web.New(o)
	defer server.Close()
	if err := server.Open(ctx); err != nil {
		if ctx.Err() != nil {
			return command.WithCode(command.ExitInterrupted, command.ErrSilent)
		}
		if neverReads(o.At, err) || errors.Is(err, command.ErrInterrupted) {
			return err
		}
		s.Remark(language.Of(err))
	}
	l, err := o.Access.Open()
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(s.Out, o.Access.Address(l)); err != nil {
		l.Close()
		return command.WithCode(command.ExitOutput, err)
	}
	return command.WithCode(command.ExitOutput, server.Serve(ctx, l))
}

// neverReads says of an error whether waiting does not mend it.
func neverReads(at archive.Location, err error) bool {
	switch {
	case errors.Is(err, archive.ErrNone), errors.Is(err, archive.ErrOlder):
		return false
	case errors.Is(err, archive.ErrForeign), errors.Is(err, archive.ErrNewer):
		return true
	}
	return at.Engine == archive.SQLite
}
