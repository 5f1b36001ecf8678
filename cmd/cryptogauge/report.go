package main

import (
	"fmt"
	"io"
	"os"
	"os/user"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/render"
	"github.com/cryptogauge/cryptogauge/result"
)

func newReport(s streams) *cobra.Command {
	var format, lang string
	var anonymous bool
	cmd := &cobra.Command{
		Use:   "report RUN...",
		Short: "Report run files again, in any format, also those cut short",
		Long: `Report run files, in any format and language, also those cut short. RUN is a run
file or the folder that holds it. Several runs make one table with a column a
machine; no verdict is given between machines.

Reports are made to be shared: a ~ stands in the place of home directories. With
--anonymous they also leave out every path (of libraries, outputs and temporary files,
also within messages), the arguments of the command that are paths, and the names of
this machine and its user. The machine's hardware, system and versions stay, and so does
what was measured. The run file itself is not changed: share the report, not the run.`,
		Example: `  cryptogauge report cryptogauge-results/20261120T113300Z-quick
  cryptogauge report RUN --format markdown --lang zh
  cryptogauge report RUN --format html --anonymous > report.html
  cryptogauge report RUN --format benchfmt | benchstat -filter '/lib:(gmsm OR tjfoc)' -col /lib -ignore /impl -
  cryptogauge report laptop/run.jsonl server/run.jsonl --format html > both.html`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return language.Errorf("report: which run? give the folder that a run wrote, or its run.jsonl",
					"report：要报告哪次运行？请给出运行生成的目录，或其中的 run.jsonl")
			}
			f, err := render.ParseFormat(format)
			if err != nil {
				return err
			}
			l, err := languageOf(lang)
			if err != nil {
				return err
			}
			var docs []*document.Document
			for _, path := range args {
				shared := withoutHome
				if anonymous {
					shared = withoutNames
				}
				doc, err := load(path, shared)
				if err != nil {
					return err
				}
				docs = append(docs, doc)
			}
			if f == render.FormatCSV {
				warnWrong(s.err, docs, l)
			}
			options := render.Options{Lang: l, Color: colour(s.out), Width: terminalWidth(s.out)}
			return withCode(exitOutput, render.Write(s.out, f, docs, options))
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", strings.Join(render.Formats(), ", "))
	cmd.Flags().StringVar(&lang, "lang", "", "en or zh (default: from LANG)")
	cmd.Flags().BoolVar(&anonymous, "anonymous", false, "leave out paths, the command's arguments that are paths, and the names of machine and user")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(render.Formats(), cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("lang", cobra.FixedCompletions([]string{"en", "zh"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// warnWrong says which code computed something wrongly where what stands on standard
// output has no room for a sentence.
func warnWrong(w io.Writer, docs []*document.Document, l layout.Lang) {
	for _, d := range docs {
		for _, a := range d.WrongOutputs {
			fmt.Fprintf(w, "cryptogauge: %s\n", render.Clean(a.Text.In(l)))
		}
	}
}

// withoutNames is a run as --anonymous shows it.
func withoutNames(run *result.Run) *result.Run {
	var names document.Names
	names.Host, _ = os.Hostname() // what is not known is not looked for
	if u, err := user.Current(); err == nil {
		names.User = u.Username
	}
	return document.WithoutNames(withoutHome(run), names)
}
