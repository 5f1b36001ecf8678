package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/question"
	"github.com/cryptogauge/cryptogauge/internal/render"
	"github.com/cryptogauge/cryptogauge/internal/suite"
)

func newList(s streams) *cobra.Command {
	var objects []string
	cmd := &cobra.Command{
		Use:  "list",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			workers, err := newWorkers(objects, provider.Setting{}, 10*time.Second)
			if err != nil {
				return err
			}
			kinds, err := suite.Take(cmd.Context(), question.All(), workers)
			if err != nil {
				return err
			}
			return command.WithCode(command.ExitOutput, printList(s, kinds))
		},
	}
	cmd.Flags().StringArrayVar(&objects, "library", nil, "")
	return cmd
}

// printList prints a table of the experiments, and one for each library. Nothing is wider
// than a report, where the names aren't.
func printList(s streams, stock []suite.Stock) error {
	out := bufio.NewWriter(s.Out) // its first error sticks and is that of Flush
	experiments := [][]string{{listHead[0].In(s.Lang), listHead[1].In(s.Lang)}}
	for _, e := range question.All() {
		experiments = append(experiments, []string{e.Name, question.Asked(e.Name).In(s.Lang)})
	}
	own := language.Text{EN: "What do the operations of your own workers cost? (with --worker)", ZH: "你自己的工作进程的操作有多快？（配合 --worker）"}
	experiments = append(experiments, []string{plan.OwnName, own.In(s.Lang)})
	printTable(out, "", 86, experiments)
	var missing []string
	for _, offered := range document.Grouped(stock, libraryText) {
		if offered[0].Missing != (language.Text{}) {
			missing = append(missing, language.Say("%s is not here: %s", "没有 %s：%s", offered[0].Library, offered[0].Missing).In(s.Lang))
			continue
		}
		kernels := [][]string{{kernelHead[0].In(s.Lang), kernelHead[1].In(s.Lang), kernelHead[2].In(s.Lang)}}
		for _, k := range offered {
			kernels = append(kernels, []string{k.Algorithm, k.Implementation, strings.Join(k.Modes, " ")})
		}
		fmt.Fprintf(out, "\n%s\n", libraryText(offered[0]).In(s.Lang))
		printTable(out, "  ", lastColumn("  ", kernels), kernels)
	}
	if len(missing) > 0 {
		fmt.Fprintln(out, "\n"+strings.Join(missing, "\n"))
	}
	return out.Flush()
}

var (
	listHead   = []language.Text{{EN: "EXPERIMENT", ZH: "实验"}, {EN: "QUESTION", ZH: "问题"}}
	kernelHead = []language.Text{{EN: "ALGORITHM", ZH: "算法"}, {EN: "KERNEL", ZH: "实现"}, {EN: "MODES OR OPERATIONS", ZH: "模式或操作"}}
)

// libraryText is a library and how it is called: those that are the same stand in one table.
func libraryText(k suite.Stock) language.Text {
	found := language.Same(k.Found)
	if k.Found == suite.BuiltIn {
		found.ZH = "内置"
	}
	return language.Say("%s %s, call path %s (%s)", "%s %s，调用路径 %s（%s）", k.Library, k.Version, k.CallPath, found)
}

// columnWidths are those of all columns but the last, with the space between them.
func columnWidths(rows [][]string) []int {
	widths := make([]int, len(rows[0])-1)
	for _, row := range rows {
		for i := range widths {
			widths[i] = max(widths[i], render.Width(row[i])+2)
		}
	}
	return widths
}

// lastColumn is how wide the last column is where a table keeps to the columns of a report; the longest word fits.
func lastColumn(indent string, rows [][]string) int {
	const report, longestWord = 99, 24
	used := render.Width(indent)
	for _, wide := range columnWidths(rows) {
		used += wide
	}
	return max(longestWord, report-used)
}

// printTable aligns columns, of which the last goes on below in so many columns of the
// terminal.
func printTable(w io.Writer, indent string, last int, rows [][]string) {
	widths := columnWidths(rows)
	for _, row := range rows {
		first := indent
		for i, wide := range widths {
			first += row[i] + strings.Repeat(" ", wide-render.Width(row[i]))
		}
		for _, line := range render.Lines(first, row[len(widths)], render.Width(first)+last) {
			fmt.Fprintln(w, strings.TrimRight(line, " "))
		}
	}
}
