package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/kernel/stopping"
	"github.com/cryptogauge/cryptogauge/multibuffer"
)

// bulk is what a call hashes that the world is stopped in.
const bulk = 64 << 20

// A way shares out a bulk among messages.
type way struct {
	name     string
	messages [][]byte
}

func allWays() []way {
	equal := func(n int) [][]byte { return cut(n, func(int) int { return bulk / n }) }
	return []way{
		{"one of 64 MiB", equal(1)},
		{"64 of 1 MiB", equal(64)},
		{"65,536 of 1 KiB", equal(65_536)},
		{"63 of 16 KiB and one of 63 MiB", cut(64, func(i int) int {
			if i == 32 {
				return 63 << 20
			}
			return 16 << 10
		})},
	}
}

// stops prints how long the world takes to stop during every hash of every way by each implementation,
// messages and readers, and during a Coalescer's calls.
func stops(w io.Writer, c config, implementations []string) error {
	ways := allWays()
	for _, name := range implementations {
		h, err := multibuffer.NewWith(name)
		if err != nil {
			return err
		}
		var subjects []stopping.Subject
		for _, a := range algorithms {
			if c.only != "" && c.only != a.name {
				continue
			}
			for _, x := range ways {
				sum, _ := a.make(h, x.messages)
				what := fmt.Sprintf("%s %s, %s", name, a.name, x.name)
				subjects = append(subjects, stopping.Subject{Name: what, Call: sum})
			}
			if a.read == nil {
				continue
			}
			for _, x := range ways[:2] {
				what := fmt.Sprintf("%s %s, readers, %s", name, a.name, x.name)
				subjects = append(subjects, stopping.Subject{Name: what, Call: a.read(h, x.messages)})
			}
		}
		if err := stopping.Report(w, c.perRow, subjects); err != nil {
			return err
		}
	}
	var coalescer multibuffer.Coalescer
	long := ways[0].messages[0]
	subjects := []stopping.Subject{
		{Name: "Coalescer MD5, one of 64 MiB", Call: func() { coalescer.SumMD5(long) }},
		{Name: "Coalescer SM3, one of 64 MiB", Call: func() { coalescer.SumSM3(long) }},
		{Name: "Coalescer SHA-256, one of 64 MiB", Call: func() { coalescer.SumSHA256(long) }},
		{Name: "Coalescer SHA-1, one of 64 MiB", Call: func() { coalescer.SumSHA1(long) }},
	}
	subjects = slices.DeleteFunc(subjects, func(s stopping.Subject) bool { return !strings.Contains(s.Name, c.only) })
	if len(subjects) == 0 {
		return nil
	}
	return stopping.Report(w, c.perRow, subjects)
}
