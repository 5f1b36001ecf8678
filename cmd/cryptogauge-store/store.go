package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/render"
	"github.com/cryptogauge/cryptogauge/internal/store"
)

// storeVariable names a store as --store does.
const storeVariable = "CRYPTOGAUGE_STORE"

// storeFlag is --store of a verb that reads or fills one.
type storeFlag struct{ at string }

func (f *storeFlag) add(cmd *cobra.Command) { cmd.Flags().StringVar(&f.at, "store", "", "") }

// location is where the flag says, else the variable, else the SQLite file of this user.
func (f *storeFlag) location(cmd *cobra.Command) (archive.Location, error) {
	switch at := os.Getenv(storeVariable); {
	case cmd.Flags().Changed("store"):
		return archive.Parse(f.at)
	case at != "":
		return archive.Parse(at)
	}
	return archive.Default()
}

func (f *storeFlag) open(cmd *cobra.Command, s command.Session, access archive.Access) (*archive.Archive, error) {
	at, err := f.location(cmd)
	if err != nil {
		return nil, err
	}
	ask := func(database string) (string, error) { return askPassword(s, database) }
	return archive.Open(cmd.Context(), at, archive.Options{Access: access, Password: ask})
}

func newStore(s command.Session) *cobra.Command {
	cmd := &cobra.Command{
		Use: "store",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return language.Errorf("store %q: there are import, export and list", "store %q：只有 import、export 与 list", args[0])
			}
			return language.Errorf("store: give import, export or list; see cryptogauge store --help",
				"store：请给出 import、export 或 list；说明见 cryptogauge store --help")
		},
	}
	cmd.AddCommand(newStoreImport(s), newStoreExport(s), newStoreList(s), newFiling(s))
	return cmd
}

func newStoreImport(s command.Session) *cobra.Command {
	var at storeFlag
	var quiet bool
	cmd := &cobra.Command{
		Use: "import DIR...",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return language.Errorf("store import: which runs? give folders that runs wrote, or the folder that holds them, such as cryptogauge-results",
					"store import：要导入哪些运行？请给出运行生成的目录，或其上级目录，例如 cryptogauge-results")
			}
			s.Quiet = quiet
			paths, refused := runsAt(args)
			if len(paths) == 0 {
				return named(s, refused)
			}
			a, err := at.open(cmd, s, archive.Write)
			if err != nil {
				return err
			}
			defer a.Close()
			return importRuns(cmd.Context(), s, a, paths, refused)
		},
	}
	at.add(cmd)
	cmd.Flags().BoolVar(&quiet, "quiet", false, "")
	return cmd
}

// runsAt are the runs at and below some places, and why no more were found.
func runsAt(places []string) (paths []string, refused []error) {
	for _, place := range places {
		found, unread := archive.Found(place)
		if len(found) == 0 && len(unread) == 0 {
			unread = []error{language.Errorf("%s: there is no run in it or below; a run's folder holds run.jsonl",
				"%s：其中及下级目录均无运行；运行目录中应有 run.jsonl", place)}
		}
		paths, refused = append(paths, found...), append(refused, unread...)
	}
	return paths, refused
}

// named says what can't be read; the last of it is the verb's own error.
func named(s command.Session, refused []error) error {
	last := len(refused) - 1
	for _, err := range refused[:last] {
		s.Remark(language.Of(err))
	}
	return refused[last]
}

// imported counts what became of runs.
type imported struct{ filed, second, known, replaced, refused int }

func importRuns(ctx context.Context, s command.Session, a *archive.Archive, paths []string, refused []error) error {
	n := imported{refused: len(refused)}
	for _, err := range refused {
		s.Remark(language.Of(err))
	}
	err := a.Import(ctx, paths, func(path string, f archive.Filed, err error) {
		switch {
		case err != nil:
			n.refused++
			s.Remark(language.Of(err))
		case f.Known:
			n.known++
		case f.Replaced:
			n.replaced++
		default:
			n.filed++
			if f.Run.SecondOf != "" {
				n.second++
			}
		}
	})
	if werr := n.say(s, a); err == nil {
		err = werr
	}
	switch {
	case ctx.Err() != nil:
		return command.WithCode(command.ExitInterrupted, language.Errorf("interrupted; the runs filed until then are whole", "已中断；此前存入的运行均完整"))
	case err != nil:
		return command.WithCode(command.ExitOutput, err)
	case n.refused > 0:
		return command.WithCode(command.ExitUsage, command.ErrSilent)
	}
	return nil
}

func (n imported) say(s command.Session, a *archive.Archive) error {
	parts := []language.Text{language.Say("%d filed", "存入 %d 次运行", n.filed)}
	for _, more := range []struct {
		n      int
		en, zh string
	}{
		{n.second, "%d of them beside another run, and counted with it", "其中 %d 次从属于另一次运行，不单独计数"},
		{n.known, "%d there already", "%d 次已在其中"}, {n.replaced, "%d grown since and replaced", "%d 次已更新为更完整的文件"}, {n.refused, "%d not readable", "%d 个无法读取"},
	} {
		if more.n > 0 {
			parts = append(parts, language.Say(more.en, more.zh, more.n))
		}
	}
	_, err := fmt.Fprintln(s.Out, language.Say("%s: %s", "%s：%s", a.At(), layout.Listed(parts)).In(s.Lang))
	return err
}

func newStoreExport(s command.Session) *cobra.Command {
	var at storeFlag
	var output string
	cmd := &cobra.Command{
		Use: "export RUN",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return language.Errorf("store export: which run? give the beginning of its ID, from cryptogauge store list",
					"store export：要导出哪次运行？请给出其 ID 的开头，见 cryptogauge store list")
			}
			a, err := at.open(cmd, s, archive.Read)
			if err != nil {
				return err
			}
			defer a.Close()
			path, err := export(cmd.Context(), a, args[0], output)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(s.Out, path)
			return command.WithCode(command.ExitOutput, err)
		},
	}
	at.add(cmd)
	cmd.Flags().StringVar(&output, "output", "cryptogauge-results", "")
	_ = cmd.MarkFlagDirname("output")
	return cmd
}

// export writes a run's file into a folder of its own, as the run had it.
func export(ctx context.Context, a *archive.Archive, id, output string) (path string, err error) {
	r, err := a.Find(ctx, id)
	if err != nil {
		return "", err
	}
	folder, err := store.Create(output, folderName(r.Suite), r.Started)
	if err != nil {
		return "", language.Errorf("%w; name another directory with --output", "%s；请用 --output 指定其他目录", err)
	}
	_, err = folder.WriteReport(store.RunFile, func(w io.Writer) error { return a.Export(ctx, r.ID, w) })
	if err != nil {
		_ = os.Remove(folder.Path) // it is empty
		return "", command.WithCode(command.ExitOutput, err)
	}
	return folder.Path, nil
}

// folderName is a suite's name as a folder may have it: run files come from anywhere.
func folderName(suite string) string {
	name := strings.Map(func(r rune) rune {
		if r == '-' || r == '+' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return -1
	}, suite)
	const longest = 60
	if name = name[:min(len(name), longest)]; name == "" {
		return "run"
	}
	return name
}

// listed is how many runs a list shows, unless another number is asked for.
const listed = 20

func newStoreList(s command.Session) *cobra.Command {
	var at storeFlag
	var format string
	var limit int
	cmd := &cobra.Command{
		Use:  "list",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !slices.Contains(listFormats, format) {
				return language.Errorf("--format %q: store list has text and json", "--format %q：store list 只有 text 与 json", format)
			}
			if limit < 1 {
				return language.Errorf("--limit %d: give 1 at least", "--limit %d：至少为 1", limit)
			}
			a, err := at.open(cmd, s, archive.Read)
			if err != nil {
				return err
			}
			defer a.Close()
			runs, total, err := a.Runs(cmd.Context(), archive.RunQuery{Limit: limit})
			if err != nil {
				return command.WithCode(command.ExitOutput, err)
			}
			if format == "json" {
				list := jsonList{listSchema, a.At().String(), total, append([]archive.Run{}, runs...)}
				return command.WithCode(command.ExitOutput, layout.WriteJSON(s.Out, "  ", list))
			}
			if total == 0 {
				return nothingFiled(a)
			}
			return command.WithCode(command.ExitOutput, listRuns(s, runs, total))
		},
	}
	at.add(cmd)
	cmd.Flags().StringVar(&format, "format", "text", "")
	cmd.Flags().IntVar(&limit, "limit", listed, "")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(listFormats, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

var listFormats = []string{"text", "json"}

// jsonList is a list as other programs read it.
type jsonList struct {
	Schema string        `json:"schema"`
	Store  string        `json:"store"`
	Total  int           `json:"total"`
	Runs   []archive.Run `json:"runs"`
}

const listSchema = "cryptogauge.store/1"

// nothingFiled says that a store is there, and holds no run.
func nothingFiled(a *archive.Archive) error {
	return language.Errorf("the store %s: %w", "存储 %s：%s", a.At(), archive.ErrNone)
}

// listRuns prints a line a run.
func listRuns(s command.Session, runs []archive.Run, total int) error {
	width := command.TerminalWidth(s.Out)
	var b strings.Builder
	for _, r := range runs {
		var about []string
		for _, part := range aboutRun(r) {
			about = append(about, part.In(s.Lang))
		}
		for _, out := range render.Lines(r.Short()+"  "+r.Started.UTC().Format("2006-01-02 15:04")+"  ", strings.Join(about, " · "), width) {
			b.WriteString(out + "\n")
		}
	}
	if more := total - len(runs); more > 0 {
		b.WriteString(language.Say("%d older runs are not shown; --limit shows more", "另有 %d 次更早的运行未列出；--limit 可多列", more).In(s.Lang) + "\n")
	}
	_, err := io.WriteString(s.Out, b.String())
	return err
}

// aboutRun is what a list says of a run beside when it began and what it was asked.
func aboutRun(r archive.Run) (parts []language.Text) {
	say := func(is bool, t language.Text) {
		if is {
			parts = append(parts, t)
		}
	}
	say(true, language.Same(cmp.Or(r.Suite, "–")))
	say(r.Title != "", language.Same(r.Title))
	say(true, document.Counted(r.Rows, "%d row", "%d rows", "%d 行"))
	say(true, language.Say("confidence %s", "可信度%s", document.Trust{Level: r.Confidence}.LevelText()))
	say(r.Wrong > 0, language.Say("%d wrong outputs", "%d 行输出错误", r.Wrong))
	say(r.Open, language.Text{EN: "not ended", ZH: "未结束"})
	say(r.Partial && !r.Open, language.Text{EN: "cut short", ZH: "未完成"})
	say(true, language.Same(r.Label))
	return parts
}
