package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/filing"
	"github.com/cryptogauge/cryptogauge/internal/language"
)

// filingTime is how long a store may take to open, or to file a run, before it is given up.
const filingTime = 5 * time.Minute

// newFiling answers the requests of a program that measures: see package filing. It ends with its input, and not by a
// signal of the terminal, which ends the measurement and leaves a run to be filed.
func newFiling(s command.Session) *cobra.Command {
	return &cobra.Command{
		Use:    filing.Verb,
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
			f := &filer{session: s}
			in, out := bufio.NewScanner(s.In), json.NewEncoder(s.Out)
			for in.Scan() {
				var q filing.Request
				if err := json.Unmarshal(in.Bytes(), &q); err != nil {
					return err
				}
				if err := out.Encode(f.reply(f.answer(q))); err != nil {
					return err
				}
			}
			return in.Err()
		},
	}
}

type filer struct {
	session  command.Session
	at       archive.Location
	password string // as it was typed, once
	asked    bool
}

func (f *filer) reply(err error) filing.Reply {
	r := filing.Reply{Store: f.at.String(), Interrupted: errors.Is(err, command.ErrInterrupted)}
	if err != nil {
		said := language.Of(err)
		r.Error = &said
	}
	return r
}

func (f *filer) answer(q filing.Request) error {
	ctx, stop := context.WithTimeout(context.Background(), filingTime)
	defer stop()
	if q.Open != "" {
		at, err := archive.Parse(q.Open)
		if err != nil {
			return err
		}
		f.at = at
	}
	a, err := archive.Open(ctx, f.at, archive.Options{Access: archive.Write, Password: f.ask})
	if err != nil {
		return tooLong(err)
	}
	defer a.Close() // nothing is held open while somebody measures
	if q.Folder == "" {
		return nil
	}
	paths, unread := archive.Found(q.Folder)
	refused := cmp.Or(unread...) // the first: what is said is one line
	err = a.Import(ctx, paths, func(_ string, _ archive.Filed, err error) { refused = cmp.Or(refused, err) })
	return tooLong(cmp.Or(err, refused))
}

// ask asks for a password, and remembers it.
func (f *filer) ask(database string) (string, error) {
	if f.asked {
		return f.password, nil
	}
	f.asked = true
	var err error
	f.password, err = askPassword(f.session, database)
	return f.password, err
}

func tooLong(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return language.Errorf("it did not answer within %s", "在 %s 内没有响应", filingTime)
	}
	return err
}

// errNobody: there is no terminal to ask on.
var errNobody = language.Error("the database wants a password, and there is no terminal to ask on; write it to ~/.pgpass, "+
	"readable by you alone: HOST:PORT:DATABASE:USER:PASSWORD",
	"数据库要求口令，但没有可供输入的终端；请写入仅自己可读的 ~/.pgpass，格式为 主机:端口:数据库:用户:口令")

// askPassword asks on the terminal, wherever standard input and output go.
func askPassword(s command.Session, database string) (string, error) {
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return "", errNobody
	}
	defer tty.Close()
	prompt := language.Say("Password of %s (not shown): ", "%s 的口令（不显示）：", database)
	secret, err := command.AskSecret(tty, tty, prompt.In(s.Lang))
	switch {
	case errors.Is(err, command.ErrNoTerminal):
		return "", errNobody
	case err != nil:
		return "", err
	}
	defer clear(secret)
	return string(secret), nil
}
