package archive

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/archive/archivetest"
	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/result"
)

// TestTwoWriters: what several file at once is all there, each run once, and nobody fails.
func TestTwoWriters(t *testing.T) {
	engines(t, func(t *testing.T, at Location) {
		const writers, runs = 4, 12
		var paths []string
		for i := range runs {
			paths = append(paths, folder(t, night(i, nil)))
		}
		var wg sync.WaitGroup
		added := make([]int, writers)
		for w := range writers {
			wg.Go(func() {
				a, err := Open(context.Background(), at, Options{Access: Write}) // all of them make the tables
				if err != nil {
					t.Error(err)
					return
				}
				defer a.Close()
				for i := range runs {
					filed, err := a.File(context.Background(), paths[(i+3*w)%runs])
					if err != nil {
						t.Error(err)
					}
					if !filed.Known {
						added[w]++
					}
				}
			})
		}
		wg.Wait()
		total := 0
		for _, n := range added {
			total += n
		}
		if total != runs {
			t.Errorf("%v runs were added, of %d", added, runs)
		}
		whole(t, opened(t, at, Read), runs)
	})
}

// TestMadeByTwo: who makes a store waits until another has done that.
func TestMadeByTwo(t *testing.T) {
	at := Location{Engine: SQLite, Path: filepath.Join(t.TempDir(), "runs.sqlite")}
	other, err := sql.Open("sqlite", "file:"+at.Path+"?_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	tx, err := other.Begin()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if a, err := Open(ctx, at, Options{Access: Write}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("another makes it: %v, %v", a, err)
	}
	time.AfterFunc(50*time.Millisecond, func() { _ = tx.Rollback() })
	opened(t, at, Write)
}

// whole says that a store holds so many runs, each with all that belongs to it, and nothing besides.
func whole(t *testing.T, a *Archive, want int) {
	t.Helper()
	ctx := context.Background()
	runs, total, err := a.Runs(ctx, RunQuery{})
	if err != nil || total != len(runs) || want >= 0 && total != want {
		t.Fatalf("%d runs of %d, want %d: %v", len(runs), total, want, err)
	}
	for _, r := range runs {
		var b bytes.Buffer
		if err := a.Export(ctx, r.ID, &b); err != nil {
			t.Error(err)
		}
		cells, err := a.Cells(ctx, CellQuery{Run: r.ID})
		if err != nil || len(cells) != r.Rows {
			t.Errorf("%d cells of run %s, want %d: %v", len(cells), r.Short(), r.Rows, err)
		}
		pairs, err := a.Comparisons(ctx, r.ID)
		if want := int(bits[!r.Open]); err != nil || len(pairs) != want {
			t.Errorf("%d comparisons of run %s: %v", len(pairs), r.Short(), err)
		}
	}
	for _, question := range []string{
		"SELECT count(*) FROM cells WHERE run NOT IN (SELECT id FROM runs)", "SELECT count(*) FROM cells WHERE id / 1048576 <> run",
		"SELECT count(*) FROM comparisons WHERE id / 1048576 NOT IN (SELECT id FROM runs)", "SELECT count(*) FROM files WHERE run NOT IN (SELECT id FROM runs)",
	} {
		var n int
		if err := a.db.QueryRow(question).Scan(&n); err != nil || n != 0 {
			t.Errorf("%s: %d, %v", question, n, err)
		}
	}
}

const (
	writerPlace = "CRYPTOGAUGE_TEST_WRITER"
	filedPrefix = "filed"
)

// writeOn files runs until it is killed, and says so of each.
func writeOn(place string) int {
	at, err := Parse(place)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	a, err := Open(context.Background(), at, Options{Access: Write})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	for i := 0; ; i += 2 {
		e, f := made(1000*os.Getpid()+i, 200), made(1000*os.Getpid()+i+1, 200)
		for _, e := range []*entry{e, f} {
			e.pairs = []pair{{0, 1, &nothing}}
			e.zstd, _ = pack([]byte("x"))
		}
		if _, err := a.file(context.Background(), []*entry{e, f}); err != nil {
			fmt.Println(err)
			return 1
		}
		fmt.Println(filedPrefix, i)
	}
}

// TestKilled: a writer that is killed at any time leaves whole runs, all that it said were filed, and a store that the
// next one writes on.
func TestKilled(t *testing.T) {
	engines(t, func(t *testing.T, at Location) {
		said := 0
		for kills := range 6 {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), writerPlace+"="+at.String())
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewScanner(out)
			for range kills + 1 {
				if !lines.Scan() || !strings.HasPrefix(lines.Text(), filedPrefix) {
					t.Fatalf("it ended by itself: %s", lines.Text())
				}
				said += 2
			}
			_ = cmd.Process.Signal(syscall.SIGKILL)
			for lines.Scan() { // what it said before the signal came
				said += 2
			}
			_ = cmd.Wait()
			var runs, cells, files, pairs int
			a := opened(t, at, Write)
			err = a.db.QueryRow("SELECT (SELECT count(*) FROM runs), (SELECT count(*) FROM cells), (SELECT count(*) FROM files), (SELECT count(*) FROM comparisons)").
				Scan(&runs, &cells, &files, &pairs)
			if err != nil || runs%2 != 0 || runs < said || runs > said+2*(kills+1) || cells != 200*runs || files != runs || pairs != runs {
				t.Fatalf("%d runs, %d cells, %d files, %d comparisons, and %d runs were told of: %v", runs, cells, files, pairs, said, err)
			}
			a.Close()
		}
	})
}

// TestFullDisk: it is one line, nothing of the run is filed, and what was filed before can be read.
func TestFullDisk(t *testing.T) {
	at := Location{Engine: SQLite, Path: filepath.Join(t.TempDir(), "runs.sqlite")}
	a := opened(t, at, Write)
	if _, err := a.File(context.Background(), folder(t, night(0, nil))); err != nil {
		t.Fatal(err)
	}
	var pages int
	if err := a.db.QueryRow("PRAGMA page_count").Scan(&pages); err != nil {
		t.Fatal(err)
	}
	if _, err := a.db.Exec(fmt.Sprintf("PRAGMA max_page_count = %d", pages)); err != nil {
		t.Fatal(err)
	}
	_, err := a.File(context.Background(), folder(t, night(1, nil)))
	if err == nil || !strings.Contains(err.Error(), "the disk is full") || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v", err)
	}
	whole(t, a, 1)
	if _, err := a.db.Exec("PRAGMA max_page_count = 100000"); err != nil {
		t.Fatal(err)
	}
	if _, err := a.File(context.Background(), folder(t, night(1, nil))); err != nil {
		t.Error("with room again: ", err)
	}
	whole(t, a, 2)
}

// TestDatabaseGone: a database that is stopped, or crashes, while a store is open is one line; when it is back, the same
// store files the same run.
func TestDatabaseGone(t *testing.T) {
	if testing.Short() {
		t.Skip("stops and starts a server")
	}
	server := archivetest.Own(t)
	at, err := Parse(server.Database(t, "bench"))
	if err != nil {
		t.Fatal(err)
	}
	a := opened(t, at, Write)
	for i, stop := range []func(){server.Stop, server.Kill} {
		if _, err := a.File(context.Background(), folder(t, night(2*i, nil))); err != nil {
			t.Fatal(err)
		}
		stop()
		path := folder(t, night(2*i+1, nil))
		_, err := a.File(context.Background(), path)
		if err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("the database is away: %v", err)
		}
		if _, err := Open(context.Background(), at, Options{}); err == nil || !strings.Contains(err.Error(), "not reached") || strings.Contains(err.Error(), "\n") {
			t.Errorf("the database is away: %v", err)
		}
		if err := server.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err = a.File(context.Background(), path); err != nil { // the first may find its connection broken
			_, err = a.File(context.Background(), path)
		}
		if err != nil {
			t.Errorf("the database is back: %v", err)
		}
		whole(t, a, 2*i+2)
	}
}

// TestPassword: it is asked for once where the database wants one and no file has it, and taken from the file.
func TestPassword(t *testing.T) {
	server := archivetest.Own(t)
	server.Database(t, "bench")
	home := t.TempDir()
	t.Setenv("HOME", home)
	at, err := Parse(server.URL(archivetest.Locked, "bench"))
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	if _, err := Open(ctx, at, Options{Access: Write}); err == nil || !strings.Contains(err.Error(), ".pgpass") || strings.Contains(err.Error(), "\n") {
		t.Errorf("nobody to ask: %v", err)
	}
	asked := 0
	ask := func(answer string) func(string) (string, error) {
		return func(of string) (string, error) {
			asked++
			if !strings.HasPrefix(of, archivetest.Locked+"@") || !strings.HasSuffix(of, "/bench") {
				t.Errorf("asked for %q", of)
			}
			return answer, nil
		}
	}
	if _, err := Open(ctx, at, Options{Access: Write, Password: ask("wrong")}); err == nil || asked != 1 {
		t.Errorf("a wrong one: asked %d times, %v", asked, err)
	}
	a, err := Open(ctx, at, Options{Access: Write, Password: ask(archivetest.Password)})
	if err != nil || asked != 2 {
		t.Fatalf("asked %d times, %v", asked, err)
	}
	a.Close()
	file := filepath.Join(home, ".pgpass")
	if err := os.WriteFile(file, []byte("*:*:*:"+archivetest.Locked+":"+archivetest.Password+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(ctx, at, Options{}); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("a file that others may read: %v", err)
	}
	if err := os.Chmod(file, 0o600); err != nil {
		t.Fatal(err)
	}
	if a, err = Open(ctx, at, Options{Password: ask("")}); err != nil || asked != 2 {
		t.Fatalf("asked %d times, %v", asked, err)
	}
	a.Close()
}

// TestNotAllowed: a user who may not use the schema is told so, and not that it is empty; who may read, reads.
func TestNotAllowed(t *testing.T) {
	server := archivetest.Own(t)
	at, err := Parse(server.Database(t, "bench"))
	if err != nil {
		t.Fatal(err)
	}
	opened(t, at, Write)
	server.SQL(t, "bench", "CREATE ROLE guest LOGIN")
	guest, err := Parse(server.URL("guest", "bench"))
	if err != nil {
		t.Fatal(err)
	}
	for _, grant := range []string{"", "GRANT USAGE ON SCHEMA " + schemaName + " TO guest"} {
		if grant != "" {
			server.SQL(t, "bench", grant)
		}
		for _, access := range []Access{Read, Write} {
			_, err := Open(context.Background(), guest, Options{Access: access})
			said(t, err, "the database does not allow it: permission denied for ", "数据库不允许")
		}
	}
	server.SQL(t, "bench", "GRANT SELECT ON ALL TABLES IN SCHEMA "+schemaName+" TO guest")
	a, err := Open(context.Background(), guest, Options{})
	if err != nil {
		t.Fatal(err)
	}
	a.Close()
}

// TestNoDatabase: a server without the database was reached, and is not said to be away.
func TestNoDatabase(t *testing.T) {
	server := archivetest.Own(t)
	for user, want := range map[string][2]string{
		archivetest.Owner:  {`the server has no such database: database "nosuchdb" does not exist`, "服务器上没有该数据库"},
		archivetest.Locked: {"the database does not let this user in: password authentication failed for user", "数据库拒绝该用户登录：口令缺失或错误"},
	} {
		at, err := Parse(server.URL(user, "nosuchdb"))
		if err != nil {
			t.Fatal(err)
		}
		_, err = Open(context.Background(), at, Options{Password: func(string) (string, error) { return "wrong", nil }})
		said(t, err, want[0], want[1])
	}
}

// said holds an error to one line in each language, without the driver's words.
func said(t *testing.T, err error, en, zh string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want %q", en)
		return
	}
	text := language.Of(err)
	for text, want := range map[string]string{text.EN: en, text.ZH: zh} {
		if !strings.Contains(text, want) || strings.Contains(text, "\n") || strings.Contains(text, "failed to connect") {
			t.Errorf("%q, want %q", text, want)
		}
	}
}

// TestSchemas: a store that is newer, older, absent or another's is refused in one line, and left as it was.
func TestSchemas(t *testing.T) {
	engines(t, func(t *testing.T, at Location) {
		ctx := context.Background()
		if _, err := Open(ctx, at, Options{}); !errors.Is(err, ErrNone) {
			t.Errorf("nothing is there: %v", err)
		}
		a := opened(t, at, Write)
		if _, err := a.db.Exec("INSERT INTO " + versionTable + " (version_id, is_applied) VALUES (99, true)"); err != nil {
			t.Fatal(err)
		}
		a.Close()
		for _, access := range []Access{Read, Write} {
			_, err := Open(ctx, at, Options{Access: access})
			if !errors.Is(err, ErrNewer) {
				t.Errorf("newer: %v", err)
			}
			said(t, err, "(schema 99; this program knows ", "（schema 版本 99；本程序支持到 ")
		}
	})
	foreign := Location{Engine: SQLite, Path: filepath.Join(t.TempDir(), "others.sqlite")}
	db, err := os.Create(foreign.Path)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(db, "this is a letter, and longer than the header that a database has; it goes on and on, and has no table at all")
	db.Close()
	before, _ := os.ReadFile(foreign.Path)
	for _, access := range []Access{Read, Write} {
		if _, err := Open(context.Background(), foreign, Options{Access: access}); !errors.Is(err, ErrForeign) {
			t.Errorf("a letter: %v", err)
		}
	}
	if after, _ := os.ReadFile(foreign.Path); !bytes.Equal(before, after) {
		t.Error("the letter was changed")
	}
	if _, err := Open(context.Background(), Location{Engine: SQLite, Path: t.TempDir()}, Options{Access: Write}); err == nil {
		t.Error("a directory is opened")
	}
}

func TestAnotherProgramsDatabase(t *testing.T) {
	at := Location{Engine: SQLite, Path: filepath.Join(t.TempDir(), "places.sqlite")}
	a := opened(t, at, Write)
	if _, err := a.db.Exec("DROP TABLE " + versionTable); err != nil { // what is left could be anybody's
		t.Fatal(err)
	}
	a.Close()
	if _, err := Open(context.Background(), at, Options{Access: Write}); !errors.Is(err, ErrForeign) {
		t.Errorf("%v", err)
	}
}

// TestHostileNames: whatever stands in a run file, both engines take it or the file is refused, and it stays one run.
func TestHostileNames(t *testing.T) {
	names := []string{"a\x00b", "'); DROP TABLE runs; --", "\xff\xfe", strings.Repeat("长", 340), "\u202e\x1b[31m", "%s%d$1?", "line\nline"}
	engines(t, func(t *testing.T, at Location) {
		ctx := context.Background()
		a := opened(t, at, Write)
		for i, name := range names {
			run := night(i, func(f *documenttest.Fixture) {
				h := &f.Run.Header
				h.Title, h.Note, h.Suite, h.Tool = strings.Repeat(name, 100), name, name, name
				h.Machine.Kernel, h.Machine.Product, h.Machine.CPU.Model, h.Machine.Hypervisor = name, name, name, name
				f.Trial(name, result.Case{Algorithm: name, Mode: name, Operation: name, Bytes: 1, Parameters: name},
					result.Subject{Library: name, Version: name, Implementation: name, CallPath: name, Runtime: strings.Repeat(name, 50), Environment: name},
					documenttest.Plan{NS: 10})
			})
			filed, err := a.File(ctx, folder(t, run))
			if err != nil {
				t.Errorf("%q: %v", name, err)
				continue
			}
			if again, err := a.File(ctx, folder(t, run)); err != nil || !again.Known {
				t.Errorf("%q again: %+v, %v", name, again, err)
			}
			if _, read, err := a.Run(ctx, filed.Run.ID); err != nil || len(read.Trials) != 3 {
				t.Errorf("%q: %v", name, err)
			}
		}
		whole(t, a, len(names))
		for _, text := range names {
			if _, _, err := a.Runs(ctx, RunQuery{Text: clean(text), Suite: clean(text)}); err != nil {
				t.Errorf("%q: %v", text, err)
			}
			if _, err := a.History(ctx, Filter{Cases: []string{clean(text)}, Libraries: []string{clean(text)}}); err != nil {
				t.Errorf("%q: %v", text, err)
			}
		}
	})
}
