package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/decide"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/fleet"
	"github.com/cryptogauge/cryptogauge/internal/fleet/price"
	"github.com/cryptogauge/cryptogauge/internal/fleet/request"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/render"
	"github.com/cryptogauge/cryptogauge/internal/store"
	"github.com/cryptogauge/cryptogauge/internal/userfile"
)

// fleetReport is what report --fleet was asked.
type fleetReport struct {
	command.Session
	asked  request.Flags
	format string
	all    bool
	said   command.Caption
}

// newReport is the verb report of fleets; that of runs is cryptogauge's own.
func newReport(s command.Session) *cobra.Command {
	f := fleetReport{Session: s}
	cmd := &cobra.Command{
		Use: "report --fleet STORE --price PRICES.csv",
		RunE: func(cmd *cobra.Command, args []string) error {
			fleet, err := f.asked.Wanted(cmd, args)
			switch {
			case err != nil:
				return err
			case !fleet:
				return language.Error("report: runs are reported by cryptogauge; this program reports fleets, with --fleet",
					"report：运行的报告由 cryptogauge 生成；本程序只报告 --fleet")
			}
			return f.report(cmd.Context())
		},
	}
	fs := cmd.Flags()
	f.asked.Add(cmd)
	fs.StringVar(&f.format, "format", "text", "")
	fs.BoolVar(&f.all, "all", false, "")
	f.said.Add(cmd)
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(fleet.Formats(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (f *fleetReport) report(ctx context.Context) error {
	format, err := fleet.ParseFormat(f.format)
	if err != nil {
		return err
	}
	if err := f.said.Check(); err != nil {
		return err
	}
	at, err := archive.Parse(f.asked.Store)
	if err != nil {
		said := language.Of(err) // in the words of the flag that most verbs have
		return language.Error(strings.Replace(said.EN, "--store", "--fleet", 1), strings.Replace(said.ZH, "--store", "--fleet", 1))
	}
	var prices *price.List
	if f.asked.Prices != "" {
		if prices, err = readPrices(ctx, f.asked.Prices); err != nil {
			return err
		}
	}
	ask := func(database string) (string, error) { return askPassword(f.Session, database) }
	a, err := archive.Open(ctx, at, archive.Options{Access: archive.Read, Password: ask})
	if err != nil {
		return err
	}
	defer a.Close()
	if prices == nil {
		return unpriced(ctx, a)
	}
	r, err := f.read(ctx, a, prices)
	if err != nil {
		return err
	}
	r.Store = at.String()
	o := render.Options{Lang: f.Lang, Color: command.Colour(f.Out), Width: command.TerminalWidth(f.Out), All: f.all, Title: f.said.Title, Note: f.said.Note}
	for _, typed := range document.TypedFlags(f.Args, "lang") {
		o.Repeat = []string{"--" + typed.Name, typed.Value}
	}
	return command.WithCode(command.ExitOutput, r.Write(f.Out, format, o))
}

// read answers from the store.
func (f *fleetReport) read(ctx context.Context, a *archive.Archive, prices *price.List) (*fleet.Report, error) {
	if f.asked.Plan != "" {
		w, err := workload(ctx, a, f.asked.Plan)
		if err != nil {
			return nil, language.Errorf("--plan: %w", "--plan：%s", err)
		}
		return fleet.Plans(ctx, a, prices, w)
	}
	sel, err := f.asked.Selection()
	if err != nil {
		return nil, err
	}
	return fleet.Costs(ctx, a, prices, sel)
}

func readPrices(ctx context.Context, name string) (*price.List, error) {
	const most = 1 << 20
	list, err := userfile.Read(ctx, name, most)
	switch {
	case errors.Is(err, userfile.ErrTooLong):
		return nil, language.Errorf("--price %s: a price list has at most %s", "--price %s：价目表最大 %s", name, language.FormatSize(most))
	case err != nil:
		return nil, language.Errorf("--price: %w", "--price：%s", err)
	}
	return price.Read(name, bytes.NewReader(list))
}

// unpriced says what a price list would have to name.
func unpriced(ctx context.Context, a *archive.Archive) error {
	machines, err := a.Machines(ctx)
	if err != nil {
		return err
	}
	const most = 5
	var names []string
	for _, m := range machines {
		name := m.Key
		if m.Product != "" {
			name = m.Product
		}
		names = append(names, name)
	}
	if more := len(names) - most; more > 0 {
		names = append(names[:most], "…")
	}
	return language.Errorf(`report --fleet needs --price FILE, a CSV with the header "machine,vcpu_hour,currency" and a line for each of: %s`,
		`report --fleet 需要 --price FILE：首行为 "machine,vcpu_hour,currency" 的 CSV，以下机器各一行：%s`, render.Clean(strings.Join(names, "; ")))
}

// ofStore is what names a run of the store: the beginning of its ID.
var ofStore = regexp.MustCompile(`^[0-9a-f]{6,64}$`)

// workload is that of a file, of a plan's run in a folder, or of one in the store.
func workload(ctx context.Context, a *archive.Archive, name string) (*decide.Workload, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && ofStore.MatchString(name):
		found, err := a.Find(ctx, name)
		if err != nil {
			return nil, err
		}
		_, run, err := a.Run(ctx, found.ID)
		if err != nil {
			return nil, err
		}
		return decide.Kept(run.Header)
	case err != nil:
		return nil, err
	case info.IsDir() || strings.HasSuffix(name, store.RunFile):
		run, err := store.Open(name)
		if err != nil {
			return nil, err
		}
		return decide.Kept(run.Header)
	}
	return decide.ReadFile(name)
}
