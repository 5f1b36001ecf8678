package archive

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"io/fs"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

//go:embed schema
var schemas embed.FS

// versionTable is where goose notes which migrations were made.
const versionTable = "cryptogauge_schema"

// current holds the store's schema against this program's, and brings it up to date where that is allowed.
func (a *Archive) current(ctx context.Context, access Access) error {
	provider, err := a.migrations()
	if err != nil {
		return err
	}
	sources := provider.ListSources()
	newest := sources[len(sources)-1].Version
	// Two programs that make one store at once get in each other's way: one of them finds what the other made.
	const tries = 5
	for range tries {
		var at int64
		if at, err = a.version(ctx); err != nil {
			return err
		}
		switch {
		case at == newest:
			return nil
		case at > newest:
			return language.Errorf("%w (schema %d; this program knows %d)", "%s（schema 版本 %d；本程序支持到 %d）", ErrNewer, at, newest)
		case access == Read && at == 0:
			return ErrNone
		case access == Read:
			return ErrOlder
		}
		if err = a.engine.prepare(ctx, a.db); err != nil {
			continue
		}
		if _, err = provider.Up(ctx); err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return language.Errorf("making its tables: %w", "创建数据表：%s", err)
}

func (a *Archive) migrations() (*goose.Provider, error) {
	files, err := fs.Sub(schemas, "schema/"+a.engine.migrations())
	if err != nil {
		return nil, err
	}
	dialect := map[string]goose.Dialect{"sqlite": database.DialectSQLite3, "postgres": database.DialectPostgres}[a.engine.migrations()]
	return goose.NewProvider(dialect, a.db, files, goose.WithTableName(versionTable), goose.WithDisableGlobalRegistry(true))
}

// version is the last migration that was made; 0 where there is nothing yet.
func (a *Archive) version(ctx context.Context) (int64, error) {
	has, others, err := a.engine.tables(ctx, a.db, versionTable)
	switch {
	case err != nil:
		return 0, err
	case !has && others:
		return 0, ErrForeign
	case !has:
		return 0, nil
	}
	var at sql.NullInt64
	err = a.db.QueryRowContext(ctx, "SELECT max(version_id) FROM "+versionTable+" WHERE is_applied").Scan(&at)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return at.Int64, err
}
