package archive

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

func TestParse(t *testing.T) {
	data := t.TempDir()
	t.Setenv("XDG_DATA_HOME", data)
	t.Setenv("PGPASSWORD", "")
	for text, want := range map[string]Location{
		"sqlite":                              {Engine: SQLite, Path: filepath.Join(data, "cryptogauge", "runs.sqlite")},
		"sqlite:a b?c#d%e.sqlite":             {Engine: SQLite, Path: "a b?c#d%e.sqlite"},
		"postgres://me@db.example/bench":      {Engine: Postgres, URL: "postgres://me@db.example/bench"},
		"postgresql:///bench?host=/run/pg":    {Engine: Postgres, URL: "postgresql:///bench?host=/run/pg"},
		"postgres://db/x?passfile=%2Fa%2Fpgp": {Engine: Postgres, URL: "postgres://db/x?passfile=%2Fa%2Fpgp"},
	} {
		got, err := Parse(text)
		if err != nil || got != want {
			t.Errorf("%s is %+v, %v", text, got, err)
		}
		if again, err := Parse(got.String()); err != nil || again != want {
			t.Errorf("%s is %+v, %v", got, again, err)
		}
	}
}

const secret = "s3cr3t"

// TestNoPassword: one in a URL or in the environment is refused, and repeated nowhere.
func TestNoPassword(t *testing.T) {
	t.Setenv("PGPASSWORD", "")
	for _, text := range []string{
		"postgres://me:" + secret + "@db/x", "postgres://me:" + secret + "@db:port/x", "postgresql://db/x?user=me&password=" + secret,
		"postgres://db/x?sslkey=k&sslpassword=" + secret, "postgres://me:@db/x", "mysql://me:" + secret + "@db/x", "postgres:/me:" + secret + "%zz@db",
		"host=127.0.0.1 user=u password=" + secret + " dbname=x", "password = '" + secret + "'", "me:" + secret + "@db/x",
	} {
		_, err := Parse(text)
		if err == nil {
			t.Errorf("%s is taken", text)
			continue
		}
		for _, said := range []string{language.Of(err).EN, language.Of(err).ZH} {
			if strings.Contains(said, secret) || strings.Contains(said, "\n") {
				t.Errorf("%s: %q", text, said)
			}
		}
	}
	t.Setenv("PGPASSWORD", secret)
	if _, err := Parse("postgres://me@db/x"); err == nil || !strings.Contains(err.Error(), "PGPASSWORD") || strings.Contains(err.Error(), secret) {
		t.Error(err)
	}
	if _, err := Parse("sqlite:x"); err != nil {
		t.Error("a file has no password: ", err)
	}
}

func TestNoLocation(t *testing.T) {
	for _, text := range []string{"", "sqlite:", "runs.sqlite", "mysql://db/x", "sqlite:\x00", "postgres:x"} {
		if at, err := Parse(text); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q is %+v, %v", text, at, err)
		}
	}
}
