package archive

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

type sqliteEngine struct{}

// patience is how long to wait for a SQLite file that is locked; explain says it in words.
const patience = 30 * time.Second

// readers are how many queries of one program read a SQLite file at once.
const readers = 4

func openSQLite(ctx context.Context, at Location, o Options) (*sql.DB, engine, error) {
	info, err := os.Stat(at.Path)
	switch {
	case err == nil && info.IsDir():
		return nil, nil, language.Errorf("it is a directory; name a file in it", "它是目录；请指定其中的文件")
	case errors.Is(err, fs.ErrNotExist) && o.Access == Read:
		return nil, nil, ErrNone
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(filepath.Dir(at.Path), 0o700); err != nil {
			return nil, nil, language.Errorf("making its directory: %w", "创建其所在目录：%s", err)
		}
	case err != nil:
		return nil, nil, err
	}
	db, err := sql.Open("sqlite", sqliteName(at.Path, o))
	if err != nil {
		return nil, nil, err
	}
	e := sqliteEngine{}
	db.SetMaxOpenConns(readers)
	if o.Access == Write {
		db.SetMaxOpenConns(1)
	}
	if err := connect(ctx, db); err != nil {
		db.Close()
		return nil, nil, e.explain(err)
	}
	return db, e, nil
}

// connect makes the first connection. It changes a new file to the write-ahead log, which SQLite doesn't wait for: it
// refuses at once while another connection begins to write, as when two make one store.
func connect(ctx context.Context, db *sql.DB) error {
	const pause = 10 * time.Millisecond
	for until := time.Now().Add(patience); ; {
		err := db.PingContext(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if !busy(err) || time.Now().After(until) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// busy says that another connection holds the file locked.
func busy(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code()&0xff == sqlite3.SQLITE_BUSY
}

// sqliteName is the file as the driver takes it. The write-ahead log lets readers read while somebody writes; each
// transaction is on the disk when it ends; who finds the file locked waits.
func sqliteName(path string, o Options) string {
	absolute, err := filepath.Abs(path)
	if err != nil {
		absolute = path
	}
	cache := "cache_size(-65536)" // KiB of a connection
	if o.Serving {
		cache = "cache_size(-8192)"
	}
	pragmas := []string{fmt.Sprintf("busy_timeout(%d)", patience.Milliseconds()), "foreign_keys(1)", cache}
	options := url.Values{}
	if o.Access == Read {
		options.Set("mode", "ro")
	} else {
		pragmas = append(pragmas, "journal_mode(wal)", "synchronous(full)")
		options.Set("_txlock", "immediate")
	}
	options["_pragma"] = pragmas
	return "file:" + (&url.URL{Path: absolute}).EscapedPath() + "?" + options.Encode()
}

func (sqliteEngine) migrations() string                          { return "sqlite" }
func (sqliteEngine) prepare(context.Context, *sql.DB) error      { return nil }
func (sqliteEngine) lock(context.Context, *sql.Tx, string) error { return nil } // the transaction began with the lock on all

func (sqliteEngine) tables(ctx context.Context, db *sql.DB, name string) (has, others bool, err error) {
	err = db.QueryRowContext(ctx, "SELECT count(*) FILTER (WHERE name = $1) > 0, count(*) FILTER (WHERE name <> $1) > 0 FROM sqlite_master", name).
		Scan(&has, &others)
	return has, others, err
}

// insert runs one prepared statement for each row, past package database/sql, whose conversions cost as much as
// binding does; statements of several rows were no faster. The context is asked between rows: the driver would start a
// goroutine for each.
func (sqliteEngine) insert(ctx context.Context, c *sql.Conn, t table) error {
	return c.Raw(func(raw any) error {
		prepared, err := raw.(driver.ConnPrepareContext).PrepareContext(context.Background(),
			"INSERT INTO "+t.name+" ("+strings.Join(t.columns, ", ")+") VALUES ("+placeholders(1, len(t.columns))+")")
		if err != nil {
			return err
		}
		defer prepared.Close()
		values := make([]driver.NamedValue, len(t.columns))
		for i := range values {
			values[i].Ordinal = i + 1
		}
		for i := range t.rows {
			for j, v := range t.row(i) {
				values[j].Value = v
			}
			if _, err := prepared.(driver.StmtExecContext).ExecContext(context.Background(), values); err != nil {
				return err
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
		return nil
	})
}

func (sqliteEngine) explain(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_NOTADB:
		return ErrForeign
	case sqlite3.SQLITE_FULL:
		return language.Errorf("the disk is full", "磁盘空间不足")
	case sqlite3.SQLITE_BUSY:
		return language.Errorf("another program has held it locked for half a minute; try again", "另一程序锁定它已达半分钟；请重试")
	case sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
		return language.Errorf("it can't be opened; its file and the directory of it must be yours to write", "无法打开；其文件及所在目录必须可写")
	case sqlite3.SQLITE_READONLY:
		return language.Errorf("it is not yours to write", "没有写入权限")
	case sqlite3.SQLITE_CORRUPT:
		return language.Errorf("its file is damaged; the runs' own folders are whole: file them elsewhere with cryptogauge store import",
			"其文件已损坏；各次运行自己的目录仍完整，可用 cryptogauge store import 导入别处")
	}
	return language.Errorf("%s", "%s", strings.Join(strings.Fields(err.Error()), " "))
}
