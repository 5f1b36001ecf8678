// Package side reads what the sides of a comparison may be: versions of a library, toolchains, shared
// objects, programs at a path or a revision, workers by command, and with a benchmark the revisions of a
// tree or the versions of a dependency.
package side

import (
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/subject"
)

// Kind is what a side is.
type Kind int

// The kinds.
const (
	Library    Kind = iota + 1 // a Go library in a version
	Toolchain                  // Go's own library, and with it the compiler
	Object                     // a library in C, in a shared object
	Program                    // a Go program that offers operations of its own, through package gauge
	Worker                     // any program that speaks the protocol of workers, by its command
	Tree                       // of benchmarks: the package as it is, or at a revision
	Dependency                 // of benchmarks: the package with a dependency in a version
)

// Side is a side as it was typed, and what that means. What a kind has no use for is empty.
type Side struct {
	Kind  Kind
	Typed string
	// Name is the library's, or a dependency's module, and Version its version, or the toolchain
	// ("go1.25.5"). A library without one is as this program was built with it.
	Name, Version string
	Path          string // of a shared object
	Revision      string // of a tree; empty: as it is
	Package       string // of a program
	Command       string // of a worker
}

// Forms are the ways to write a side, one of each.
const Forms = "gmsm@v0.44.0, go@1.26.0, openssl=/opt/lib/libcrypto.so.3, ./cmd/mybench, git:main:./cmd/mybench, worker:COMMAND"

// BenchForms are those of benchmarks.
const BenchForms = ". (the tree as it is), git:main, example.org/module@v1.2.3"

const (
	workerPrefix = "worker:"
	gitPrefix    = "git:"
)

// Parse reads a side.
func Parse(text string) (s Side, err error) {
	name, version, versioned := strings.Cut(text, "@")
	object, path, assigned := strings.Cut(text, "=")
	switch {
	case strings.HasPrefix(text, workerPrefix):
		s = Side{Kind: Worker, Command: strings.TrimSpace(strings.TrimPrefix(text, workerPrefix))}
		if s.Command == "" {
			return s, language.Errorf("%s: give the command that starts the worker, as in worker:./mybench",
				"%s：请给出启动工作进程的命令，例如 worker:./mybench", text)
		}
	case strings.HasPrefix(text, gitPrefix):
		s, err = program(text)
	case text == "." || strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../") || strings.HasPrefix(text, "/"):
		s = Side{Kind: Program, Package: text}
	case assigned && slices.Contains(subject.Objects(), object):
		s = Side{Kind: Object, Name: object, Path: path}
		if !strings.HasPrefix(path, "/") {
			return s, language.Errorf("%s: give the whole path of the shared object, from / on", "%s：请给出以 / 开头的共享库完整路径", text)
		}
	case versioned && version == "":
		return s, language.Errorf("%s: which version? e.g. %s@%s", "%s：哪个版本？例如 %s@%s", text, name, example(name))
	case name == subject.Go:
		s = Side{Kind: Toolchain, Name: name, Version: toolchain(version)}
	case slices.Contains(subject.Versioned(), name):
		s = Side{Kind: Library, Name: name, Version: normal(version)}
	default:
		err = unknown(text, name)
	}
	s.Typed = text
	return s, err
}

// ParseBench reads a side of a comparison of benchmarks.
func ParseBench(text string) (s Side, err error) {
	name, version, versioned := strings.Cut(text, "@")
	switch {
	case text == ".":
		s = Side{Kind: Tree}
	case strings.HasPrefix(text, gitPrefix):
		s = Side{Kind: Tree, Revision: strings.TrimPrefix(text, gitPrefix)}
		if err = revision(text, s.Revision); err == nil && strings.Contains(s.Revision, ":") {
			err = language.Errorf("%s: with --bench a side is a revision alone, as in git:main; the package stands before the sides",
				"%s：使用 --bench 时只写修订版本，例如 git:main；包写在各方之前", text)
		}
	case versioned && name != "" && version != "":
		if name == subject.Go || slices.Contains(slices.Concat(subject.Versioned(), subject.Objects()), name) {
			return s, language.Errorf("%s: with --bench give the module's path, as in github.com/emmansun/gmsm@v0.44.0",
				"%s：使用 --bench 时请给出模块路径，例如 github.com/emmansun/gmsm@v0.44.0", text)
		}
		s = Side{Kind: Dependency, Name: name, Version: normal(version)}
	default:
		err = language.Errorf("%s: with --bench a side is one of: %s", "%s：使用 --bench 时可写：%s", text, BenchForms)
	}
	s.Typed = text
	return s, err
}

// program reads git:REF:PACKAGE.
func program(text string) (Side, error) {
	ref, pkg, both := strings.Cut(strings.TrimPrefix(text, gitPrefix), ":")
	if !both || pkg == "" {
		return Side{}, language.Errorf("%s: give a revision and the program's package, as in git:main:./cmd/mybench",
			"%s：请给出修订版本与程序所在的包，例如 git:main:./cmd/mybench", text)
	}
	return Side{Kind: Program, Revision: ref, Package: pkg}, revision(text, ref)
}

// revision refuses what git would take for an option.
func revision(text, ref string) error {
	if ref == "" || strings.HasPrefix(ref, "-") {
		return language.Errorf("%s: which revision? a branch, a tag or a commit, as in git:main", "%s：哪个修订版本？分支、标签或提交，例如 git:main", text)
	}
	return nil
}

func unknown(text, name string) error {
	if slices.Contains(subject.Objects(), name) {
		return language.Errorf("%[1]s: give the shared object, as in %[2]s=/opt/lib/lib%[2]s.so", "%[1]s：请给出共享库，例如 %[2]s=/opt/lib/lib%[2]s.so", text, name)
	}
	if strings.Contains(name, "/") {
		return language.Errorf("%s: a program's path begins with ./ or /; else a side is one of: %s", "%s：程序的路径以 ./ 或 / 开头；此外可写：%s", text, Forms)
	}
	return language.Errorf("%s: a side is one of: %s; of the libraries %s", "%s：可写：%s；其中的库有 %s", text, Forms,
		strings.Join(append([]string{subject.Go}, subject.Versioned()...), ", "))
}

// example is a version as it is written of a library.
func example(name string) string {
	if name == subject.Go {
		return "1.26.0"
	}
	return "v1.2.3"
}

// normal is a version as modules have it: people leave out the v.
func normal(version string) string {
	if version != "" && '0' <= version[0] && version[0] <= '9' {
		return "v" + version
	}
	return version
}

// toolchain is the name of a version of Go, as GOTOOLCHAIN has it.
func toolchain(version string) string {
	if version == "" || strings.HasPrefix(version, "go") {
		return version
	}
	return "go" + strings.TrimPrefix(version, "v")
}
