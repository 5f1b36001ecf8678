package main

import (
	"os"
	"os/user"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/decide"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/fleet/request"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/question/compare"
	"github.com/cryptogauge/cryptogauge/internal/render"
	"github.com/cryptogauge/cryptogauge/internal/verify"
	"github.com/cryptogauge/cryptogauge/result"
)

// reportFlags are those of reports of runs, beside those of fleets.
type reportFlags struct {
	format         string
	anonymous, all bool
	said           command.Caption
	fleet          request.Flags
}

func newReport(s streams) *cobra.Command {
	var f reportFlags
	cmd := &cobra.Command{
		Use: "report RUN... | --fleet STORE --price PRICES.csv",
		RunE: func(cmd *cobra.Command, args []string) error {
			fleet, err := f.fleet.Wanted(cmd, args)
			switch {
			case err != nil:
				return err
			case fleet:
				return command.BecomeStore(s.Session)
			case len(args) == 0:
				return language.Errorf("report: which run? give the folder that a run wrote, or its run.jsonl",
					"report：要报告哪次运行？请给出运行生成的目录，或其中的 run.jsonl")
			}
			return s.reportRuns(cmd, args, &f)
		},
	}
	addFormat(cmd, &f.format, append(render.Formats(), junit))
	cmd.Flags().BoolVar(&f.all, "all", false, "")
	f.said.Add(cmd)
	f.fleet.Add(cmd)
	cmd.Flags().BoolVar(&f.anonymous, "anonymous", false, "")
	return cmd
}

func (s streams) reportRuns(cmd *cobra.Command, paths []string, f *reportFlags) error {
	format := render.Format(f.format)
	if _, err := render.ParseFormat(f.format); err != nil && format != junit {
		return err
	}
	if err := f.said.Check(); err != nil {
		return err
	}
	shared := withoutHome
	if f.anonymous {
		shared = withoutNames
	}
	var docs []*document.Document
	for _, path := range paths {
		doc, err := load(path, shared)
		if err != nil {
			return err
		}
		if !f.anonymous {
			madeFor(doc, shortHome(path))
		}
		docs = append(docs, doc)
	}
	if format == junit {
		return s.junit(docs)
	}
	if format.RowsAlone() {
		s.warnWrong(docs)
	}
	said := orStored(f.said, cmd, docs)
	options := render.Options{Lang: s.Lang, Color: command.Colour(s.Out), Width: command.TerminalWidth(s.Out), All: f.all, Repeat: s.repeated(),
		Title: said.Title, Note: said.Note}
	if !f.anonymous {
		_, err := os.Stat(filepath.Join(paths[0], "report.html"))
		options.Run, options.Page = shortHome(paths[0]), err == nil && docs[0].Suite != decide.ExperimentName // whose page is the plan's
	}
	return command.WithCode(command.ExitOutput, render.Write(s.Out, format, docs, options))
}

func (s streams) junit(docs []*document.Document) error {
	if len(docs) != 1 || docs[0].Suite != compare.Name || len(docs[0].Layouts) == 0 {
		return language.Errorf("--format junit is of one run of compare; of statements verify --run writes it",
			"--format junit 只用于一次 compare 运行；声明的核对结果请用 verify --run 输出")
	}
	return command.WithCode(command.ExitOutput, writeJUnit(s.Out, s.Lang, docs[0]))
}

// madeFor says of rows that were measured for a plan, or for statements, how those are shown.
func madeFor(doc *document.Document, path string) {
	var text language.Text
	var next []layout.Next
	experiment := decide.ExperimentName
	switch {
	case doc.Suite == decide.ExperimentName:
		text = language.Text{
			EN: "These are the rows that a plan was made from. Its command with --run and --budget 0 shows the plan; report.html beside them is its page.",
			ZH: "以下是制定计划所用的结果行。原命令加上 --run 与 --budget 0 可重新显示该计划；同目录的 report.html 是它的网页。"}
		next = append(next, planAgain(doc.Command, path))
	case doc.Suite == verify.SuiteName && len(doc.Rows) > 0:
		experiment, text = doc.Rows[0].Experiment, language.Text{EN: "These are the rows that statements were judged by. Their command with --run shows the verdicts.",
			ZH: "以下是核对声明所依据的结果行。原命令加上 --run 可重新显示判定。"}
		if again, ok := verifyAgain(doc.Command, path); ok {
			next = append(next, again)
		}
	case doc.Suite == compare.Name:
		comparedNext(doc, path)
		return
	default:
		return
	}
	l := render.PlainLayout(doc, experiment)
	l.Answers = []layout.Answer{{Experiment: experiment, Mark: layout.Plain, Short: true, Evidence: []string{}, Text: text}}
	l.Next = next
	doc.Layouts, doc.Answers = append(doc.Layouts, l), append(doc.Answers, l.Answers...)
}

// orStored says of a run what was said of it when it was made, where nothing else is said now. Several
// runs have no title in common.
func orStored(c command.Caption, cmd *cobra.Command, docs []*document.Document) command.Caption {
	if len(docs) != 1 {
		return c
	}
	h := docs[0].Run.Header
	if !cmd.Flags().Changed("title") {
		c.Title = h.Title
	}
	if !cmd.Flags().Changed("note") {
		c.Note = h.Note
	}
	return c
}

// shortHome writes a path as the shell reads it, without the name of a home.
func shortHome(path string) string {
	home, err := os.UserHomeDir()
	below, inside := strings.CutPrefix(path, home+string(filepath.Separator))
	if err != nil || !inside {
		return path
	}
	return filepath.Join("~", below)
}

// warnWrong says which code computed something wrongly where what stands on standard
// output has no room for a sentence.
func (s streams) warnWrong(docs []*document.Document) {
	for _, d := range docs {
		for _, a := range d.WrongOutputs {
			s.Remark(language.Text{EN: render.Clean(a.Text.EN), ZH: render.Clean(a.Text.ZH)})
		}
	}
}

func withoutNames(run *result.Run) *result.Run {
	var names document.Names
	names.Host, _ = os.Hostname() // what is not known is not looked for
	if u, err := user.Current(); err == nil {
		names.User = u.Username
	}
	return document.WithoutNames(withoutHome(run), names)
}
