package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/machine"
	"github.com/cryptogauge/cryptogauge/internal/suite"
)

// Exit codes. They are part of the interface; README.md lists them.
const (
	exitOK           = 0
	exitUsage        = 2   // usage or configuration: nothing was measured, nothing overwritten
	exitInconclusive = 3   // too noisy, or too little time, for any number
	exitOutput       = 6   // what was measured could not be written
	exitInterrupted  = 130 // by Ctrl-C or SIGTERM; what was measured is kept
)

// exitError carries an exit code to the one place that decides it.
type exitError struct {
	code int
	error
}

func (e *exitError) Unwrap() error { return e.error }

func withCode(code int, err error) error {
	if err == nil {
		return nil
	}
	return &exitError{code, err}
}

// streams are what the program was started with, so that tests can pass their own.
type streams struct {
	args     []string
	in       io.Reader
	out, err io.Writer
	state    func() machine.State // what others take of the machine; nil reads its files
	lang     language.Lang        // of the session, or what --lang says
	quiet    bool                 // no progress and no notes
}

// sessionLanguage is what --lang says, else what the environment's locale says.
func sessionLanguage(args []string) language.Lang {
	for i, arg := range args {
		value, given := strings.CutPrefix(arg, "--lang=")
		if arg == "--lang" && i+1 < len(args) {
			value, given = args[i+1], true
		}
		if lang, err := languageOf(value); given && err == nil {
			return lang
		}
	}
	return language.OfSession()
}

// repeated are the flags that a command to run next repeats.
func (s streams) repeated() (flags []string) {
	for _, f := range document.TypedFlags(s.args, "lang") {
		flags = []string{"--" + f.Name, f.Value}
	}
	return flags
}

func languageOf(flag string) (language.Lang, error) {
	switch lang := language.Lang(flag); lang {
	case language.English, language.Chinese:
		return lang, nil
	case "":
		return language.OfSession(), nil
	}
	return "", language.Errorf("--lang %q: there are en and zh", "--lang %q：只有 en 与 zh", flag)
}

func (s streams) remark(t language.Text) { fmt.Fprintf(s.err, "cryptogauge: %s\n", t.In(s.lang)) }

// note makes the remarks that there are, unless the user wants none.
func (s streams) note(remarks ...language.Text) {
	for _, t := range remarks {
		if t != (language.Text{}) && !s.quiet {
			s.remark(t)
		}
	}
}

func run(s streams) int {
	ctx, stop := interruptible(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	// After the first signal the default comes back, so that a second one ends
	// the program at once.
	context.AfterFunc(ctx, stop)

	s.lang = sessionLanguage(s.args)
	root := newRoot(s)
	root.SetArgs(s.args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	code := exitUsage
	var coded *exitError
	if errors.As(err, &coded) {
		code = coded.code
	}
	if !errors.Is(err, errSilent) {
		said := language.Of(err)
		if said.ZH == said.EN {
			said = usageError(err)
		}
		s.remark(said)
	}
	return code
}

// interruptible is a context that these signals end. One that was ignored when the program started stays
// ignored, as nohup and a shell's background jobs have it.
func interruptible(signals ...os.Signal) (context.Context, context.CancelFunc) {
	signals = slices.DeleteFunc(signals, signal.Ignored)
	if len(signals) == 0 { // of which NotifyContext would make all there are
		return context.WithCancel(context.Background())
	}
	return signal.NotifyContext(context.Background(), signals...)
}

// errSilent is an error whose reason the user has already been shown.
var errSilent = errors.New("shown already")

func newRoot(s streams) *cobra.Command {
	root := &cobra.Command{
		Use:           "cryptogauge",
		Version:       toolVersion(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if err := timeError(err); err != nil {
			return err
		}
		return language.Errorf("%s; see %s --help", "%s；请见 %s --help", usageError(err), cmd.CommandPath())
	})
	root.PersistentFlags().String("lang", "", "")
	_ = root.RegisterFlagCompletionFunc("lang", cobra.FixedCompletions([]string{"en", "zh"}, cobra.ShellCompDirectiveNoFileComp))
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		flag, _ := cmd.Flags().GetString("lang")
		_, err := languageOf(flag)
		return err
	}
	root.AddCommand(newRun(s), newPlan(s), newCheck(s), newVerify(s), newCompare(s), newHash(s), newLoad(s),
		newReport(s), newList(s), newDoctor(s), newSelftest(s), newVersion(s), newWorker(s), newBenchworker(s))
	speak(root, s.lang)
	return root
}

func usageCode(err error) error {
	var usage *suite.UsageError
	if errors.As(err, &usage) {
		return withCode(exitUsage, err)
	}
	return err
}
