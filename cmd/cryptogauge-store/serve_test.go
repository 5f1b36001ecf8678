package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/cryptogauge/cryptogauge/internal/command/scripts"
)

// withServer adds a server of pages to what scripts have:
//
//	serving args…             starts cryptogauge serve; standard output is the address that it prints, standard error what it says till then
//	get PATH [--lang zh] [--token]  asks it for a page; standard output is its status, unless that is 200, and the page
//	wait-for PATH REGEXP      asks until the page matches
//	again                     starts it on the same address, which must be refused with exit code 2
//	served CODE               ends it by SIGTERM, and holds its exit code; standard error is all that it said
func withServer(commands map[string]func(*testscript.TestScript, bool, []string)) map[string]func(*testscript.TestScript, bool, []string) {
	commands["serving"], commands["get"], commands["wait-for"], commands["again"], commands["served"] = serving, get, waitFor, again, served
	return commands
}

// pageServer is one that runs for a script.
type pageServer struct {
	cmd     *exec.Cmd
	address string
	said    string // the file of its standard error: what it has said is there when it says more elsewhere
}

func (s *pageServer) errors(ts *testscript.TestScript) string {
	text, err := os.ReadFile(s.said)
	ts.Check(err)
	return string(text)
}

// pageServers are those of scripts, by their folders.
var pageServers sync.Map

func serving(ts *testscript.TestScript, neg bool, args []string) {
	scripts.Usage(ts, !neg, "serving args...")
	s := &pageServer{cmd: serveProgram(ts, args), said: ts.MkAbs(".said")}
	said, err := os.Create(s.said)
	ts.Check(err)
	defer said.Close()
	out, err := s.cmd.StdoutPipe()
	ts.Check(err)
	s.cmd.Stderr = said
	ts.Check(s.cmd.Start())
	ts.Defer(func() { _ = s.cmd.Process.Kill() }) // which has ended, unless the script failed
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		_ = s.cmd.Wait()
		ts.Fatalf("it says no address: %v\n%s", err, s.errors(ts))
	}
	go io.Copy(io.Discard, out)
	s.address = strings.TrimSpace(line)
	u, err := url.Parse(s.address)
	ts.Check(err)
	s.address = "http://127.0.0.1:" + u.Port() // whatever this machine is called
	pageServers.Store(ts.MkAbs("."), s)
	fmt.Fprint(ts.Stdout(), line)
	fmt.Fprint(ts.Stderr(), s.errors(ts))
}

func serveProgram(ts *testscript.TestScript, args []string) *exec.Cmd {
	cmd := exec.Command(ts.Getenv("PROGRAMS")+"/cryptogauge", append([]string{"serve"}, args...)...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = os.Environ()
	for _, name := range []string{"XDG_DATA_HOME", "XDG_CACHE_HOME", "HOME", "LC_ALL"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	return cmd
}

func theServer(ts *testscript.TestScript) *pageServer {
	of, ok := pageServers.Load(ts.MkAbs("."))
	if !ok {
		ts.Fatalf("nothing is served")
	}
	return of.(*pageServer)
}

func get(ts *testscript.TestScript, neg bool, args []string) {
	scripts.Usage(ts, !neg && len(args) > 0, "get PATH [--lang zh] [--token]")
	fmt.Fprint(ts.Stdout(), page(ts, args))
}

func page(ts *testscript.TestScript, args []string) string {
	r, err := http.NewRequest(http.MethodGet, theServer(ts).address+args[0], nil)
	ts.Check(err)
	for i, arg := range args[1:] {
		switch arg {
		case "--lang":
			r.Header.Set("Accept-Language", args[i+2])
		case "--token":
			token, _, _ := strings.Cut(ts.ReadFile("token"), "\n")
			r.Header.Set("Authorization", "Bearer "+token)
		}
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	ts.Check(err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	ts.Check(err)
	if answer.StatusCode != http.StatusOK {
		return answer.Status + "\n" + string(body)
	}
	return string(body)
}

func waitFor(ts *testscript.TestScript, neg bool, args []string) {
	scripts.Usage(ts, !neg && len(args) == 2, "wait-for PATH REGEXP")
	wanted := regexp.MustCompile(args[1])
	for range 300 {
		if wanted.MatchString(page(ts, args[:1])) {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	ts.Fatalf("the page is not so after half a minute")
}

func again(ts *testscript.TestScript, neg bool, args []string) {
	scripts.Usage(ts, !neg && len(args) == 0, "again")
	at := strings.TrimPrefix(theServer(ts).address, "http://")
	cmd := serveProgram(ts, []string{"--listen", at})
	var said bytes.Buffer
	cmd.Stderr = &said
	_ = cmd.Run() // its exit code is judged
	if code := cmd.ProcessState.ExitCode(); code != 2 {
		ts.Fatalf("exit code %d, want 2", code)
	}
	fmt.Fprint(ts.Stderr(), said.String())
}

func served(ts *testscript.TestScript, neg bool, args []string) {
	scripts.Usage(ts, !neg && len(args) == 1, "served CODE")
	s := theServer(ts)
	ts.Check(s.cmd.Process.Signal(syscall.SIGTERM))
	_ = s.cmd.Wait() // its exit code is judged
	if code := fmt.Sprint(s.cmd.ProcessState.ExitCode()); code != args[0] {
		ts.Fatalf("exit code %s, want %s\n%s", code, args[0], s.errors(ts))
	}
	pageServers.Delete(ts.MkAbs("."))
	fmt.Fprint(ts.Stderr(), s.errors(ts))
}
