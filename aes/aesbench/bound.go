package main

import (
	"fmt"
	"io"

	"github.com/cryptogauge/cryptogauge/aes"
	"github.com/cryptogauge/cryptogauge/internal/kernel/aes/floor"
	"github.com/cryptogauge/cryptogauge/internal/kernel/bound"
)

// bounds prints what bounds the modes that have targets.
func bounds(w io.Writer, c config) error {
	if c.implementation != aes.Implementations()[0] {
		return noFloors(w)
	}
	bound.Preface(w, "crypto/aes")
	for _, bits := range []int{128, 256} {
		loops, err := floor.Loops(bits)
		if err != nil {
			return err
		}
		if loops == nil {
			return noFloors(w)
		}
		var rows []bound.Row
		for _, x := range append(allTargets(), manyTargets()...) {
			if len(x.loops) == 0 {
				continue
			}
			r := bound.Row{Name: x.name, Bytes: x.bytes, Target: x.least}
			r.Call, r.Other = x.make(c, bits)
			for _, name := range x.loops {
				r.Loops = append(r.Loops, loops[name])
			}
			rows = append(rows, r)
		}
		if err := bound.Table(w, fmt.Sprint("AES-", bits), "crypto/aes", c.perRow, batch, rows); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	return nil
}

func noFloors(w io.Writer) error {
	_, err := fmt.Fprintln(w, "no floors are known for this implementation")
	return err
}
