package conformance

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/clock"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// The test binary is its own worker, and CRYPTOGAUGE_PLANT is the fault that it has.
const plantVariable = "CRYPTOGAUGE_PLANT"

func TestMain(m *testing.M) {
	if plant, set := os.LookupEnv(plantVariable); set {
		serve(plant)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// call is what the worker times: about a tenth of a millisecond of CPU time.
func call() [32]byte { return sha256.Sum256(message) }

var message = make([]byte, 256<<10)

// serve speaks the protocol by hand, with a fault planted.
func serve(plant string) {
	runtime.LockOSThread() // whose clock is read
	var output [32]byte
	want := call()
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var q struct {
			ID, Calls int64
			Do        string
			Case      result.Case
		}
		_ = json.Unmarshal(lines.Bytes(), &q)
		answer := answerOf(plant, q.Do, q.Case)
		switch q.Do {
		case "ready":
			output = call()
			answer = `"ready":{"calls":20}`
		case "run":
			answer = sample(plant, q.Calls, &output)
		case "check":
			if answer = `"fault":{"kind":"incorrect","text":"the digest is wrong"}`; output == want || plant == "unjudged" {
				answer = `"block":0`
			}
			output = [32]byte{}
		}
		fmt.Printf("{\"id\":%d,%s}\n", q.ID, answer)
	}
	if plant == "deaf" {
		time.Sleep(time.Hour)
	}
}

// answerOf is what does not depend on what was run.
func answerOf(plant, verb string, c result.Case) string {
	subject := `{"library":"mine","version":"1","call_path":"go"}`
	digest := sha256.Sum256(nil)
	switch {
	case verb == "hello" && plant == "version":
		return `"hello":{"protocol":2}`
	case verb == "hello" && plant == "nobody":
		return `"hello":{"protocol":1}`
	case verb == "hello":
		return `"hello":{"protocol":1,"libraries":[` + subject + `],"subjects":[` + subject + `]}`
	case verb == "probe" && (c.Algorithm != "SHA-256" || plant == "empty"):
		return `"fault":{"kind":"absent","text":"not offered"}`
	case verb == "probe" || verb == "open":
		return `"about":{"digest":"` + hex.EncodeToString(digest[:]) + `"}`
	case verb == "close" || plant == "agreeable":
		return `"block":0`
	}
	return `"fault":{"kind":"failed","text":"there is no such verb"}`
}

// sample does the calls and says how long they took, or what the planted fault says instead.
func sample(plant string, calls int64, output *[32]byte) string {
	switch plant {
	case "crash":
		os.Exit(3)
	case "hang":
		time.Sleep(time.Hour)
	case "garbage":
		fmt.Println("warming up")
	}
	does := calls
	if plant == "once" {
		does = 1
	}
	if plant == "half" {
		does = (calls + 1) / 2
	}
	begun := clock.Read()
	for range does {
		*output = call()
	}
	if plant == "wrong" {
		output[0] ^= 1
	}
	took := clock.Read().Sub(begun)
	wall, thread, process := took.Wall, took.Thread, took.Process
	switch plant {
	case "thread":
		thread = 1000 * calls
	case "process":
		process = 1000 * calls
		thread = process
	case "wall":
		// Of the thread's time, so that a busy machine does not make it one that does not scale.
		wall, thread, process = thread/20, thread/20, thread/20
	}
	return fmt.Sprintf(`"run":[%d,%d,%d,%d,-1,0,0,0,0]`, calls, thread, process, wall)
}

// conformed runs the kit against this binary with a fault.
func conformed(t *testing.T, plant string) []Outcome {
	t.Helper()
	return held(t, worker.Command{Path: os.Args[0], Env: append(os.Environ(), plantVariable+"="+plant)}, 2*time.Second)
}

// held runs the kit against a worker, beside this binary as the laboratory's.
func held(t *testing.T, c worker.Command, deadline time.Duration) (all []Outcome) {
	t.Helper()
	clean := worker.Command{Path: os.Args[0], Env: append(os.Environ(), plantVariable+"=")}
	err := Run(t.Context(), Config{Seed: 7, Deadline: deadline,
		Start: func() (*worker.Process, error) { return worker.Start(c) },
		Own:   func() (*worker.Process, error) { return worker.Start(clean) },
	}, func(o Outcome) { all = append(all, o) })
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func failures(all []Outcome) (lines []string) {
	for _, o := range all {
		if o.Verdict == Failed {
			lines = append(lines, o.Line().EN)
		}
	}
	return lines
}

// TestPlantedFaults: each is found, and named by what is to be seen of it.
func TestPlantedFaults(t *testing.T) {
	for plant, says := range map[string]string{
		"version": "protocol", "nobody": "no subject is named", "empty": "offers no case", "agreeable": "a verb that does not exist",
		"once": "do exactly as many calls", "half": "do exactly as many calls", "wrong": "the digest is wrong", "unjudged": "second check",
		"wall": "monotonic clock", "thread": "thread CPU time", "process": "process CPU time", "crash": "exit status 3", "hang": "run", "garbage": "warming up",
		"deaf": "end of standard input",
	} {
		t.Run(plant, func(t *testing.T) {
			if testing.Short() && plant != "wrong" && plant != "half" {
				t.Skip("another worker, for half a second")
			}
			lines := failures(conformed(t, plant))
			if len(lines) == 0 || !strings.Contains(strings.Join(lines, "\n"), says) {
				t.Errorf("found %q, want one that says %q", lines, says)
			}
		})
	}
}

// TestFaultless: what is wrong in none of its answers passes every check.
func TestFaultless(t *testing.T) {
	all := conformed(t, "")
	if lines := failures(all); len(lines) > 0 || len(all) < 4 {
		t.Errorf("%d checks, failed: %q", len(all), lines)
	}
}
