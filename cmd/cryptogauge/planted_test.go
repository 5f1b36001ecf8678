package main

import (
	"errors"
	"os"

	"github.com/cryptogauge/cryptogauge/internal/library"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// slowed is the program with a library that became slower: gmsm makes four calls
// where one is asked for.
func slowed() {
	withBench(wrapping(func(o provider.Operation) provider.Operation { return &slower{plantedOperation{o}} }), onRealClock)
}

// wrong is the program with a library that became wrong, which it is by any clock.
func wrong() {
	withBench(wrapping(func(o provider.Operation) provider.Operation { return &mistaken{plantedOperation{o}} }), onSteadyClock)
}

// benchOf is what a worker measures with.
type benchOf = func(provider.Setting) worker.Bench

// wrapping is a bench that wraps what gmsm opens.
func wrapping(wrap func(provider.Operation) provider.Operation) benchOf {
	return func(s provider.Setting) worker.Bench {
		b := library.Bench(s)
		for i, p := range b.Providers {
			if p.Subject().Library == "gmsm" {
				b.Providers[i] = plantedProvider{p, wrap}
			}
		}
		return b
	}
}

// withBench is the program with other workers, which live by a clock.
func withBench(bench benchOf, live func(benchOf)) {
	if len(os.Args) < 2 || os.Args[1] != "worker" {
		main()
		return
	}
	live(bench)
}

func onRealClock(bench benchOf) { serve(worker.Quiet(os.Stdin), os.Stdout, bench) }

// plantedProvider has all that gmsm has, so that it goes by the same name. It has
// no scenarios.
type plantedProvider struct {
	provider.Provider
	wrap func(provider.Operation) provider.Operation
}

func (p plantedProvider) Implementation(c result.Case) string {
	return p.Provider.(provider.Describer).Implementation(c)
}

func (p plantedProvider) ConstantTime(c result.Case) result.ConstantTime {
	return p.Provider.(provider.Describer).ConstantTime(c)
}

func (p plantedProvider) Note(c result.Case) string {
	return p.Provider.(provider.Describer).Note(c)
}

func (p plantedProvider) Open(c result.Case) (provider.Operation, error) {
	o, err := p.Provider.Open(c)
	if err != nil {
		return nil, err
	}
	return p.wrap(o), nil
}

type plantedOperation struct{ provider.Operation }

func (o plantedOperation) Loop() string { return o.Operation.(provider.Looped).Loop() }

type slower struct{ plantedOperation }

func (o *slower) Run(n int) error { return o.Operation.Run(4 * n) }

// mistaken computes what it should, and then says that it did not.
type mistaken struct{ plantedOperation }

func (o *mistaken) Check() error {
	if err := o.Operation.Check(); err != nil {
		return err
	}
	return errors.New("the output is wrong from byte 0 on (planted)")
}
