// Package build makes the programs that a comparison runs: a worker of a Go library in some
// version, of its own embedded sources; a main package of the user's or its tests, as they are or
// at a git revision. The go command builds; nothing of the user's tree is changed, and what lies
// about meanwhile lies below the cache and goes, also when the build is interrupted.
//
// A worker is kept in the cache under a key of all that goes in: the sources, go.mod with the
// library's version, what go env says. The user's own programs and tests are not: what goes into
// them (embedded files, generated ones, replaced modules, a workspace, vendor/, cgo and its
// compiler) only the go command knows, and it keeps what it compiled itself, so that what is left
// to do anew is the link. The tests need their tree beside them while they run in any case. Where go.mod takes a directory from
// outside the tree of a revision, that directory is as it is now, which the notes say.
package build

import (
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// Built is a program that is ready to run, until it is closed.
type Built struct {
	Program string // its file
	Version string // a library's version, or the revision that it was built from
	Dir     string // where it must run; "" is anywhere
	Notes   []language.Text
	remove  func() error
}

// Close removes what the program needs while it runs.
func (b Built) Close() error {
	if b.remove == nil {
		return nil
	}
	return b.remove()
}

// LibrarySpec is a library of the laboratory in a version.
type LibrarySpec struct {
	Name      string   // as run files call it; "go" is the toolchain's own
	Version   string   // whatever the go command takes: v0.43.0, latest, a commit; "" is the one this program has
	Toolchain string   // such as go1.25.5; "" is the one that the go command chooses
	Oldest    string   // the oldest toolchain of all sides: what else is built in is of versions that it can build, too
	Also      []string // more libraries, in the versions that this program has
}

// Spec is a package of the user's: a main package, or one whose tests become a program.
type Spec struct {
	Dir      string // in the user's module; "" is the working directory
	Revision string // of git; "" is the tree as it is
	Package  string // such as ./cmd/mybench
	Require  string // of tests, module@version instead of the one in go.mod; "" leaves all
}

// CompileError is what the compiler said, as it said it.
type CompileError struct {
	Of     string // what does not compile
	Output string
}

func (e *CompileError) Error() string { return e.Text().EN }

func (e *CompileError) Text() language.Text {
	output := strings.TrimRight(e.Output, "\n")
	return language.Text{EN: e.Of + " does not build:\n" + output, ZH: e.Of + " 无法编译：\n" + output}
}

// UsageError is a mistake in what was asked for, such as a version that does not exist.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }
func (e *UsageError) Unwrap() error { return e.Err }

func usage(en, zh string, args ...any) error { return &UsageError{language.Errorf(en, zh, args...)} }
