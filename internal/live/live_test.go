package live

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// places gives a test folders of its own.
func places(t *testing.T) (runtime, cache string) {
	t.Helper()
	runtime, cache = t.TempDir(), t.TempDir()
	t.Setenv("XDG_RUNTIME_DIR", runtime)
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("HOME", cache)
	return runtime, cache
}

func said(text string) func() language.Text {
	return func() language.Text { return language.Same(text) }
}

// TestFollowed: a run is seen from its beginning to its end, and is written once a second at most.
func TestFollowed(t *testing.T) {
	places(t)
	synctest.Test(t, func(t *testing.T) {
		r := Begin("run", "quick", time.Minute)
		if list := Runs(time.Now()); len(list) != 1 || list[0].PID != os.Getpid() || list[0].Suite != "quick" ||
			list[0].Left(time.Now()) != time.Minute {
			t.Fatalf("%+v", list)
		}
		r.At(0.5, func() language.Text { t.Error("asked within a second"); return language.Text{} })
		time.Sleep(10 * time.Second)
		r.At(0.25, said("gmsm"))
		if list := Runs(time.Now()); list[0].Done != 0.25 || list[0].Doing.EN != "gmsm" ||
			list[0].Left(time.Now()) != 30*time.Second {
			t.Errorf("%+v", list)
		}
		r.Next(20 * time.Second)
		if list := Runs(time.Now()); list[0].Done != 0 || list[0].Left(time.Now()) != 20*time.Second {
			t.Errorf("%+v", list)
		}
		r.End()
		if list := Runs(time.Now()); len(list) != 0 {
			t.Errorf("ended, and still there: %+v", list)
		}
	})
}

// TestKilled: what a killed run left counts for nothing, though another process has its number now, and goes with the next run.
func TestKilled(t *testing.T) {
	runtime, _ := places(t)
	Begin("run", "quick", 0)
	left := filepath.Join(runtime, "cryptogauge", strconv.Itoa(os.Getpid())+suffix)
	text, err := os.ReadFile(left)
	if err != nil {
		t.Fatal(err)
	}
	earlier := filepath.Join(filepath.Dir(left), "1"+suffix)
	if born(os.Getpid()) == "" {
		t.Skip("/proc is not mounted")
	}
	other := strings.Replace(string(text), `"born":"`, `"born":"9`, 1)
	for path, content := range map[string]string{left: other, earlier: strings.Replace(string(text), `"pid":`, `"pid":9999999`, 1)} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if list := Runs(time.Now()); len(list) != 0 {
		t.Errorf("%+v", list)
	}
	Begin("check", "modes", 0)
	if list := Runs(time.Now()); len(list) != 1 || list[0].Verb != "check" {
		t.Errorf("%+v", list)
	}
	if _, err := os.Stat(earlier); !os.IsNotExist(err) {
		t.Errorf("what was left is still there: %v", err)
	}
}

// TestOddFiles: whatever lies in the folder, nothing is shown that is no run, and nothing is followed.
func TestOddFiles(t *testing.T) {
	runtime, _ := places(t)
	folder := filepath.Join(runtime, "cryptogauge")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"1": "no JSON", "2": `{"schema":"other/1","pid":2}`, "3": `{"schema":"cryptogauge.live/1","pid":-3}`,
		"4": `{"schema":"cryptogauge.live/1","pid":4}` + strings.Repeat(" ", mostFile), "5": ""} {
		if err := os.WriteFile(filepath.Join(folder, name+suffix), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/dev/zero", filepath.Join(folder, "6"+suffix)); err != nil {
		t.Fatal(err)
	}
	if list := Runs(time.Now()); len(list) != 0 {
		t.Errorf("%+v", list)
	}
}

// TestNowhere: a run that can be written nowhere goes on without.
func TestNowhere(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"XDG_RUNTIME_DIR", "XDG_CACHE_HOME", "HOME"} {
		t.Setenv(name, file)
	}
	r := Begin("run", "quick", 0)
	if r != nil {
		t.Errorf("%+v", r)
	}
	r.At(1, said(""))
	r.Next(0)
	r.End()
	t.Setenv("XDG_CACHE_HOME", t.TempDir()) // where the other place is none
	if r = Begin("run", "quick", 0); r == nil || len(Runs(time.Now())) != 1 {
		t.Error("the cache is a place too")
	}
	r.End()
}

// TestBorn: the name of a program may hold brackets and blanks.
func TestBorn(t *testing.T) {
	if born(os.Getpid()) == "" {
		t.Skip("/proc is not mounted")
	}
	if born(os.Getpid()) == born(1) || born(9999999) != "" {
		t.Error("a process is not told from another")
	}
	text, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Fields(string(text)[strings.LastIndex(string(text), ")"):])[20]; born(os.Getpid()) != want {
		t.Errorf("%s, want %s", born(os.Getpid()), want)
	}
}
