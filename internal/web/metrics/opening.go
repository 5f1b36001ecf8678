package metrics

import (
	"context"

	"github.com/cryptogauge/cryptogauge/internal/archive"
)

// Opening is a store that is opened when it is read: while it can't be opened it can't be read.
type Opening func(ctx context.Context) (*archive.Archive, error)

// Machines lists the machines that runs are of.
func (o Opening) Machines(ctx context.Context) ([]archive.Machine, error) {
	return opened(ctx, o, (*archive.Archive).Machines)
}

// LatestChecks gives the last check of each suite on each machine.
func (o Opening) LatestChecks(ctx context.Context) ([]archive.Check, error) {
	return opened(ctx, o, (*archive.Archive).LatestChecks)
}

// Totals are how much the store holds.
func (o Opening) Totals(ctx context.Context) (archive.Totals, error) {
	return opened(ctx, o, (*archive.Archive).Totals)
}

// Latest gives the last cell of each case and subject on each machine.
func (o Opening) Latest(ctx context.Context, q archive.CellQuery) ([]archive.Cell, error) {
	return opened(ctx, o, func(a *archive.Archive, ctx context.Context) ([]archive.Cell, error) { return a.Latest(ctx, q) })
}

// History gives the course of each case.
func (o Opening) History(ctx context.Context, f archive.Filter) ([]archive.Series, error) {
	return opened(ctx, o, func(a *archive.Archive, ctx context.Context) ([]archive.Series, error) { return a.History(ctx, f) })
}

func opened[T any](ctx context.Context, o Opening, read func(*archive.Archive, context.Context) (T, error)) (T, error) {
	a, err := o(ctx)
	if err != nil {
		var none T
		return none, err
	}
	return read(a, ctx)
}
