package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/library/bulkhash"
	"github.com/cryptogauge/cryptogauge/internal/library/scratch"
	"github.com/cryptogauge/cryptogauge/internal/library/streaming"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/suite"
)

// streamFlags are the flags of the experiment streaming, some of which are also of
// bulkhash, which hashes a file.
type streamFlags struct {
	chunks     []string
	total, dir string
}

func (f *streamFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringSliceVar(&f.chunks, "chunks", nil, "streaming and bulkhash: these chunk sizes, e.g. 64KiB,1MiB")
	fs.StringVar(&f.total, "total", "", "streaming: how much each row streams in all, e.g. 8GiB (default: 1GiB)")
	f.addDir(cmd)
}

func (f *streamFlags) addDir(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.dir, "dir", "", "streaming and bulkhash: directory for temporary files, which leave nothing behind (default: the system's)")
	_ = cmd.MarkFlagDirname("dir")
}

// mostChunks bounds a list that someone typed: each chunk is several rows.
const mostChunks = 16

// streams puts the flags into a selection. One that the run has no use for is a
// mistake, and not passed over.
func (f *streamFlags) streams(cmd *cobra.Command, es []plan.Experiment, s *plan.Selection) (err error) {
	changed := cmd.Flags().Changed
	isStreaming := func(e plan.Experiment) bool { return e.Name == "streaming" }
	hasFiles := func(e plan.Experiment) bool { return e.Files }
	for _, flag := range []struct {
		name string
		of   func(plan.Experiment) bool
	}{{"chunks", hasFiles}, {"total", isStreaming}, {"dir", hasFiles}} {
		if changed(flag.name) && !slices.ContainsFunc(es, flag.of) {
			return language.Errorf("--%s is of the experiment %s, which is not run here",
				"--%s 属于实验 %s，而此次未运行该实验", flag.name, those(flag.of))
		}
	}
	if len(es) == 1 && isStreaming(es[0]) && changed("sizes") {
		return language.Errorf("streaming has no message sizes; --chunks gives the sizes of chunks, --total that of the stream",
			"streaming 没有消息长度；--chunks 给出分块长度，--total 给出总长度")
	}
	if changed("chunks") && len(f.chunks) == 0 {
		return language.Errorf("--chunks is empty; leave it out to mean everything",
			"--chunks 为空；省略即表示全部")
	}
	if changed("dir") && f.dir == "" {
		return language.Errorf("--dir is empty; leave it out to mean the system's directory for temporary files",
			"--dir 为空；省略即使用系统的临时目录")
	}
	for _, text := range f.chunks {
		n, err := plan.ParseChunk(text)
		if err != nil {
			return err
		}
		s.Chunks = append(s.Chunks, n)
	}
	slices.Sort(s.Chunks)
	s.Chunks = slices.Compact(s.Chunks)
	if len(s.Chunks) > mostChunks {
		return language.Errorf("--chunks: %d sizes; give at most %d",
			"--chunks：给了 %d 种长度；最多 %d 种", len(s.Chunks), mostChunks)
	}
	if changed("total") {
		s.Total, err = plan.ParseTotal(f.total)
	}
	return err
}

// overTotal says that rows will stream more than was asked for, since a sample holds
// at least one chunk; "" where they don't. Up to twice as much is rounding.
func overTotal(planned *suite.Suite, total int64) language.Text {
	var most, samples int64
	for _, step := range planned.Steps() {
		n := int64(step.Config.Blocks) * int64(step.Config.Rounds)
		for _, g := range step.Groups {
			for _, t := range g.Trials {
				if _, err := streaming.ShapeOf(t.Case); err == nil && t.Case.Bytes*n > most {
					most, samples = t.Case.Bytes*n, n
				}
			}
		}
	}
	if total == 0 || most < 2*total {
		return language.Text{}
	}
	return language.Say("--total %s is less than a chunk for each of %d samples: the longest row streams %s; give a greater --total, or smaller --chunks, or fewer --blocks and --rounds",
		"--total %s 不足以让 %d 个采样各有一个分块：最长的一行会处理 %s；请增大 --total，或减小 --chunks，或减少 --blocks 与 --rounds",
		layout.FormatSize(total), samples, layout.FormatSize(most))
}

// roomForFiles says what the plan's files need and a directory lacks. One that the user
// named is refused before anything is measured. Without a usable directory of the
// system's the run goes on, and the rows that need files say why they are missing.
func roomForFiles(planned *suite.Suite, dir string) (remark language.Text, err error) {
	var most int64
	for _, step := range planned.Steps() {
		for _, g := range step.Groups {
			most = max(most, filesOf(g))
		}
	}
	if most == 0 {
		return language.Text{}, nil
	}
	err = scratch.Room(dir, most)
	switch {
	case err == nil:
		return language.Text{}, nil
	case dir == "":
		return language.Say("rows that need files may be left out: %s", "需要文件的测试项可能被略去：%s", language.Of(err)), nil
	}
	return language.Text{}, language.Errorf("--dir: %w", "--dir：%s", err)
}

// filesOf is how many bytes the trials of a group keep in files at the same time.
func filesOf(g plan.Group) int64 {
	var need, shared int64
	for _, t := range g.Trials {
		if shape, err := streaming.ShapeOf(t.Case); err == nil {
			need += streaming.RoomFor(shape)
		}
		shared = max(shared, bulkhash.RoomFor(t.Case)) // one file for all that hash it
	}
	return need + shared
}
