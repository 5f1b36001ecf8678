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
//
//	location.go   what --store says
//	archive.go    opening; sqlite.go and postgres.go are what the engines do unlike; schema/ holds the tables
//	entry.go      run file → rows
//	file.go       rows → store, and the way back; import.go, many of them
//	runs.go, cells.go, history.go, checks.go   what is asked of a store
package archive

import (
	"context"
	"database/sql"
	"errors"
	"sync"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// Errors that Open and the queries wrap. Each is one line that says what to do.
var (
	// ErrNone: there is no store at the place, or nothing was ever filed in it.
	ErrNone = language.Error("no run was filed there yet; cryptogauge store import DIR files the runs of a folder, run --store each new one",
		"其中还没有任何运行；cryptogauge store import DIR 可导入某目录下的运行，run --store 会保存每次新的运行")
	// ErrNewer: a newer program made the store.
	ErrNewer = language.Error("a newer cryptogauge made it; update to use it", "它由更新版本的 cryptogauge 创建；请升级后再用")
	// ErrOlder: an older program made the store, and it was opened to be read.
	ErrOlder = language.Error("an older cryptogauge made it; the next run that is filed there, by store import or --store, brings it up to date",
		"它由旧版 cryptogauge 创建；下次以 store import 或 --store 保存运行时会自动升级")
	// ErrForeign: the file or database is of another program.
	ErrForeign = language.Error("it is not a store of cryptogauge", "它不是 cryptogauge 的存储")
	// ErrUnknown: no run, or more than one, has this name.
	ErrUnknown = language.Error("no such run", "没有该运行")
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
	// It is asked once at most.
	Password func(database string) (string, error)
	// Serving says that many readers ask for long, in a program that is to stay small: few connections, and little memory
	// for each.
	Serving bool
}

// Archive is an open store. It may be used by several goroutines at once.
type Archive struct {
	db     *sql.DB
	engine engine
	at     Location

	mu     sync.Mutex
	cached map[string]int64 // numbers of rows that are referred to, by table and key
}

// engine is what SQLite and PostgreSQL do unlike.
type engine interface {
	// migrations is the folder of schema that holds the engine's tables.
	migrations() string
	// tables says whether the store has a table of this name, and any other.
	tables(ctx context.Context, db *sql.DB, name string) (has, others bool, err error)
	// prepare makes what must be there before there are tables.
	prepare(ctx context.Context, db *sql.DB) error
	// lock keeps other writers from runs with the same header until the transaction ends.
	lock(ctx context.Context, tx *sql.Tx, header string) error
	// insert writes many rows in the transaction that runs on c.
	insert(ctx context.Context, c *sql.Conn, t table) error
	// explain says in one line what an error of the engine means for the user.
	explain(err error) error
}

// table is many rows of one table. Row gives the values of one in the order of the columns, each an int64, a
// float64, a string, a []byte or nil, in a slice that is good until the next call.
type table struct {
	name    string
	columns []string
	rows    int
	row     func(i int) []any
}

// Open opens the store at a place.
func Open(ctx context.Context, at Location, o Options) (*Archive, error) {
	open := openSQLite
	if at.Engine == Postgres {
		open = openPostgres
	}
	db, e, err := open(ctx, at, o)
	if err != nil {
		return nil, placed(at, err)
	}
	a := &Archive{db: db, engine: e, at: at, cached: map[string]int64{}}
	if err := a.current(ctx, o.Access); err != nil {
		db.Close()
		return nil, placed(at, e.explain(err))
	}
	return a, nil
}

// Close gives back what the store holds open.
func (a *Archive) Close() error { return a.db.Close() }

// At is where the store is.
func (a *Archive) At() Location { return a.at }

// placed names the store that an error is of.
func placed(at Location, err error) error {
	return language.Errorf("the store %s: %w", "存储 %s：%s", at, err)
}

// failed is what a query's error means for the user.
func (a *Archive) failed(err error) error {
	if err == nil || errors.Is(err, ErrUnknown) || errors.Is(err, context.Canceled) {
		return err
	}
	return placed(a.at, a.engine.explain(err))
}
