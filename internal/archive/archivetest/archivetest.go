//go:build unix

// Package archivetest starts a PostgreSQL server for tests: one of the test program's own, in a folder of its own, on a
// socket that nobody else reaches, which ends with the tests.
//
//	func TestMain(m *testing.M) { os.Exit(archivetest.Main(m)) }
package archivetest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Owner may do all, and needs no password; Locked needs Password, and owns the schema of every database.
const (
	Owner    = "cryptogauge"
	Locked   = "locked"
	Password = "correct horse battery staple" // of a server that exists for a test
)

// Server is a PostgreSQL server. It takes nothing from the network.
type Server struct {
	dir     string // its folder: data/, and the socket
	bin     string // of its programs
	process *exec.Cmd
	ended   chan error
}

var (
	mu        sync.Mutex
	shared    *Server
	databases int
)

// Main runs tests and ends the server that they share.
func Main(m *testing.M) int {
	code := m.Run()
	mu.Lock()
	defer mu.Unlock()
	if shared != nil {
		shared.Remove()
	}
	return code
}

// Database gives the URL of a new, empty database on the server that all tests of the program share. Where PostgreSQL
// is not installed the test is skipped; with CI=true it fails.
func Database(t testing.TB) string {
	t.Helper()
	mu.Lock()
	defer mu.Unlock()
	if shared == nil {
		shared = start(t)
	}
	databases++
	return shared.Database(t, fmt.Sprintf("test%d", databases))
}

// Own starts a server for one test, which may stop it.
func Own(t testing.TB) *Server {
	t.Helper()
	s := start(t)
	t.Cleanup(s.Remove)
	return s
}

// Database makes a database and gives its URL.
func (s *Server) Database(t testing.TB, name string) string {
	t.Helper()
	s.SQL(t, "postgres", "CREATE DATABASE "+name)
	return s.URL(Owner, name)
}

// URL is that of a database for a user.
func (s *Server) URL(user, database string) string {
	return "postgres:///" + database + "?" + url.Values{"host": {s.dir}, "user": {user}}.Encode()
}

// SQL runs statements on a database.
func (s *Server) SQL(t testing.TB, database, statements string) {
	t.Helper()
	ctx := context.Background()
	c, err := pgx.Connect(ctx, s.URL(Owner, database))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(ctx)
	if _, err := c.Exec(ctx, statements); err != nil {
		t.Fatalf("%s: %v", statements, err)
	}
}

func start(t testing.TB) *Server {
	t.Helper()
	bin := programs()
	switch {
	case testing.Short():
		t.Skip("starts PostgreSQL")
	case bin == "" && os.Getenv("CI") == "true":
		t.Fatal("PostgreSQL is not installed (Debian: postgresql)")
	case bin == "":
		t.Skip("PostgreSQL is not installed (Debian: postgresql)")
	}
	dir, err := os.MkdirTemp("", "pg") // short: a socket's path has 107 bytes at most
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{dir: dir, bin: bin}
	if err := s.make(); err != nil {
		s.Remove()
		t.Fatal(err)
	}
	s.SQL(t, "postgres", fmt.Sprintf("CREATE ROLE %s LOGIN SUPERUSER PASSWORD '%s'", Locked, Password))
	return s
}

// Installed says whether PostgreSQL is here, as it must be where CI is true.
func Installed() bool { return programs() != "" || os.Getenv("CI") == "true" }

// programs is the folder of initdb; "" where it is not installed.
func programs() string {
	if path, err := exec.LookPath("initdb"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			return filepath.Dir(path)
		}
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // Debian keeps several versions side by side
	if len(found) == 0 {
		return ""
	}
	return filepath.Dir(found[len(found)-1])
}

func (s *Server) make() error {
	if uid, gid := user(); uid >= 0 {
		if err := os.Chown(s.dir, uid, gid); err != nil {
			return err
		}
	}
	init := s.command("initdb", "-D", filepath.Join(s.dir, "data"), "-U", Owner, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
	if out, err := init.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	access := "local all " + Locked + " scram-sha-256\nlocal all all trust\n"
	if err := os.WriteFile(filepath.Join(s.dir, "data", "pg_hba.conf"), []byte(access), 0o600); err != nil {
		return err
	}
	return s.Start()
}

// Start starts the server and waits for it.
func (s *Server) Start() error {
	s.process = s.command("postgres", "-D", filepath.Join(s.dir, "data"), "-k", s.dir, "-c", "listen_addresses=", "-c", "logging_collector=off")
	log, err := os.Create(filepath.Join(s.dir, "log"))
	if err != nil {
		return err
	}
	defer log.Close()
	s.process.Stdout, s.process.Stderr = log, log
	if err := s.process.Start(); err != nil {
		return err
	}
	s.ended = make(chan error, 1)
	go func() { s.ended <- s.process.Wait() }()
	for {
		// Its last line is what pg_ctl waits for too.
		if said, _ := os.ReadFile(filepath.Join(s.dir, "data", "postmaster.pid")); strings.HasSuffix(strings.TrimSpace(string(said)), "ready") {
			return nil
		}
		select {
		case err := <-s.ended:
			said, _ := os.ReadFile(filepath.Join(s.dir, "log"))
			return fmt.Errorf("the server ended: %w\n%s", err, said)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Stop ends the server at once, whoever is connected.
func (s *Server) Stop() { s.signal(syscall.SIGINT) }

// Kill ends the server as a crash of the machine does: no process of it does anything more.
func (s *Server) Kill() { s.signal(syscall.SIGQUIT) }

func (s *Server) signal(signal os.Signal) {
	if s.process == nil {
		return
	}
	_ = s.process.Process.Signal(signal)
	<-s.ended
	s.process = nil
}

// Remove ends the server and removes its folder.
func (s *Server) Remove() {
	s.signal(syscall.SIGQUIT)
	_ = os.RemoveAll(s.dir)
}

// command is a program of the server, which refuses to be run by root.
func (s *Server) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(s.bin, name), args...)
	cmd.Dir, cmd.Env = s.dir, append(os.Environ(), "LC_ALL=C", "TZ=UTC")
	cmd.SysProcAttr = attached()
	if uid, gid := user(); uid >= 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
	return cmd
}

// user is whom the server runs as where the tests are root's: nobody; else -1, who runs the tests.
func user() (uid, gid int) {
	if os.Getuid() != 0 {
		return -1, -1
	}
	out, err := exec.Command("id", "-u", "nobody").Output()
	group, errGroup := exec.Command("id", "-g", "nobody").Output()
	if errors.Join(err, errGroup) != nil {
		return -1, -1
	}
	uid, err = strconv.Atoi(strings.TrimSpace(string(out)))
	gid, errGroup = strconv.Atoi(strings.TrimSpace(string(group)))
	if errors.Join(err, errGroup) != nil {
		return -1, -1
	}
	return uid, gid
}
