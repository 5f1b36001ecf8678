package archive

import "errors"

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
func Parse(text string) (Location, error) { return Location{}, errors.ErrUnsupported }

// Default is the file that "sqlite" stands for.
func Default() (Location, error) { return Location{}, errors.ErrUnsupported }
