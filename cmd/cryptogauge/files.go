package main

import (
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/library/bulkhash"
	"github.com/cryptogauge/cryptogauge/internal/library/scratch"
	"github.com/cryptogauge/cryptogauge/internal/library/streaming"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/suite"
)

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
	most := planned.Greatest(filesOf)
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
