package main

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/filing"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/store"
)

// storeVariable names a store as --store does.
const storeVariable = "CRYPTOGAUGE_STORE"

// keeping is what a verb that measures leaves to be filed in a store.
type keeping struct {
	store   *filing.Store // nil: nothing is filed
	folders []string
}

// typed are the arguments but --store: a run says how it was measured, and not to whom it was given.
func (s streams) typed() []string { return document.WithoutFlags(s.Args, "--store") }

// keeping runs a verb that measures, and files what it left; a dry run leaves nothing.
func (r *runConfig) keeping(cmd *cobra.Command, verb func(context.Context) error) error {
	if r.dryRun {
		return verb(cmd.Context())
	}
	return r.filed(cmd, r.store, func(k *keeping) error {
		r.keep = k
		return verb(cmd.Context())
	})
}

// filed runs a verb that measures, and files what it left. The store is opened before, so that one that can't be
// costs no measurement.
func (s streams) filed(cmd *cobra.Command, at string, verb func(*keeping) error) error {
	if cmd.Flags().Changed("store") && at == "" {
		return language.Errorf("--store is empty; give sqlite, sqlite:PATH or postgres://USER@HOST/DATABASE, or leave it out",
			"--store 为空；请给出 sqlite、sqlite:路径 或 postgres://用户@主机/数据库，或省略该选项")
	}
	k := &keeping{}
	if at = cmp.Or(at, os.Getenv(storeVariable)); at == "" {
		return verb(k)
	}
	program, err := command.StoreProgram()
	if err != nil {
		return err
	}
	k.store, err = filing.Open(program, string(s.Lang), at)
	switch {
	case errors.Is(err, filing.ErrInterrupted):
		return interruptedEarly()
	case err != nil:
		return err
	}
	defer k.store.Close()
	err = verb(k)
	return s.file(k, err)
}

// file files what was measured. Whatever went wrong before decides the exit code.
func (s streams) file(k *keeping, before error) error {
	var unfiled error
	for _, folder := range k.folders {
		if err := k.store.File(folder); err != nil && unfiled == nil {
			unfiled = language.Errorf("not filed: %w; the run is whole in its folder, and this files it: cryptogauge store import %s --store %s",
				"未存入：%s；运行在其目录中完整保存，可用以下命令存入：cryptogauge store import %s --store %s", err,
				document.Typed(shortHome(folder)), document.Typed(k.store.At))
		}
	}
	switch {
	case unfiled == nil && len(k.folders) > 0:
		s.Note(language.Say("filed in %s", "已存入 %s", k.store.At))
	case unfiled != nil && before != nil:
		s.Remark(language.Of(unfiled))
	case unfiled != nil:
		return command.WithCode(command.ExitOutput, unfiled)
	}
	return before
}

// create makes the folder of a run that is to be filed.
func (k *keeping) create(dir, name string) (store.Folder, error) {
	folder, err := store.Create(dir, name, time.Now())
	if err != nil {
		return folder, language.Errorf("%w; name another directory with --output",
			"%s；请用 --output 指定其他目录", err)
	}
	if k != nil && !slices.Contains(k.folders, dir) { // what lies in the folder of a run is filed with it
		k.folders = append(k.folders, folder.Path)
	}
	return folder, nil
}

// interruptedIn ends what is interrupted when something was measured.
func interruptedIn(folder string) error {
	return command.WithCode(command.ExitInterrupted, language.Errorf("interrupted; what was measured is in %s", "已中断；已测得的结果在 %s", folder))
}

// early is an error of what comes before measuring, or that this was interrupted.
func early(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return interruptedEarly()
	}
	return err
}

// interruptedEarly ends what is interrupted before it measures.
func interruptedEarly() error {
	return command.WithCode(command.ExitInterrupted, language.Errorf("interrupted before anything was measured", "尚未开始测量即中断"))
}
