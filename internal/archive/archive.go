// Package archive keeps runs for longer than a folder does: in a SQLite file, or in a PostgreSQL database that many
// machines share. It is what --store names.
//
//	run.jsonl ──File──▶ the file itself, compressed and whole
//	                    a row of the run, of its machine, of each cell, comparison and distribution
//
// The run file is the truth. It is kept byte for byte, named by its SHA-256, and never changed: filing it again files
// nothing. The rows beside it are what package document says of it, so that a list, a history or an alert reads a few
// rows and no samples. A cell whose output was wrong, or that is withheld, has no number here either.
//
// # Runs in the making
//
// A run file without its end record, of a run that goes on or was killed, is filed as partial. Filing the same file
// again once it has grown replaces what was filed of it, in one transaction: the archive holds the longest of what
// begins with the same bytes. Nothing else is ever replaced.
//
// # Writers and readers
//
// A run is filed in one transaction, all of it or nothing, so a writer that is killed leaves no half run, and two
// that file the same run file it once. Whoever files brings the schema up to date; whoever reads changes nothing. A
// store that a newer program made is refused.
package archive

import (
	"context"
	"errors"
	"io"

	"github.com/cryptogauge/cryptogauge/result"
)

// Errors that Open and the queries wrap. Each is one line that says what to do.
var (
	// ErrNone: there is no store at the place, or nothing was ever filed in it.
	ErrNone = errors.New("nothing was filed yet")
	// ErrNewer: a newer program made the store.
	ErrNewer = errors.New("the store was made by a newer cryptogauge")
	// ErrOlder: an older program made the store, and it was opened to be read.
	ErrOlder = errors.New("the store was made by an older cryptogauge")
	// ErrUnknown: no run, or more than one, has this name.
	ErrUnknown = errors.New("no such run")
)

// Access is what a store is opened for.
type Access int

const (
	Read  Access = iota // changes nothing; ErrNone where there is nothing to read
	Write               // makes the store where it is missing, and brings its schema up to date
)

// Options are how a store is opened.
type Options struct {
	Access Access
	// Password asks for the password of a database that demands one which no password file has; nil asks nobody.
	Password func(of string) (string, error)
}

// Archive is an open store. It may be used by several goroutines at once.
type Archive struct{}

// Open opens the store at a place.
func Open(ctx context.Context, at Location, o Options) (*Archive, error) {
	return nil, errors.ErrUnsupported
}

func (a *Archive) Close() error { return nil }

// Filed says what became of a run file.
type Filed struct {
	Run      Run
	Known    bool // it had been filed before, or more of it: nothing was changed
	Replaced bool // it took the place of the shorter file that it has grown from
}

// File files the run at a path: a run file, or a folder that holds one. The report of a check beside it is filed too.
func (a *Archive) File(ctx context.Context, path string) (Filed, error) {
	return Filed{}, errors.ErrUnsupported
}

// Export writes a run's file, byte for byte.
func (a *Archive) Export(ctx context.Context, id string, w io.Writer) error {
	return errors.ErrUnsupported
}

// Runs lists runs, the newest first, and says how many the query has in all, on this page and on others.
// The next page begins after the last of this one: see [RunQuery].
func (a *Archive) Runs(ctx context.Context, q RunQuery) (runs []Run, total int, err error) {
	return nil, 0, errors.ErrUnsupported
}

// Find finds a run by its ID or the beginning of one that no other run's has, of six characters at least.
func (a *Archive) Find(ctx context.Context, id string) (Run, error) {
	return Run{}, errors.ErrUnsupported
}

// Run reads a run back from its file.
func (a *Archive) Run(ctx context.Context, id string) (Run, *result.Run, error) {
	return Run{}, nil, errors.ErrUnsupported
}

// Cells gives the cells of one run in their order, or of all runs in order of time: see [CellQuery].
func (a *Archive) Cells(ctx context.Context, q CellQuery) ([]Cell, error) {
	return nil, errors.ErrUnsupported
}

// Latest gives the last cell of each case and subject on each machine: of subjects, without regard to their version.
// What a partial run had not measured yet takes nobody's place.
func (a *Archive) Latest(ctx context.Context, q CellQuery) ([]Cell, error) {
	return nil, errors.ErrUnsupported
}

// Comparisons gives those of one run, in their order.
func (a *Archive) Comparisons(ctx context.Context, run string) ([]Comparison, error) {
	return nil, errors.ErrUnsupported
}

// Distributions gives those of one run, in the order of its cells.
func (a *Archive) Distributions(ctx context.Context, run string) ([]Distribution, error) {
	return nil, errors.ErrUnsupported
}

// Machines lists the machines that runs are of, that of the newest run first.
func (a *Archive) Machines(ctx context.Context) ([]Machine, error) {
	return nil, errors.ErrUnsupported
}

// Cases lists the cases that were measured, with who measured them last, in alphabetical order.
func (a *Archive) Cases(ctx context.Context, f Filter) ([]CaseCount, error) {
	return nil, errors.ErrUnsupported
}

// History gives the course of each case and subject on each machine, its points in order of time. Points of runs
// at the same instant keep the order in which they were filed.
func (a *Archive) History(ctx context.Context, f Filter) ([]Series, error) {
	return nil, errors.ErrUnsupported
}

// Checks lists what checks found, the newest first.
func (a *Archive) Checks(ctx context.Context, q CheckQuery) ([]Check, error) {
	return nil, errors.ErrUnsupported
}

// LatestChecks gives the last check of each suite on each machine.
func (a *Archive) LatestChecks(ctx context.Context) ([]Check, error) {
	return nil, errors.ErrUnsupported
}

// Totals are how much the store holds.
func (a *Archive) Totals(ctx context.Context) (Totals, error) {
	return Totals{}, errors.ErrUnsupported
}
