package conformance

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/worker"
)

// Workers in other languages with the same faults. The gate holds them whole to every check, by selftest --worker.

// plants are the faults, each with what is to be seen of it.
var plants = map[string]string{
	"half": "do exactly as many calls", "wrong": "the output is wrong", "unjudged": "second check", "crash": "exit status 3",
	"hang": "run", "garbage": "warming up", "thread": "thread CPU time",
}

// found holds a worker of another language, made with a fault, to the kit, which must find it; and without, when it
// must find none.
func found(t *testing.T, of func(plant string) worker.Command) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	for plant, says := range plants {
		t.Run(plant, func(t *testing.T) {
			if lines := failures(held(t, of(plant), 5*time.Second)); !strings.Contains(strings.Join(lines, "\n"), says) {
				t.Errorf("found %q, want one that says %q", lines, says)
			}
		})
	}
	if all := held(t, of(""), 10*time.Second); len(failures(all)) > 0 || len(all) < 4 {
		t.Errorf("%d checks, failed: %q", len(all), failures(all))
	}
}

// program finds what runs a language; without it the test is skipped, but for the gate's.
func program(t *testing.T, name, install string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	lacking(t, err, install)
	return path
}

// there says likewise that a file must be there.
func there(t *testing.T, path, make string) {
	t.Helper()
	_, err := os.Stat(path)
	lacking(t, err, make)
}

func lacking(t *testing.T, err error, remedy string) {
	t.Helper()
	switch {
	case err != nil && os.Getenv("CI") != "":
		t.Fatalf("%s: %s", err, remedy)
	case err != nil:
		t.Skipf("%s: %s", err, remedy)
	}
}

// pythonFaults are Python that changes the worker before it serves; operation is the class that does the calls.
var pythonFaults = map[string]string{
	"half":     "operation.batch = lambda self, n: batch(self, (n + 1) // 2)",
	"wrong":    "operation.batch = lambda self, n: (batch(self, n), setattr(self, 'output', b''))",
	"unjudged": "operation.check = lambda self: None",
	"crash":    "worker.Worker.run = lambda self, q: os._exit(3)",
	"hang":     "worker.Worker.run = lambda self, q: time.sleep(3600)",
	"garbage":  "operation.batch = lambda self, n: (batch(self, n), print('warming up'))",
	"thread":   "run = worker.Worker.run\nworker.Worker.run = lambda self, q: {'run': [q['calls'], 1000 * q['calls']] + run(self, q)['run'][2:]}",
}

func TestPython(t *testing.T) {
	path := program(t, "python3", "apt-get install python3")
	env := append(os.Environ(), "PYTHONPATH=../../workers/python", "PYTHONDONTWRITEBYTECODE=1")
	found(t, func(plant string) worker.Command {
		lines := []string{"import os, time, worker", "operation = worker.Operation", "batch = operation.batch",
			"worker.LIBRARIES = worker.Hashlib,", "worker.JUDGES = {'MD5': worker.JUDGES['MD5']}",
			"worker.hashes = lambda case, of=worker.hashes: of(case) and case['algorithm'] in worker.JUDGES",
			pythonFaults[plant], "worker.serve(worker.Worker())"}
		return worker.Command{Path: path, Args: []string{"-c", strings.Join(lines, "\n")}, Env: env}
	})
}

func TestJava(t *testing.T) {
	path := program(t, "java", "apt-get install openjdk-17-jdk-headless maven")
	built := filepath.Join("..", "..", "workers", "java", "target")
	there(t, filepath.Join(built, "test-classes"), "make workers")
	classes := []string{filepath.Join(built, "classes"), filepath.Join(built, "test-classes"), filepath.Join(built, "lib", "*")}
	found(t, func(plant string) worker.Command {
		return worker.Command{Path: path, Env: os.Environ(),
			Args: []string{"-cp", strings.Join(classes, string(filepath.ListSeparator)), "cryptogauge.Planted", plant}}
	})
}
