package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/result"
)

var begun = time.Date(2026, 11, 20, 12, 33, 0, 999, time.FixedZone("CET", 3600))

func create(t *testing.T, dir string) Folder {
	t.Helper()
	f, err := Create(dir, "quick", begun)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestFolderIsNamedByTimeAndSuite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "as well")
	for i, want := range []string{"20261120T113300Z-quick", "20261120T113300Z-quick-2", "20261120T113300Z-quick-3"} {
		if f := create(t, dir); f.Path != filepath.Join(dir, want) {
			t.Errorf("folder %d of one second is %s, want %s", i, f.Path, want)
		}
	}
}

func TestRunsAtOnceGetFoldersOfTheirOwn(t *testing.T) {
	dir, paths := t.TempDir(), sync.Map{}
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			f, err := Create(dir, "quick", begun)
			if err != nil {
				t.Error(err)
			}
			if _, twice := paths.LoadOrStore(f.Path, true); twice {
				t.Errorf("%s was given to two runs", f.Path)
			}
		})
	}
	wg.Wait()
}

func TestCreateRefusesWhatIsInTheWay(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("kept"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, filepath.Join(file, "below"), ""} {
		if f, err := Create(dir, "quick", begun); err == nil {
			t.Errorf("Create(%q) made %s", dir, f.Path)
		}
	}
	if _, err := Create(t.TempDir(), "no/such", begun); err == nil || errors.Is(err, fs.ErrExist) {
		t.Errorf("a name that holds a folder: %v", err)
	}
	if data, _ := os.ReadFile(file); string(data) != "kept" {
		t.Errorf("the file in the way now holds %q", data)
	}
}

func TestNothingIsOverwritten(t *testing.T) {
	f := create(t, t.TempDir())
	w, err := f.CreateRun()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.WriteString("samples"); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := f.CreateRun(); !errors.Is(err, fs.ErrExist) {
		t.Errorf("creating the run file again: %v", err)
	}
	for _, name := range []string{RunFile, "report.html"} {
		_, _ = f.WriteReport("report.html", say("first"))
		if _, err := f.WriteReport(name, say("second")); !errors.Is(err, fs.ErrExist) {
			t.Errorf("writing %s again: %v", name, err)
		}
	}
	for name, want := range map[string]string{RunFile: "samples", "report.html": "first"} {
		if got, _ := os.ReadFile(filepath.Join(f.Path, name)); string(got) != want {
			t.Errorf("%s holds %q, want %q", name, got, want)
		}
	}
	onlyHolds(t, f, "report.html", RunFile)
}

func say(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

func onlyHolds(t *testing.T, f Folder, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(f.Path)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if fmt.Sprint(names) != fmt.Sprint(want) {
		t.Errorf("the folder holds %v, want %v", names, want)
	}
}

func TestReportIsWholeOrNotThere(t *testing.T) {
	f := create(t, t.TempDir())
	broken := errors.New("no more ink")
	_, err := f.WriteReport("report.html", func(w io.Writer) error {
		_, _ = io.WriteString(w, "<html>")
		return broken
	})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "report.html") {
		t.Errorf("error %v", err)
	}
	onlyHolds(t, f)

	path, err := f.WriteReport("report.html", say("<html></html>"))
	if err != nil || path != filepath.Join(f.Path, "report.html") {
		t.Fatalf("%s, %v", path, err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm()&0o444 != 0o444 || info.Size() != 13 {
		t.Errorf("the report is %v, %v; everyone may read it", info, err)
	}

	gone := Folder{filepath.Join(t.TempDir(), "gone")}
	if _, err := gone.WriteReport("report.html", say("")); err == nil {
		t.Error("wrote a report into a folder that is not there")
	}
	if _, err := gone.CreateRun(); err == nil {
		t.Error("created a run file in a folder that is not there")
	}
}

// write puts a run with a trial and one sample into a folder.
func write(t *testing.T, f Folder, seed uint64) {
	t.Helper()
	file, err := f.CreateRun()
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	w, err := result.NewWriter(file, result.Header{Seed: seed})
	if err == nil {
		err = w.Trial(result.TrialInfo{})
	}
	if err == nil {
		err = w.Sample(result.Sample{Calls: 1, Thread: 2, Process: 3, Wall: 4})
	}
	if err == nil {
		err = w.End(result.End{})
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestOpenTakesTheFileOrItsFolder(t *testing.T) {
	f := create(t, t.TempDir())
	write(t, f, 7)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(f.Path, link); err != nil {
		link = f.Path // a platform without links
	}
	for _, path := range []string{f.Path, f.RunPath(), f.Path + string(filepath.Separator), link} {
		run, err := Open(path)
		if err != nil {
			t.Errorf("Open(%s): %v", path, err)
			continue
		}
		if run.Header.Seed != 7 || len(run.Samples) != 1 || run.Partial() {
			t.Errorf("Open(%s): seed %d, %d samples, partial %v", path, run.Header.Seed, len(run.Samples), run.Partial())
		}
	}
}

func TestOpenSaysInOneLineWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := create(t, dir)
	write(t, good, 7)
	text, err := os.ReadFile(good.RunPath())
	if err != nil {
		t.Fatal(err)
	}
	put("folder/run.jsonl/x", "a folder where the file should be")
	for _, c := range []struct {
		path string
		is   error  // where there is one to tell it by
		says string // in the line
	}{
		{filepath.Join(dir, "nowhere"), nil, "there is no run file"},
		{filepath.Join(dir, "folder/run.jsonl/x/y"), nil, "not a directory"},
		{t.TempDir(), nil, "there is no run file"},
		{filepath.Join(dir, "folder"), nil, "is a directory"},
		{put("empty", ""), result.ErrNotRunFile, "no header"},
		{put("note", "hello\n"), result.ErrNotRunFile, ""},
		{put("newer", strings.Replace(string(text), "run/1", "run/2", 1)), result.ErrNewer, "update"},
		{put("damaged", strings.Replace(string(text), `"s":[0`, `"s":[9`, 1)), result.ErrDamaged, "line 3"},
	} {
		run, err := Open(c.path)
		switch {
		case err == nil:
			t.Errorf("Open(%s) read %v", c.path, run)
		case c.is != nil && !errors.Is(err, c.is), !strings.Contains(err.Error(), c.says),
			!strings.Contains(err.Error(), filepath.Base(c.path)), strings.Contains(err.Error(), "\n"):
			t.Errorf("Open(%s): %v; want one line with the path and %q", c.path, err, c.says)
		}
	}
}
