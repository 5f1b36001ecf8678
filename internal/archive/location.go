package archive

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// Engine is what keeps a store.
type Engine string

const (
	SQLite   Engine = "sqlite"
	Postgres Engine = "postgres"
)

// Location is where a store is: a file, or a database. It holds no password.
type Location struct {
	Engine Engine
	Path   string // of the SQLite file
	URL    string // of the PostgreSQL database
}

// String is the location as --store takes it, with no secret in it.
func (l Location) String() string {
	if l.Engine == Postgres {
		return l.URL
	}
	return string(l.Engine) + ":" + l.Path
}

// Parse reads what --store says: "sqlite", which is a file below $XDG_DATA_HOME/cryptogauge, "sqlite:PATH", or a
// URL of PostgreSQL. A password in the URL or in PGPASSWORD is refused: both are seen by others on the machine.
func Parse(text string) (Location, error) {
	switch path, file := strings.CutPrefix(text, "sqlite:"); {
	case text == "sqlite":
		return Default()
	case file && path != "" && !strings.ContainsRune(path, 0):
		return Location{Engine: SQLite, Path: path}, nil
	case strings.HasPrefix(text, "postgres://"), strings.HasPrefix(text, "postgresql://"):
		return parseURL(text)
	}
	return Location{}, language.Errorf("--store %q: give sqlite, sqlite:PATH, or postgres://USER@HOST/DATABASE",
		"--store %q：请给出 sqlite、sqlite:路径 或 postgres://用户@主机/数据库", withoutSecret(text))
}

// Default is the file that "sqlite" stands for (XDG Base Directory Specification 0.8).
func Default() (Location, error) {
	data := os.Getenv("XDG_DATA_HOME")
	if !filepath.IsAbs(data) { // the specification has relative ones ignored
		home, err := os.UserHomeDir()
		if err != nil {
			return Location{}, language.Errorf("there is no home to keep runs in; name a file with --store sqlite:PATH",
				"没有主目录可存放运行；请用 --store sqlite:路径 指定文件")
		}
		data = filepath.Join(home, ".local", "share")
	}
	return Location{Engine: SQLite, Path: filepath.Join(data, "cryptogauge", "runs.sqlite")}, nil
}

// secrets are the parameters of a URL that hold one.
var secrets = []string{"password", "sslpassword"}

func parseURL(text string) (Location, error) {
	u, err := url.Parse(text)
	if err != nil { // whose words would repeat the URL
		return Location{}, language.Errorf("--store: the URL of the database can't be read; give postgres://USER@HOST/DATABASE",
			"--store：无法解析数据库 URL；请给出 postgres://用户@主机/数据库")
	}
	_, inURL := u.User.Password()
	for _, name := range secrets {
		inURL = inURL || u.Query().Has(name)
	}
	switch {
	case inURL:
		return Location{}, language.Errorf("--store: a password in the URL is seen by everyone on this machine; leave it out and %s",
			"--store：URL 中的口令对本机所有人可见；请去掉，并%s", byPasswordFile())
	case os.Getenv("PGPASSWORD") != "":
		return Location{}, language.Errorf("PGPASSWORD is set, and the environment goes to every program that is started; unset it and %s",
			"已设置 PGPASSWORD，而环境变量会传给启动的每个程序；请取消该变量，并%s", byPasswordFile())
	}
	return Location{Engine: Postgres, URL: text}, nil
}

// withoutSecret is what was typed, as far as it may be repeated: a URL, a list of key=value, as libpq takes one, and
// USER:PASSWORD@HOST may hold a password.
func withoutSecret(text string) string {
	if scheme, _, isURL := strings.Cut(text, "://"); isURL {
		return scheme + "://…"
	}
	if key, _, isList := strings.Cut(text, "="); isList {
		return key + "=…"
	}
	if strings.Contains(text, "@") {
		user, _, _ := strings.Cut(text, ":")
		return user + ":…"
	}
	return text
}

// byPasswordFile says where a password is kept.
func byPasswordFile() language.Text {
	return language.Text{EN: "write the password to ~/.pgpass, readable by you alone: HOST:PORT:DATABASE:USER:PASSWORD",
		ZH: "将口令写入仅自己可读的 ~/.pgpass，格式为 主机:端口:数据库:用户:口令"}
}
