package main

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/treesum/digest"
	"github.com/cryptogauge/cryptogauge/internal/treesum/objects"
	"github.com/cryptogauge/cryptogauge/internal/treesum/s3"
	"github.com/cryptogauge/cryptogauge/internal/treesum/s3/s3test"
	"github.com/cryptogauge/cryptogauge/internal/treesum/sums"
	"github.com/cryptogauge/cryptogauge/internal/treesum/treehash"
)

// asProgram has the test binary be the program.
const asProgram = "CRYPTOGAUGE_BEAM_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// program is the program, with arguments, in an environment.
func program(t *testing.T, env []string, args ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Env = append(append(os.Environ(), asProgram+"=1"), env...)
	cmd.Stdout, cmd.Stderr = &out, &out
	return cmd, &out
}

// A worker is killed in the middle, with the program that it is in. Done again, the parts are what they would have
// been, and nothing of what it left is taken for one.
func TestKilled(t *testing.T) {
	t.Chdir(t.TempDir())
	const bucket, n = "planted", 2000
	server, err := s3test.Start(bucket)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	for i := range n {
		if err := server.Put(bucket, fmt.Sprintf("data/%04d", i), bytes.Repeat([]byte{byte(i)}, i)); err != nil {
			t.Fatal(err)
		}
	}
	reached := make(chan struct{})
	var reads atomic.Int64
	server.Break(func(w http.ResponseWriter, r *http.Request, store http.Handler) {
		if s3test.IsRead(r) && reads.Add(1) == n/2 {
			close(reached)
		}
		if reads.Load() >= n/2 {
			<-r.Context().Done()
			return
		}
		store.ServeHTTP(w, r)
	})
	args := []string{"--algorithm", "md5", "--shards", "3", "--output", "parts", "s3://planted/data/"}
	killed, out := program(t, server.Environment(), args...)
	if err := killed.Start(); err != nil {
		t.Fatal(err)
	}
	<-reached
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = killed.Wait()
	if status, ok := killed.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
		t.Fatalf("%v\n%s", killed.ProcessState, out)
	}
	server.Break(nil)
	again, out := program(t, server.Environment(), args...)
	if err := again.Run(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if strings.Contains(out.String(), s3test.SecretKey) || strings.Contains(out.String(), s3test.AccessKey) {
		t.Error("there is a credential in what is logged")
	}
	parts, err := filepath.Glob("parts/part-*-of-00003")
	if err != nil || len(parts) != 3 {
		t.Fatal(parts, err)
	}
	var got bytes.Buffer
	if _, err := sums.Merge(t.Context(), sums.Merging{Parts: parts, Out: &got, Say: func(language.Text) {}}); err != nil {
		t.Fatal(err)
	}
	if want := plain(t, server); got.String() != want || strings.Count(want, "\n") != n {
		t.Errorf("%d bytes, want %d", got.Len(), len(want))
	}
}

// plain is the manifest that one run makes.
func plain(t *testing.T, server *s3test.Server) string {
	t.Helper()
	for _, pair := range server.Environment() {
		name, value, _ := strings.Cut(pair, "=")
		t.Setenv(name, value)
	}
	client, err := s3.Open(os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	a, err := digest.Named("md5", 0)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	_, err = sums.Make(t.Context(), sums.Making{Algorithm: a, Source: treehash.Paths([]string{"s3://planted/data/"}, treehash.Leave),
		Objects: objects.New(client), Out: &out, Say: func(language.Text) {}})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// A mistake is one line, and exit code 2.
func TestMistakes(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--output", "parts"}, "beam: name the files, folders and objects to hash\n"},
		{[]string{"a"}, "beam: --output: name the folder for the parts, or s3://bucket/prefix/\n"},
		{[]string{"--algorithm", "md4", "--output", "parts", "a"}, `beam: "md4": there is no such algorithm; take one of `},
		{[]string{"--shards", "0", "--output", "parts", "a"}, "beam: --shards 0: there are 1 to 65536\n"},
		{[]string{"--output", "parts", "s3://AKIA:secret@bucket/"}, "beam: a name is s3://bucket/key, without credentials\n"},
		{[]string{"--output", "parts", "file://elsewhere"}, `beam: "file://elsewhere": the URL of a file is file:///path` + "\n"},
	} {
		cmd, out := program(t, []string{"LC_ALL=C"}, c.args...)
		err := cmd.Run()
		if cmd.ProcessState.ExitCode() != exitUsage || !strings.HasPrefix(out.String(), c.want) || strings.Count(out.String(), "\n") != 1 || strings.Contains(out.String(), "secret") {
			t.Errorf("%q: %v, %q", c.args, err, out)
		}
		if left, _ := filepath.Glob("*"); left != nil {
			t.Errorf("%q: left %q", c.args, left)
		}
	}
}

// Arguments stand for paths and names of objects.
func TestNamed(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a1", "a2", "b c"} {
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	got, err := named([]string{"a*", "file://" + here + "/b%20c", "s3://bucket/*", "gone*"})
	want := []string{"a1", "a2", here + "/b c", "s3://bucket/*", "gone*"}
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}
