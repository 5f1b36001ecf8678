package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/kernel/bound"
	"github.com/cryptogauge/cryptogauge/internal/kernel/sm4/floor"
)

// bounds prints what bounds the modes that have targets.
func bounds(w io.Writer, c config) error {
	b, err := newBlocks(c.implementation)
	if err != nil {
		return err
	}
	loops, err := floor.Loops()
	if err != nil {
		return err
	}
	if loops == nil || c.implementation != "avx512+gfni" {
		_, err := fmt.Fprintln(w, "no floors are known for this implementation")
		return err
	}
	bound.Preface(w, "gmsm")
	var rows []bound.Row
	for _, x := range slices.Concat(allTargets(), manyTargets()) {
		if len(x.loops) == 0 {
			continue
		}
		r := bound.Row{Name: x.name, Bytes: x.bytes, Target: x.least}
		r.Call, r.Other, _ = x.make(b)
		for _, name := range x.loops {
			r.Loops = append(r.Loops, loops[name])
		}
		rows = append(rows, r)
	}
	return bound.Table(w, "SM4", "gmsm", c.perRow, batch, rows)
}
