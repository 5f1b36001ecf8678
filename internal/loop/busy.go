package loop

import (
	"errors"
	"sync"

	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// NewBusy runs several operations of the same kind at once, each on a goroutine. The
// process's clock tells what a call costs a CPU while the others are busy too: they
// share caches and memory, the power that lets a core clock high and, where two are
// one core's, its arithmetic.
func NewBusy(ops []provider.Operation) provider.Operation {
	return &busy{ops: ops, ran: make([]bool, len(ops))}
}

type busy struct {
	ops []provider.Operation
	ran []bool // since the last check
}

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
		all.Go(func() { errs[i] = provider.Guard(func() error { return op.Run(share) }) })
	}
	all.Wait()
	return errors.Join(errs...)
}

func (o *busy) Check() error {
	checked := false
	for i, op := range o.ops {
		if !o.ran[i] {
			continue
		}
		o.ran[i], checked = false, true
		if err := op.Check(); err != nil {
			return reason.New("at-once", len(o.ops), i+1, err)
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
