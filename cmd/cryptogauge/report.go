package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/report"
)

func newReport(s streams) *cobra.Command {
	var format, lang string
	cmd := &cobra.Command{
		Use:   "report RUN...",
		Short: "Report run files again, in any format, also those cut short",
		Long: `Report run files, in any format and language, also those cut short. RUN is a run
file or the folder that holds it. Several runs make one table with a column a
machine; no verdict is given between machines.`,
		Example: `  cryptogauge report cryptogauge-results/20261120T113300Z-quick
  cryptogauge report RUN --format markdown --lang zh
  cryptogauge report RUN --format benchfmt | benchstat -filter '/lib:(gmsm OR tjfoc)' -col /lib -ignore /impl -
  cryptogauge report laptop/run.jsonl server/run.jsonl --format html > both.html`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("report: which run? give the folder that a run wrote, or its run.jsonl")
			}
			f, err := report.ParseFormat(format)
			if err != nil {
				return err
			}
			l, err := language(lang)
			if err != nil {
				return err
			}
			var docs []*report.Document
			for _, path := range args {
				doc, err := load(path)
				if err != nil {
					return err
				}
				docs = append(docs, doc)
			}
			if f == report.FormatCSV {
				warnWrong(s.err, docs, l)
			}
			options := report.Options{Lang: l, Color: colour(s.out), Width: terminalWidth(s.out)}
			return withCode(exitOutput, report.Write(s.out, f, docs, options))
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", strings.Join(report.Formats(), ", "))
	cmd.Flags().StringVar(&lang, "lang", "", "en or zh (default: from LANG)")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(report.Formats(), cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("lang", cobra.FixedCompletions([]string{"en", "zh"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// warnWrong says which code computed something wrongly where what stands on standard
// output has no room for a sentence.
func warnWrong(w io.Writer, docs []*report.Document, l report.Lang) {
	for _, d := range docs {
		for _, a := range d.WrongOutputs {
			fmt.Fprintf(w, "cryptogauge: %s\n", a.Text.In(l))
		}
	}
}
