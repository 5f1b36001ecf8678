package hashing

import (
	"context"
	"errors"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/treesum/digest"
	"github.com/cryptogauge/cryptogauge/internal/treesum/shard"
	"github.com/cryptogauge/cryptogauge/internal/treesum/sums"
	"github.com/cryptogauge/cryptogauge/internal/treesum/treehash"
)

// validateShard refuses what no shard can be of: what only one of several runs would read, and forms without comments.
func (f *hashFlags) validateShard(args []string) error {
	switch {
	case f.check, f.merge:
		return language.Error("--shard is for making a part of a manifest; parts are checked and merged without it",
			"--shard 只用于生成清单的分片；校验与合并分片时不用")
	case f.json, f.raw:
		return language.Error("--shard makes a part that begins with a comment, which --json and --raw have no place for",
			"--shard 生成的分片以注释行开头，--json 与 --raw 无法容纳")
	case f.filesFrom != "":
		return language.Error("--shard shares out what is named as arguments; split a list itself, as split -n r/16 does",
			"--shard 只分配作为参数给出的内容；列表请自行拆分，例如 split -n r/16")
	case len(args) == 0:
		return language.Error("--shard: name the files, folders and objects that are shared out", "--shard：请给出要分配的文件、目录与对象")
	}
	for _, arg := range args {
		if arg == treehash.Stdin {
			return language.Error("--shard: standard input can't be shared out", "--shard：标准输入无法分片")
		}
	}
	_, err := shard.Parse(f.shard, os.Getenv)
	return shardError(err)
}

func shardError(err error) error {
	if err != nil {
		return language.Errorf("--shard %w", "--shard %s", err)
	}
	return nil
}

// part is what this run makes of a manifest; nil where that is all of it.
func (f *hashFlags) part(a *digest.Algorithm, args []string) (*shard.Part, error) {
	if f.shard == "" {
		return nil, nil
	}
	s, err := shard.Parse(f.shard, os.Getenv)
	return &shard.Part{Shard: s, Algorithm: a.Name, Follow: f.follow, Inputs: args}, shardError(err)
}

// validateMerge refuses flags that have nothing to do beside --merge: parts say how they were made.
func (f *hashFlags) validateMerge(cmd *cobra.Command, args []string) (err error) {
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		if flag.Name != "merge" && flag.Name != "output" && flag.Name != "lang" && err == nil {
			err = language.Errorf("--%s makes no sense with --merge: parts say how they were made",
				"--%s 不能与 --merge 并用：分片自带其生成方式", flag.Name)
		}
	})
	if err == nil && len(args) == 0 {
		err = language.Error("--merge: name all parts of a manifest", "--merge：请给出清单的全部分片")
	}
	return err
}

func (f *hashFlags) runMerge(ctx context.Context, args []string, s command.Session) error {
	m := sums.Merging{Parts: args, Output: f.output, Out: s.Out, Err: s.Err, Say: newVoice(s).say}
	if m.Output == "-" {
		m.Output = ""
	}
	if m.Output == "" && command.Closed(s.Out) {
		return command.WithCode(exitSums, errClosedOutput)
	}
	made, err := sums.Merge(ctx, m)
	var usage *sums.UsageError
	switch {
	case errors.As(err, &usage):
		return command.WithCode(command.ExitUsage, err)
	case ctx.Err() != nil && err != nil:
		return command.WithCode(command.ExitInterrupted, language.Error("interrupted; the parts are as they were", "已中断；各分片未变"))
	case err != nil:
		return command.WithCode(command.ExitOutput, err)
	case made.Failed > 0:
		return command.WithCode(exitSums, command.ErrSilent)
	}
	return nil
}
