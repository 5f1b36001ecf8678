package provider

import (
	"errors"
	"fmt"
	"strconv"
	"sync"

	"github.com/cryptogauge/cryptogauge/result"
)

// Busy is the parameter of a case that is done on several CPUs at once, each with
// an operation of its own: busy=N.
const Busy = "busy"

// mostBusy is more CPUs than machines have.
const mostBusy = 4096

// AloneOnCPU is a case without the parameter [Busy], and how many CPUs it asks for;
// 0 where it does not.
func AloneOnCPU(c result.Case) (alone result.Case, cpus int) {
	p, err := result.ParseParameters(c.Parameters)
	if err != nil || p[Busy] == "" {
		return c, 0
	}
	if cpus, err = strconv.Atoi(p[Busy]); err != nil || cpus < 1 || cpus > mostBusy {
		return c, 0
	}
	delete(p, Busy)
	c.Parameters = p.String()
	return c, cpus
}

// NewBusy runs several operations of the same kind at once, each on a goroutine. The
// process's clock tells what a call costs a CPU while the others are busy too: they
// share caches and memory, the power that lets a core clock high and, where two are
// one core's, its arithmetic.
func NewBusy(ops []Operation) Operation { return &busy{ops: ops, ran: make([]bool, len(ops))} }

type busy struct {
	ops []Operation
	ran []bool // since the last check
}

// Run shares the calls out evenly.
func (o *busy) Run(n int) error {
	errs := make([]error, len(o.ops))
	var all sync.WaitGroup
	for i, op := range o.ops {
		share := n / len(o.ops)
		if i < n%len(o.ops) {
			share++
		}
		if share == 0 {
			continue
		}
		o.ran[i] = true
		all.Go(func() { errs[i] = Guard(func() error { return op.Run(share) }) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// Check judges what each of those that ran left.
func (o *busy) Check() error {
	checked := false
	for i, op := range o.ops {
		if !o.ran[i] {
			continue
		}
		o.ran[i], checked = false, true
		if err := op.Check(); err != nil {
			return fmt.Errorf("of %d at once, number %d: %w", len(o.ops), i+1, err)
		}
	}
	if !checked {
		return errNotRun
	}
	return nil
}

func (o *busy) Close() error {
	errs := make([]error, len(o.ops))
	for i, op := range o.ops {
		errs[i] = op.Close()
	}
	return errors.Join(errs...)
}

func (o *busy) Loop() string        { return "busy" }
func (o *busy) Clock() result.Clock { return result.ProcessClock }
