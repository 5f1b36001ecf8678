package archive

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/userfile"
)

type postgresEngine struct{ schema string }

// schemaName is where the tables are, unless the URL's search_path says otherwise: a database may be others' too.
const schemaName = "cryptogauge"

// Codes of PostgreSQL's errors (its manual, appendix A).
const (
	codeNoPassword   = "28P01"
	codeNotAllowed   = "28000"
	codeNoDatabase   = "3D000"
	codeNoPrivilege  = "42501"
	codeDiskFull     = "53100"
	codeTooMany      = "53300"
	codeShuttingDown = "57P"
)

func openPostgres(ctx context.Context, at Location, o Options) (*sql.DB, engine, error) {
	if err := passwordFile(at.URL); err != nil {
		return nil, nil, err
	}
	config, err := pgx.ParseConfig(at.URL)
	if err != nil {
		return nil, nil, language.Errorf("the URL can't be used: %s", "URL 不可用：%s", oneLine(err))
	}
	e := postgresEngine{schema: schemaName}
	if path := config.RuntimeParams["search_path"]; path != "" {
		first, _, _ := strings.Cut(path, ",")
		e.schema = strings.Trim(strings.TrimSpace(first), `"`)
	} else {
		config.RuntimeParams["search_path"] = schemaName
	}
	config.RuntimeParams["application_name"] = "cryptogauge"
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = 15 * time.Second
	}
	db := stdlib.OpenDB(*config)
	err = db.PingContext(ctx)
	if refused(err) && config.Password == "" && o.Password != nil {
		db.Close()
		if config.Password, err = o.Password(config.User + "@" + config.Host + "/" + config.Database); err != nil {
			return nil, nil, err
		}
		db = stdlib.OpenDB(*config)
		err = db.PingContext(ctx)
	}
	if err != nil {
		db.Close()
		return nil, nil, e.explain(err)
	}
	if o.Serving {
		db.SetMaxOpenConns(readers)
	}
	return db, e, nil
}

// refused says that the server wants a password, or another.
func refused(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && e.Code == codeNoPassword
}

// passwordFile refuses one that others may read, which libpq would not read either (PostgreSQL's manual, 34.16), one that
// can't be read, and one that was named and is not there. One that root owns its group may read too, as libpq takes a key
// (34.19.2): so clusters mount secrets for a user.
func passwordFile(text string) error {
	path, named := passwordPath(text)
	if path == "" {
		return nil
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !named:
		return nil
	case err != nil:
		return unread(path, err)
	case !info.Mode().IsRegular():
		if named && path != os.DevNull {
			return language.Errorf("the password file %s is no regular file", "口令文件 %s 不是普通文件", path)
		}
		return nil
	case info.Mode().Perm()&userfile.OpenTo(info) != 0:
		return language.Errorf("the password file %s is open to others: chmod 600 %[1]s", "口令文件 %s 对其他用户开放：请执行 chmod 600 %[1]s", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return unread(path, err)
	}
	return f.Close()
}

// passwordPath is where the password file is, and whether somebody named it.
func passwordPath(text string) (path string, named bool) {
	if u, err := url.Parse(text); err == nil && u.Query().Get("passfile") != "" {
		return u.Query().Get("passfile"), true
	}
	if path := os.Getenv("PGPASSFILE"); path != "" {
		return path, true
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", false
	}
	return filepath.Join(home, ".pgpass"), false
}

// unread says why a password file is not read.
func unread(path string, err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		err = of.Err
	}
	return language.Errorf("the password file %s can't be read: %w", "无法读取口令文件 %s：%s", path, err)
}

func (postgresEngine) migrations() string { return "postgres" }

func (e postgresEngine) tables(ctx context.Context, db *sql.DB, name string) (has, others bool, err error) {
	// A schema of another name, as public, may well hold the tables of others too. The information schema would leave out
	// what this user may not read.
	err = db.QueryRowContext(ctx, "SELECT count(*) > 0 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2",
		e.schema, name).Scan(&has)
	if err == nil && has { // by its full name: a schema that this user may not use is passed over where names are looked up
		_, err = db.ExecContext(ctx, "SELECT FROM "+pgx.Identifier{e.schema, name}.Sanitize()+" LIMIT 0")
	}
	return has, false, err
}

func (e postgresEngine) prepare(ctx context.Context, db *sql.DB) error {
	var there bool
	err := db.QueryRowContext(ctx, "SELECT count(*) > 0 FROM information_schema.schemata WHERE schema_name = $1", e.schema).Scan(&there)
	if err == nil && !there {
		_, err = db.ExecContext(ctx, "CREATE SCHEMA IF NOT EXISTS "+pgx.Identifier{e.schema}.Sanitize())
	}
	return err
}

func (postgresEngine) lock(ctx context.Context, tx *sql.Tx, header string) error {
	_, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", header)
	return err
}

func (postgresEngine) insert(ctx context.Context, c *sql.Conn, t table) error {
	if t.rows == 0 {
		return nil
	}
	return c.Raw(func(raw any) error {
		source := pgx.CopyFromSlice(t.rows, func(i int) ([]any, error) { return t.row(i), nil })
		_, err := raw.(*stdlib.Conn).Conn().CopyFrom(ctx, pgx.Identifier{t.name}, t.columns, source)
		return err
	})
}

func (e postgresEngine) explain(err error) error {
	var said *pgconn.PgError
	if errors.As(err, &said) {
		return e.answered(said)
	}
	var connecting *pgconn.ConnectError
	var dialing *net.OpError
	switch {
	case errors.As(err, &dialing):
		return language.Errorf("the database is not reached: %s", "无法连接数据库：%s", dialing)
	case errors.As(err, &connecting):
		return language.Errorf("the database is not reached: %s", "无法连接数据库：%s", oneLine(connecting))
	}
	return err
}

// answered is what an error means that the server itself sent, so that it was reached.
func (e postgresEngine) answered(said *pgconn.PgError) error {
	switch {
	case said.Code == codeNoPassword:
		return language.Errorf("the database does not let this user in: %s; %s", "数据库拒绝该用户登录：口令缺失或错误（%s）；请%s", said.Message, byPasswordFile())
	case said.Code == codeNotAllowed:
		return language.Errorf("the database does not let this user in: %s; %s", "数据库拒绝该用户登录（%s）；请%s", said.Message, byPasswordFile())
	case said.Code == codeNoDatabase:
		return language.Errorf("the server has no such database: %s; createdb makes one", "服务器上没有该数据库（%s）；可用 createdb 创建", said.Message)
	case said.Code == codeNoPrivilege:
		return language.Errorf("the database does not allow it: %s; who files runs must own the schema %s, or may create it; who reads needs USAGE of it and SELECT on its tables",
			"数据库不允许（%s）；保存运行的用户须拥有 schema %s，或有权创建它；读取的用户须有其 USAGE 权限及各表的 SELECT 权限", said.Message, e.schema)
	case said.Code == codeDiskFull:
		return language.Errorf("the disk is full", "磁盘空间不足")
	case said.Code == codeTooMany || strings.HasPrefix(said.Code, codeShuttingDown):
		return language.Errorf("the database takes no work now: %s", "数据库暂不可用（%s）", said.Message)
	}
	return language.Errorf("the database says: %s (SQLSTATE %s)", "数据库报错：%s（SQLSTATE %s）", oneLine(errors.New(said.Message)), said.Code)
}

// oneLine is an error as one line.
func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }
