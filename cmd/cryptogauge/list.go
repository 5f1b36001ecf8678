package main

import (
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/question"
	"github.com/cryptogauge/cryptogauge/internal/suite"
)

func newList(s streams) *cobra.Command {
	var f nativeFlags
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List experiments, libraries and algorithms",
		Long:    "List the experiments, the libraries that were found with their versions and kernels, and the algorithms each offers here.",
		Example: "  cryptogauge list",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			command, err := workerCommand()
			if err != nil {
				return err
			}
			natives, err := f.natives()
			if err != nil {
				return err
			}
			kinds, err := suite.Take(cmd.Context(), question.All(), suite.NewWorkers(command, provider.Setting{}, 10*time.Second).Beyond(natives))
			if err != nil {
				return err
			}
			return withCode(exitOutput, printList(s, kinds))
		},
	}
	f.add(cmd)
	return cmd
}

// printList prints a table of the experiments, and one for each library. Nothing is wider than a report,
// where the names aren't.
func printList(s streams, stock []suite.Stock) error {
	w := tabwriter.NewWriter(s.out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, listHead.In(s.lang))
	for _, e := range question.All() {
		for i, line := range folded(strings.Fields(question.Asked(e.Name).In(s.lang)), questionWidth) {
			fmt.Fprintf(w, "%s\t%s\n", firstOnly(i, e.Name), line)
		}
	}
	var missing []suite.Stock
	heading := ""
	for _, k := range stock {
		if k.Missing != (language.Text{}) {
			missing = append(missing, k)
			continue
		}
		found := language.Same(k.Found)
		if k.Found == "built in" {
			found.ZH = "内置"
		}
		if of := language.Say("%s %s, call path %s (%s)", "%s %s，调用方式 %s（%s）", k.Library, k.Version, k.CallPath, found).In(s.lang); of != heading {
			heading = of
			fmt.Fprintf(w, "\n%s\n  %s\n", of, kernelHead.In(s.lang))
		}
		for i, line := range folded(k.Modes, modesWidth) {
			fmt.Fprintf(w, "  %s\t%s\t%s\n", firstOnly(i, k.Algorithm), firstOnly(i, k.Implementation), line)
		}
	}
	if err := w.Flush(); err != nil || len(missing) == 0 {
		return err
	}
	_, err := fmt.Fprintln(s.out)
	for _, k := range missing {
		_, err = fmt.Fprintln(s.out, language.Say("%s is not here: %s", "没有 %s：%s", k.Library, k.Missing).In(s.lang))
	}
	return err
}

var (
	listHead   = language.Text{EN: "EXPERIMENT\tQUESTION", ZH: "实验\t问题"}
	kernelHead = language.Text{EN: "ALGORITHM\tKERNEL\tMODES OR OPERATIONS", ZH: "算法\t实现\t模式或操作"}
)

// What the last columns may take of 100: the others' longest names have 12, 17 and 34.
const (
	questionWidth = 86
	modesWidth    = 43
)

// folded joins words into lines of at most so many columns, or of one word.
func folded(words []string, width int) []string {
	lines := []string{""}
	for _, word := range words {
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = word
		case len(*last)+1+len(word) <= width:
			*last += " " + word
		default:
			lines = append(lines, word)
		}
	}
	return lines
}

// firstOnly leaves a cell empty in the lines after the first.
func firstOnly(line int, cell string) string {
	if line > 0 {
		return ""
	}
	return cell
}
