//go:build linux && (amd64 || arm64)

package native

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/library"
	"github.com/cryptogauge/cryptogauge/internal/library/catalog"
	"github.com/cryptogauge/cryptogauge/internal/library/native/planted"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/question"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/internal/suite"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// The test binary starts itself as a worker with these set: of Go's libraries, or of
// the one in a shared object.
const (
	roleVariable = "CRYPTOGAUGE_TEST_ROLE"
	nameVariable = "CRYPTOGAUGE_TEST_LIBRARY"
	pathVariable = "CRYPTOGAUGE_TEST_OBJECT"
	twinVariable = "CRYPTOGAUGE_TEST_TWIN"
)

func TestMain(m *testing.M) {
	var bench func(provider.Setting) worker.Bench
	switch os.Getenv(roleVariable) {
	case "go":
		bench = library.Bench
	case "native":
		twin, _ := strconv.Atoi(os.Getenv(twinVariable))
		bench = Asked{Library: os.Getenv(nameVariable), Path: os.Getenv(pathVariable), Twin: twin}.Bench
	default:
		os.Exit(m.Run())
	}
	worker.EndWith(os.Stdin, func() { os.Exit(0) })
	if err := worker.Serve(os.Stdin, os.Stdout, bench); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// native is the library in a shared object, served by this test binary.
func native(t *testing.T, library, path string) suite.Native {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return suite.Native{Library: library, Command: func(environment string, twin int) worker.Command {
		return worker.Command{Path: self, Env: append(os.Environ(), append(strings.Fields(environment), roleVariable+"=native",
			nameVariable+"="+library, pathVariable+"="+path, twinVariable+"="+strconv.Itoa(twin))...)}
	}}
}

// run measures a few cells of experiment modes, shortly, over the objects beside Go's
// own AES.
func run(t *testing.T, natives ...suite.Native) *result.Run {
	t.Helper()
	es, err := question.Find([]string{"modes"})
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cfg := suite.Config{Name: "modes", Experiments: es, Native: natives, Setting: provider.Setting{Seed: 7},
		Selection: plan.Selection{Algorithms: []string{"AES-128"}, Modes: []string{"CTR"}, Operations: []string{"encrypt"},
			Sizes: []int64{1024}, Libraries: []string{"go", "openssl"}},
		Blocks: 1, Rounds: 1, Target: 100 * time.Microsecond, Deadline: 20 * time.Second,
		Command: func(plan.WorkerKey) worker.Command {
			return worker.Command{Path: self, Env: append(os.Environ(), roleVariable+"=go")}
		}}
	planned, err := suite.Prepare(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := planned.Run(context.Background(), &file, nil); err != nil {
		t.Fatal(err)
	}
	r, err := result.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// ended says how OpenSSL's trials ended, and checks that Go's went on.
func ended(t *testing.T, r *result.Run) (status result.Status, reason string) {
	t.Helper()
	of := map[int]string{}
	for _, trial := range r.Trials {
		of[trial.Index] = trial.Subject.Library
	}
	if !slices.Contains(slices.Collect(maps.Values(of)), "openssl") {
		t.Fatal("there is no row of OpenSSL")
	}
	status = result.OK
	for _, s := range r.Statuses {
		switch of[s.Trial] {
		case "openssl":
			status, reason = s.Status, s.Reason
		case "go":
			t.Errorf("the trial of Go's own library ended: %s: %s", s.Status, s.Reason)
		}
	}
	return status, reason
}

// compile makes a shared object of C, with what the compiler is told besides.
func compile(t *testing.T, source string, args ...string) string {
	t.Helper()
	return planted.Compile(t, "libcrypto.so.3", source, args...)
}

// wrongArchitecture is an object whose header names another machine.
func wrongArchitecture(t *testing.T) string {
	so := compile(t, "int nothing;")
	b, err := os.ReadFile(so)
	if err != nil {
		t.Fatal(err)
	}
	const machine, riscv = 18, 243 // e_machine of the ELF header
	b[machine], b[machine+1] = riscv, 0
	if err := os.WriteFile(so, b, 0o700); err != nil {
		t.Fatal(err)
	}
	return so
}

func writableByOthers(t *testing.T) string {
	so := compile(t, "int nothing;")
	if err := os.Chmod(so, 0o777); err != nil {
		t.Fatal(err)
	}
	return so
}

func text(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "libcrypto.so.3")
	if err := os.WriteFile(path, []byte("no object"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// behind is a planted libcrypto in front of the real one: what it does not define
// is found behind it.
func behind(t *testing.T, source string) string {
	return compile(t, source, "-Wl,--no-as-needed", planted.Installed(t, "openssl"), "-ldl")
}

const wrongBytes = `
#define _GNU_SOURCE
#include <dlfcn.h>
typedef int (*update)(void *, unsigned char *, int *, const unsigned char *, int);
int EVP_CipherUpdate(void *ctx, unsigned char *out, int *outl, const unsigned char *in, int inl) {
	static update real;
	if (!real) real = (update)dlvsym(RTLD_NEXT, "EVP_CipherUpdate", "OPENSSL_3.0.0");
	int r = real(ctx, out, outl, in, inl);
	if (out && inl > 3) out[3] ^= 1;
	return r;
}`

// TestNames: whoever looks for a library in C, binds it or is told its name means the same ones.
func TestNames(t *testing.T) {
	var known []string
	for _, l := range catalog.Libraries() {
		known = append(known, l.Name)
	}
	if named := subject.Objects(); !slices.Equal(named, known) || !slices.Equal(named, Names()) {
		t.Errorf("subject has %q, catalog %q, native %q", named, known, Names())
	}
}

// TestPlanted: whatever is wrong with a shared object costs its own rows, with the
// reason, and nothing else.
func TestPlanted(t *testing.T) {
	for _, test := range []struct {
		name   string
		path   func(*testing.T) string
		status result.Status
		reason string // a part of it
	}{
		{"nothing there", func(t *testing.T) string { return filepath.Join(t.TempDir(), "libcrypto.so.3") }, result.Unsupported, "is not there"},
		{"a directory", func(t *testing.T) string { return t.TempDir() }, result.Unsupported, "is not a file"},
		{"a text", text, result.Unsupported, "is not a shared object"},
		{"another machine's", wrongArchitecture, result.Unsupported, "is built for EM_RISCV"},
		{"writable by others", writableByOthers, result.Unsupported, "can be written to by others"},
		{"without the functions", func(t *testing.T) string { return compile(t, "int nothing;") }, result.Unsupported, "libcrypto.so.3 lacks "},
		{"a constructor that aborts", func(t *testing.T) string {
			return compile(t, "#include <stdlib.h>\n__attribute__((constructor)) static void c(void) { abort(); }")
		}, result.Crashed, "abort"},
		{"a constructor that loops", func(t *testing.T) string {
			return compile(t, "__attribute__((constructor)) static void c(void) { for (volatile int i = 0;; i++); }")
		}, result.Crashed, "no answer to \"hello\" in time"},
		{"wrong bytes", func(t *testing.T) string { return behind(t, wrongBytes) }, result.Incorrect, "the output is wrong from byte 3 on"},
		{"the real one", func(t *testing.T) string { return planted.Installed(t, "openssl") }, result.OK, ""},
	} {
		if testing.Short() && strings.HasSuffix(test.reason, "in time") {
			continue // it takes as long as is waited
		}
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := run(t, native(t, "openssl", test.path(t)))
			status, reason := ended(t, r)
			rows, whole := 0, 0
			for _, info := range r.Trials {
				if info.Subject.Library == "openssl" {
					rows++
				}
				if info.Case == plan.Unopened {
					whole++
				}
			}
			opened := test.status == result.OK || test.status == result.Incorrect
			if opened && whole != 0 || !opened && (whole != 1 || rows != 1) {
				t.Errorf("of %d rows %d stand for the whole library; it was opened: %v", rows, whole, opened)
			}
			if status != test.status || !strings.Contains(reason, test.reason) {
				t.Errorf("%s: %q; want %s: …%s…", status, reason, test.status, test.reason)
			}
		})
	}
}

// TestTwins: one version by two paths is two subjects, compared with each other.
func TestTwins(t *testing.T) {
	real := planted.Installed(t, "openssl")
	r := run(t, native(t, "openssl", real), native(t, "openssl", behind(t, "int nothing;")))
	var versions []string
	for _, trial := range r.Trials {
		if s := trial.Subject; s.Library == "openssl" && !slices.Contains(versions, s.Version) {
			versions = append(versions, s.Version)
		}
	}
	if len(versions) != 2 || versions[1] != versions[0]+"#2" {
		t.Errorf("versions %v", versions)
	}
	found := false
	for _, g := range r.Groups {
		for _, p := range g.Pairs {
			base, other := r.Trials[p.Base].Subject, r.Trials[p.Other].Subject
			found = found || base.Version == versions[0] && other.Version == versions[1]
		}
	}
	if len(r.Statuses) > 0 || !found {
		t.Errorf("statuses %v; the twins are compared: %v", r.Statuses, found)
	}
	var paths []string
	for _, l := range r.Header.Libraries {
		if l.Library == "openssl" && !slices.Contains(paths, l.Path) {
			paths = append(paths, l.Path)
			if len(l.SHA256) != 64 {
				t.Errorf("%s has the digest %q", l.Path, l.SHA256)
			}
		}
	}
	if len(paths) != 2 {
		t.Errorf("the header names the objects %v", paths)
	}
}
