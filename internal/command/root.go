package command

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// Name is what the user types, whichever program answers.
const Name = "cryptogauge"

// A Program is verbs under one root.
type Program struct {
	Version string
	Words   []string // in braces in the help, each followed by what stands for it
	Verbs   func(Session) []*cobra.Command
}

// Main runs the verb that a session asks for, and returns the program's exit code.
func (p Program) Main(s Session) int {
	ctx, stop := interruptible(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	// After the first signal the default comes back, so that a second one ends
	// the program at once.
	context.AfterFunc(ctx, stop)

	s.Lang = sessionLanguage(s.Args)
	root := p.Root(s)
	root.SetArgs(s.Args)
	err := root.ExecuteContext(ctx)
	if err != nil && !errors.Is(err, ErrSilent) {
		said := language.Of(err)
		if said.ZH == said.EN {
			said = UsageError(err)
		}
		s.Remark(said)
	}
	return CodeOf(err)
}

// Root is the root of all verbs, which speak the session's language.
func (p Program) Root(s Session) *cobra.Command {
	root := &cobra.Command{Use: Name, Version: p.Version, SilenceErrors: true, SilenceUsage: true}
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if better := timeError(err); better != nil {
			return better
		}
		return language.Errorf("%s; see %s --help", "%s；请见 %s --help", UsageError(err), cmd.CommandPath())
	})
	root.PersistentFlags().String("lang", "", "")
	_ = root.RegisterFlagCompletionFunc("lang", cobra.FixedCompletions([]string{"en", "zh"}, cobra.ShellCompDirectiveNoFileComp))
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		flag, _ := cmd.Flags().GetString("lang")
		_, err := languageOf(flag)
		return err
	}
	root.AddCommand(p.Verbs(s)...)
	p.speak(root, s.Lang)
	return root
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

func languageOf(flag string) (language.Lang, error) {
	switch lang := language.Lang(flag); lang {
	case language.English, language.Chinese:
		return lang, nil
	case "":
		return language.OfSession(), nil
	}
	return "", language.Errorf("--lang %q: there are en and zh", "--lang %q：只有 en 与 zh", flag)
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
