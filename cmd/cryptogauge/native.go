package main

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/library/catalog"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/internal/suite"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// natives are the libraries that are not Go's: the shared objects that --library names,
// and what is installed of the libraries of which it names none.
func natives(objects []string) ([]suite.Native, error) {
	known := catalog.Libraries()
	names := document.Mapped(known, func(l catalog.Library) string { return l.Name })
	named := map[string][]string{}
	for _, text := range objects {
		name, path, ok := strings.Cut(text, "=")
		if !ok || !slices.Contains(names, name) {
			return nil, language.Errorf("--library %s: give one of %s and a path, as in --library openssl=/opt/lib/libcrypto.so.3",
				"--library %s：请给出 %s 之一与路径，例如 --library openssl=/opt/lib/libcrypto.so.3", text, strings.Join(names, ", "))
		}
		if path = atHome(path); !filepath.IsAbs(path) {
			return nil, language.Errorf("--library %s: give the whole path, from / on",
				"--library %s：请给出以 / 开头的完整路径", text)
		}
		named[name] = append(named[name], path)
	}
	program, absent := nativeWorker()
	var list []suite.Native
	for _, l := range known {
		paths, missing := named[l.Name], absent
		if len(paths) == 0 {
			paths = l.Find()
		}
		if len(paths) == 0 {
			paths, missing = []string{""}, l.Missing()
		}
		for _, path := range paths {
			list = append(list, suite.Native{Library: l.Name, Missing: missing, Command: nativeCommand(program, l.Name, path)})
		}
	}
	return append(list, suite.Native{Library: subject.Harness, Missing: absent,
		Command: nativeCommand(program, subject.Harness, "")}), nil
}

// atHome is a path below the home of the user, where it is written so: behind "name=" not every shell does it.
func atHome(path string) string {
	rest, below := strings.CutPrefix(path, "~/")
	home, err := os.UserHomeDir()
	if !below || err != nil {
		return path
	}
	return filepath.Join(home, rest)
}

// namedLibraries are those that were asked for, and those whose object was given.
func namedLibraries(asked, objects []string) []string {
	all := slices.Clone(asked)
	for _, text := range objects {
		name, _, _ := strings.Cut(text, "=")
		all = append(all, name)
	}
	return all
}

// unmeasured says which named libraries have no case in a plan: who named one believes it was tested.
func unmeasured(planned *suite.Suite, named []string) language.Text {
	var left []string
	for _, name := range named {
		is := func(l result.Library) bool { return strings.EqualFold(l.Library, name) }
		if !slices.ContainsFunc(planned.Libraries(), is) && !slices.Contains(left, name) {
			left = append(left, name)
		}
	}
	if len(left) == 0 {
		return language.Text{}
	}
	return language.Say("nothing of %s is measured: what was asked for has no case that it offers",
		"不会测量 %s：它不提供所要求的任何测试项", strings.Join(left, ", "))
}

// nativeProgram is the worker that opens shared objects. It lies beside this program.
const nativeProgram = "cryptogauge-native"

// nativeWorker finds it; absent says in a line why it can't be used.
func nativeWorker() (path string, absent error) {
	path, folder, err := command.Beside(nativeProgram)
	switch {
	case err == nil:
		return path, nil
	case folder == "":
		return "", reason.New("native-unfound", nativeProgram, err)
	}
	return "", reason.New("no-native", nativeProgram, folder)
}

func nativeCommand(program, library, path string) func(environment string, twin int) worker.Command {
	return func(environment string, twin int) worker.Command {
		return worker.Command{Path: program,
			Args: []string{"worker", "--library", library + "=" + path, "--twin", strconv.Itoa(twin)},
			Env:  environ(environment)}
	}
}
