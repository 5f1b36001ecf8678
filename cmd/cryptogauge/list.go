package main

import (
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/experiment"
	"github.com/cryptogauge/cryptogauge/internal/suite"
	"github.com/cryptogauge/cryptogauge/provider"
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
			kinds, err := suite.Take(cmd.Context(), experiment.All(), suite.NewWorkers(command, provider.Setting{}, 10*time.Second).Beyond(natives))
			if err != nil {
				return err
			}
			return withCode(exitOutput, printList(s, kinds))
		},
	}
	f.add(cmd)
	return cmd
}

func printList(s streams, stock []suite.Stock) error {
	w := tabwriter.NewWriter(s.out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "EXPERIMENT\tQUESTION")
	for _, e := range experiment.All() {
		fmt.Fprintf(w, "%s\t%s\n", e.Name, e.Question)
	}
	fmt.Fprintln(w, "\nLIBRARY\tVERSION\tCALL PATH\tALGORITHM\tKERNEL\tMODES OR OPERATIONS\tFOUND")
	var missing []suite.Stock
	for _, k := range stock {
		if k.Missing != "" {
			missing = append(missing, k)
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", k.Library, k.Version, k.CallPath, k.Algorithm,
			k.Implementation, strings.Join(k.Modes, " "), k.Found)
	}
	if err := w.Flush(); err != nil || len(missing) == 0 {
		return err
	}
	_, err := fmt.Fprintln(s.out)
	for _, k := range missing {
		_, err = fmt.Fprintf(s.out, "%s is not here: %s\n", k.Library, k.Missing)
	}
	return err
}
