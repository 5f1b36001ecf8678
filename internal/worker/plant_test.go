package worker

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// The test binary is its own worker: it starts itself with these set.
const (
	workerVariable = "CRYPTOGAUGE_TEST_WORKER" // "bench", "taker", "deaf", "fake" or "mute"
	answerVariable = "CRYPTOGAUGE_TEST_ANSWER" // of a fake worker to run; $ stands for the id
	verbVariable   = "CRYPTOGAUGE_TEST_VERB"   // that the fake worker lies about; "run" where not set
)

func TestMain(m *testing.M) {
	switch os.Getenv(workerVariable) {
	case "":
		os.Exit(m.Run())
	case "bench":
		EndWith(os.Stdin, func() { os.Exit(0) })
		if err := Serve(os.Stdin, os.Stdout, plantedBench); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case "taker":
		if err := Serve(os.Stdin, os.Stdout, takingBench); err != nil {
			os.Exit(1)
		}
	case "deaf": // does not heed the end of its input
		fake()
		time.Sleep(time.Hour)
	case "fake":
		fake()
	case "mute": // reads nothing
		time.Sleep(time.Hour)
	}
	os.Exit(0)
}

// fake speaks the protocol by hand, and at one verb says what it was told to say.
func fake() {
	verb := os.Getenv(verbVariable)
	if verb == "" {
		verb = "run"
	}
	answers := map[string]string{
		"hello": fmt.Sprintf(`{"id":$,"hello":{"protocol":1,"libraries":[{"library":"%d"}]}}`, os.Getpid()) + "\n",
		"probe": `{"id":$,"about":{}}` + "\n",
		"open":  `{"id":$,"about":{}}` + "\n",
		"ready": `{"id":$,"ready":{"calls":10}}` + "\n",
		"check": `{"id":$}` + "\n",
		"close": `{"id":$}` + "\n",
	}
	answers[verb] = os.Getenv(answerVariable)
	for sc := bufio.NewScanner(os.Stdin); sc.Scan(); {
		var q request
		_ = json.Unmarshal(sc.Bytes(), &q)
		answer := strings.ReplaceAll(answers[q.Do], "$", strconv.FormatInt(q.ID, 10))
		fmt.Print(strings.TrimSuffix(answer, "EXIT"))
		if strings.HasSuffix(answer, "EXIT") {
			fmt.Fprintln(os.Stderr, "fake: out of answers\nand more")
			os.Exit(3)
		}
		for strings.HasSuffix(answer, "…") {
			fmt.Print(strings.Repeat("x", 1<<20))
		}
	}
}

// plantedBench offers one library, whose case's mode is how it misbehaves.
func plantedBench(provider.Setting) Bench {
	return Bench{
		Judge: noJudge{},
		Libraries: []result.Library{{Library: strconv.Itoa(os.Getpid())}, // so that a test learns whom it speaks to
			{Library: "refusing", Missing: "refusing does not know this feature"}},
		Providers: []provider.Provider{plant{}},
	}
}

type noJudge struct{}

func (noJudge) Prove(result.Case, string) error { return nil }
func (noJudge) Digest(result.Case) (string, bool) {
	return strings.Repeat("5e", sha256.Size), true
}
func (noJudge) Block(int) {}
func (noJudge) Release()  {}

type plant struct{}

var plantSubject = result.Subject{Library: "planted", Version: "1", CallPath: "go"}

func (plant) Subject() result.Subject { return plantSubject }

func (plant) Open(c result.Case) (provider.Operation, error) {
	switch c.Mode {
	case "panic in Open":
		panic("planted\nin two lines")
	case "absent":
		return nil, provider.Absent("foreign", "planted has no such thing")
	case "unsupported":
		return nil, provider.Unsupported("foreign", "not on this CPU")
	case "error in Open":
		return nil, errors.Join(errors.New("one"), errors.New("two"))
	case "exit in Open":
		os.Exit(4)
	}
	message := make([]byte, 64)
	o := &planted{mode: c.Mode, message: message, want: sha256.Sum256(message)}
	if c.Operation == "recorder" {
		return &recorder{planted: o}, nil
	}
	return o, nil
}

// recorder counts its calls, and is timed on the wall clock.
type recorder struct {
	*planted
	calls int
}

func (o *recorder) Clock() result.Clock { return result.WallClock }

func (o *recorder) Run(n int) error {
	o.calls += n
	return o.planted.Run(n)
}

func (o *recorder) Record() (result.Record, error) {
	r := result.Record{Metrics: []result.Metric{{Name: "calls", Value: float64(o.calls), Unit: "1"}}}
	o.calls = 0
	return r, nil
}

// OpenScenario makes a scenario of cases that ask for one.
func (plant) OpenScenario(c result.Case) (provider.Scenario, error) {
	switch c.Operation {
	case "scenario":
	case "recorder":
		return nil, provider.ErrAbsent
	default:
		return nil, provider.Absent("foreign", "no scenario")
	}
	return scenario{c.Mode}, nil
}

type planted struct {
	mode    string
	message []byte
	want    [32]byte
	got     [32]byte
	checks  int
}

func (o *planted) Run(n int) error {
	if f, there := misbehaviour[o.mode]; there {
		if err := f(); err != nil {
			return err
		}
	}
	for range n {
		o.got = sha256.Sum256(o.message)
	}
	switch {
	case o.mode == "does nothing":
		o.got = [32]byte{}
	case o.mode == "wrong later" && o.checks > 0:
		o.got[31] ^= 1
	}
	return nil
}

var misbehaviour = map[string]func() error{
	"exits":         func() error { os.Exit(3); return nil },
	"exits happily": func() error { os.Exit(0); return nil },
	"panics":        func() error { panic(fmt.Errorf("planted\nin two lines")) },
	"panics elsewhere": func() error {
		go panic("planted in a goroutine")
		select {}
	},
	"sleeps":         func() error { select {} },
	"spins":          func() error { spin(); return nil },
	"fails":          func() error { return errors.New("planted error") },
	"refuses":        func() error { return provider.Unsupported("foreign", "not with this key") },
	"prints garbage": func() error { fmt.Println("INFO: planted library initialised"); return nil },
	"prints half":    func() error { fmt.Print(`{"id":4,"run":[1,2`); os.Exit(3); return nil },
	"leaves a child": func() error { return leaveChild(3) },
}

func spin() {
	for i := 0; ; i++ {
		if i < 0 {
			i = 0
		}
	}
}

// leaveChild starts a process that holds this one's standard output and error,
// and then dies.
func leaveChild(code int) error {
	cmd := exec.Command("sleep", "300")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "child %d\n", cmd.Process.Pid)
	os.Exit(code)
	return nil
}

func (o *planted) Check() error {
	o.checks++
	right := o.got == o.want
	o.got = [32]byte{}
	if !right {
		return errors.New("the output is wrong:\nhere and there")
	}
	return nil
}

func (o *planted) Close() error { return nil }
func (o *planted) Loop() string { return "planted" }

type scenario struct{ mode string }

func (s scenario) Measure(_ context.Context, b provider.Budget) (result.Record, error) {
	if f, there := misbehaviour[s.mode]; there {
		if err := f(); err != nil {
			return result.Record{}, err
		}
	}
	var samples []result.Sample
	if s.mode == "samples" {
		one, err := b.Sample(func() (int64, error) { time.Sleep(time.Millisecond); return 3, nil })
		if _, failed := b.Sample(func() (int64, error) { return 0, errors.New("planted") }); err != nil || failed == nil || b.Room() < 0 {
			return result.Record{}, fmt.Errorf("lent: %v, %v", err, failed)
		}
		samples = append(samples, one, one)
	}
	return result.Record{
		Samples:   samples,
		Metrics:   []result.Metric{{Name: "block", Value: float64(b.Block), Unit: "1"}, {Name: "s", Value: b.Seconds, Unit: "s"}},
		Artifacts: []result.Artifact{{Name: "a", MediaType: "text/plain", Data: []byte(hex.EncodeToString(make([]byte, 1<<17)))}},
	}, nil
}
func (s scenario) Check() error {
	if s.mode == "wrong later" {
		return errors.New("the picture is wrong")
	}
	return nil
}
func (scenario) Close() error { return nil }
