// Package request is what the user asks of a fleet: the flags of report --fleet. They stand apart from what answers,
// because cryptogauge has them too, and leaves the answer to the program that speaks to stores.
package request

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/plan"
)

// Flags are as they were typed.
type Flags struct {
	Store, Prices, Plan                                 string
	Algorithms, Modes, Operations, SizeTexts, Libraries []string
}

// Add adds the flags to a verb.
func (f *Flags) Add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&f.Store, "fleet", "", "")
	fs.StringVar(&f.Prices, "price", "", "")
	fs.StringVar(&f.Plan, "plan", "", "")
	for _, list := range f.lists() {
		fs.StringSliceVar(list.words, list.name, nil, "")
	}
	_ = cmd.MarkFlagFilename("price", "csv")
	_ = cmd.MarkFlagFilename("plan")
}

type list struct {
	name  string
	words *[]string
}

// lists are the flags that narrow cases, as run has them.
func (f *Flags) lists() []list {
	return []list{{"algorithms", &f.Algorithms}, {"modes", &f.Modes}, {"operations", &f.Operations}, {"sizes", &f.SizeTexts},
		{"libraries", &f.Libraries}}
}

// Wanted says whether a fleet is asked for, and refuses what doesn't go together with it or is of it alone.
func (f *Flags) Wanted(cmd *cobra.Command, runs []string) (bool, error) {
	changed := cmd.Flags().Changed
	names := []string{"price", "plan"}
	for _, l := range f.lists() {
		names = append(names, l.name)
		switch {
		case !changed(l.name):
		case len(*l.words) == 0:
			return false, language.Errorf("--%s is empty; leave it out to mean everything", "--%s 为空；省略即表示全部", l.name)
		case changed("plan"):
			return false, language.Errorf("--%s: the workload of --plan says what is done; leave one of the two out",
				"--%s：--plan 的工作负载已说明要做什么；请去掉其中之一", l.name)
		}
	}
	i := slices.IndexFunc(names, changed)
	switch {
	case !changed("fleet") && i >= 0:
		return false, language.Errorf("--%s is of a fleet: name its store with --fleet, for example --fleet sqlite", "--%s 只用于 --fleet：请用 --fleet 指定存储，例如 --fleet sqlite",
			names[i])
	case !changed("fleet"):
		return false, nil
	case len(runs) > 0:
		return false, language.Error("report: a fleet's runs are those of its store; leave RUN out", "report：--fleet 的运行取自存储；请去掉 RUN")
	case changed("anonymous"):
		return false, language.Error("--anonymous is of a run's report; a fleet's has no paths and no names of users", "--anonymous 只用于单次运行的报告；--fleet 的报告中没有路径与用户名")
	}
	return true, nil
}

// Selection is which cases are asked for.
func (f *Flags) Selection() (s plan.Selection, err error) {
	s = plan.Selection{Algorithms: f.Algorithms, Modes: f.Modes, Operations: f.Operations, Libraries: f.Libraries}
	for _, text := range f.SizeTexts {
		size, err := plan.ParseSize(text)
		if err != nil {
			return s, language.Errorf("--sizes: %w", "--sizes：%s", err)
		}
		s.Sizes = append(s.Sizes, size)
	}
	return s, nil
}
