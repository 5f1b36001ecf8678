package worker

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// TestInProcess takes a trial through a block on a goroutine, and reads what the
// answers say.
func TestInProcess(t *testing.T) {
	p := InProcess(plantedBench)
	defer p.Stop()
	ctx := patient(t)
	hello, err := p.Hello(ctx, provider.Setting{Seed: 7}, -1)
	if err != nil || len(hello.Subjects) != 1 || hello.Subjects[0] != plantSubject || hello.Protocol != Protocol {
		t.Fatalf("%+v, %v", hello, err)
	}
	environed := trial("")
	environed.Subject.Environment = "GOGC=off" // the worker's own, and not the provider's business
	about, err := p.Open(ctx, 5, environed, 0, "")
	if err != nil || about.Loop != "planted" || about.Scenario || len(about.Digest) != 64 {
		t.Fatalf("%+v, %v", about, err)
	}
	const target = 200 * time.Microsecond
	ready, err := p.Ready(ctx, 5, 0, target)
	if err != nil || ready.Calls < 2 || ready.Allocs != 0 || ready.AllocBytes != 0 {
		t.Fatalf("%+v, %v", ready, err)
	}
	if again, err := p.Ready(ctx, 5, ready.Calls, target); err != nil || again.Calls != ready.Calls {
		t.Errorf("with calls: %+v, %v", again, err)
	}
	s, err := p.Run(ctx, 5, ready.Calls)
	if err != nil || s.Calls != ready.Calls || s.Thread <= 0 || s.SpinBefore <= 0 || s.SpinAfter <= 0 {
		t.Errorf("%+v, %v", s, err)
	}
	if err := p.Check(ctx, 5); err != nil {
		t.Error(err)
	}
	if err := p.Check(ctx, 5); err == nil || fault(err).Kind != Incorrect {
		t.Errorf("a check without a run: %v", err)
	}
	if err := p.Close(ctx, 5); err != nil {
		t.Error(err)
	}
}

// TestRefusedByTheFirstCall: what opening could not know is a refusal all the same.
func TestRefusedByTheFirstCall(t *testing.T) {
	p := InProcess(plantedBench)
	defer p.Stop()
	ctx := patient(t)
	if _, err := p.Hello(ctx, provider.Setting{Seed: 7}, -1); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Open(ctx, 5, trial("refuses"), 0, ""); err != nil {
		t.Fatal(err)
	}
	_, err := p.Ready(ctx, 5, 0, 1000)
	if f := fault(err); f == nil || f.Kind != Unsupported || f.Text != "not with this key" {
		t.Errorf("%v", err)
	}
}

func TestRecorder(t *testing.T) {
	p := InProcess(plantedBench)
	defer p.Stop()
	ctx := patient(t)
	if _, err := p.Hello(ctx, provider.Setting{Seed: 7}, -1); err != nil {
		t.Fatal(err)
	}
	tr := trial("")
	tr.Case.Operation = "recorder"
	about, err := p.Open(ctx, 5, tr, 0, "")
	if err != nil || !about.Records || about.Clock != result.WallClock || about.Scenario {
		t.Fatalf("%+v, %v", about, err)
	}
	if _, err := p.Run(ctx, 5, 3); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Run(ctx, 5, 4); err != nil {
		t.Fatal(err)
	}
	rec, err := p.Measure(ctx, 5, 0, 0)
	if err != nil || len(rec.Metrics) != 1 || rec.Metrics[0].Value != 7 {
		t.Errorf("%+v, %v", rec, err)
	}
	if err := p.Check(ctx, 5); err != nil {
		t.Error(err)
	}
}

func TestScenario(t *testing.T) {
	p := InProcess(plantedBench)
	defer p.Stop()
	ctx := patient(t)
	if _, err := p.Hello(ctx, provider.Setting{Seed: 7}, -1); err != nil {
		t.Fatal(err)
	}
	for i, mode := range []string{"", "panics", "fails", "wrong later", "samples"} {
		st := trial(mode)
		st.Case.Operation = "scenario"
		about, err := p.Open(ctx, i, st, 0, "")
		if err != nil || !about.Scenario || about.Loop != "scenario" {
			t.Fatalf("%+v, %v", about, err)
		}
		if _, err := p.Run(ctx, i, 1); err == nil || err.Error() != "can't run 1 calls" {
			t.Errorf("a scenario runs: %v", err)
		}
		if _, err := p.Ready(ctx, i, 1, 1); err == nil || err.Error() != "a scenario is not run by calls" {
			t.Errorf("a scenario is made ready: %v", err)
		}
		rec, err := p.Measure(ctx, i, 1.5, 3)
		switch mode {
		case "panics", "fails":
			if f := fault(err); f == nil || f.Kind != Failed || strings.Contains(f.Text, "\n") {
				t.Errorf("%s: %v", mode, err)
			}
		case "samples":
			if err != nil || len(rec.Samples) != 2 || rec.Samples[0].Calls != 3 || rec.Samples[0].Wall < 1e6 || rec.Samples[0].Thread <= 0 || rec.Samples[0].SpinAfter <= 0 {
				t.Errorf("%s: %+v, %v", mode, rec.Samples, err)
			}
		default:
			if err != nil || len(rec.Metrics) != 2 || rec.Metrics[0].Value != 3 || len(rec.Artifacts) != 1 || len(rec.Artifacts[0].Data) != 1<<18 {
				t.Errorf("%+v, %v", rec.Metrics, err)
			}
		}
		if err := p.Check(ctx, i); (mode == "wrong later") != (err != nil) {
			t.Errorf("%s: %v", mode, err)
		}
		if err := p.Close(ctx, i); err != nil {
			t.Error(err)
		}
	}
}

// TestRequestsThatCantBe speaks to Serve directly: each request is answered, with
// a fault in one line where it makes no sense, and none ends the worker.
func TestRequestsThatCantBe(t *testing.T) {
	subject := `"subject":{"library":"planted","version":"1","call_path":"go"}`
	c := `"case":{"algorithm":"SHA-256","operation":"digest","bytes":64}`
	tests := []struct{ request, says string }{
		{`nonsense`, "does not parse"},
		{`{"id":2,"do":"probe",` + subject + `,` + c + `}`, "this worker has no planted"}, // before hello
		{`{"id":23,"do":"open","handle":1,` + subject + `,` + c + `}`, "this worker has no planted"},
		{`{"id":3,"do":"run","handle":1}`, `no handle 1 for "run"`},
		{`{"id":4,"do":"hello","protocol":99,"cpu":-1}`, "speaks protocol 1, not 99"},
		{`{"id":5,"do":"hello","protocol":1,"cpu":100000}`, ""}, // a CPU that is not there: the samples tell
		{`{"id":6,"do":"probe"}`, "probe needs a subject and a case"},
		{`{"id":7,"do":"open","handle":1,` + subject + `}`, "open needs a subject and a case"},
		{`{"id":8,"do":"open","handle":1,` + strings.Replace(subject, "planted", "other", 1) + `,` + c + `}`, "this worker has no other"},
		{`{"id":18,"do":"open","handle":1,` + strings.Replace(subject, "planted", "refusing", 1) + `,` + c + `}`, "refusing does not know this feature"},
		{`{"id":9,"do":"probe",` + subject + `,` + c + `}`, ""},
		{`{"id":10,"do":"run","handle":0,"calls":1}`, `no handle 0`}, // a probe keeps nothing
		{`{"id":11,"do":"open","handle":1,` + subject + `,` + c + `}`, ""},
		{`{"id":12,"do":"open","handle":1,` + subject + `,` + c + `}`, "handle 1 is in use"},
		// Nothing is opened for it, or the library would be asked first.
		{`{"id":24,"do":"open","handle":1,` + strings.Replace(subject, "planted", "other", 1) + `,` + c + `}`, "handle 1 is in use"},
		{`{"id":13,"do":"dance","handle":1}`, `unknown verb "dance"`},
		{`{"id":14,"do":"dance"}`, `no handle 0 for "dance"`},
		{`{"id":15,"do":"run","handle":1,"calls":0}`, "can't run 0 calls"},
		{`{"id":16,"do":"run","handle":1,"calls":-7}`, "can't run -7 calls"},
		{`{"id":17,"do":"measure","handle":1}`, "an operation is not a scenario"},
		{`{"id":19,"do":"run","handle":1,"calls":2}`, ""},
		{`{"id":20,"do":"check","handle":1}`, ""},
		{`{"id":21,"do":"close","handle":1}`, ""},
		{`{"id":22,"do":"close","handle":1}`, "no handle 1"},
		{``, "does not parse"},
	}
	var in, out bytes.Buffer
	for _, test := range tests {
		fmt.Fprintln(&in, test.request)
	}
	if err := Serve(&in, &out, plantedBench); err != nil {
		t.Fatal(err)
	}
	answers := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(answers) != len(tests) {
		t.Fatalf("%d answers to %d requests", len(answers), len(tests))
	}
	for i, test := range tests {
		var q request
		var r reply
		_ = json.Unmarshal([]byte(test.request), &q)
		if err := json.Unmarshal([]byte(answers[i]), &r); err != nil || r.ID != q.ID {
			t.Errorf("%s: %s, %v", test.request, answers[i], err)
		}
		if (r.Fault == nil) != (test.says == "") || r.Fault != nil && !strings.Contains(r.Fault.Text, test.says) {
			t.Errorf("%s: %s, want %q", test.request, answers[i], test.says)
		}
	}
}

// TestAllocationsAreCounted: of an operation that allocates two objects a call.
func TestAllocationsAreCounted(t *testing.T) {
	s := newServer(t)
	o := &opened{op: &allocating{}}
	r, err := s.ready(o, 0, int64(100*time.Microsecond))
	if err != nil {
		t.Fatal(err)
	}
	if r.Allocs < 2 || r.Allocs > 3 || r.AllocBytes < 1024+2048 || r.AllocBytes > 4096 {
		t.Errorf("%+v, want 2 objects of 3072 bytes", r)
	}
	again, err := s.ready(o, r.Calls, 0) // as in every later block
	if err != nil || again.Allocs != r.Allocs || again.Uncounted {
		t.Errorf("in a later block: %+v, %v", again, err)
	}
	if one, err := s.ready(o, 1, 0); err != nil || !one.Uncounted {
		t.Errorf("of one call, which has run: %+v, %v", one, err)
	}
}

type allocating struct{ a, b []byte }

func (o *allocating) Run(n int) error {
	for range n {
		o.a, o.b = make([]byte, 1024), make([]byte, 2048)
	}
	return nil
}
func (*allocating) Check() error { return nil }
func (*allocating) Close() error { return nil }

// TestPilesAreCleared: what calls pile up is taken away before every sample and every
// warm-up, and an operation that can't do so fails.
func TestPilesAreCleared(t *testing.T) {
	s := newServer(t)
	op := &piling{}
	o := &opened{op: op}
	if _, err := s.ready(o, 3, 0); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := s.timer.sample(o, 5); err != nil || op.pile != 5 {
			t.Errorf("five calls leave a pile of %d: %v", op.pile, err)
		}
	}
	op.stuck = true
	if _, err := s.timer.sample(o, 1); err == nil || fault(err).Kind != Failed || op.pile != 5 {
		t.Errorf("what can't be cleared: %v", err)
	}
}

type piling struct {
	allocating
	pile  int
	stuck bool
}

func (o *piling) Run(n int) error {
	o.pile += n
	return nil
}

func (o *piling) Clear() error {
	if o.stuck {
		return fmt.Errorf("stuck")
	}
	o.pile = 0
	return nil
}

// TestServeEndsWithItsOutput: when nobody reads the answers the worker ends.
func TestServeEndsWithItsOutput(t *testing.T) {
	err := Serve(strings.NewReader(`{"id":1,"do":"hello","protocol":1,"cpu":-1}`+"\n"), closed{}, plantedBench)
	if err == nil || !strings.HasPrefix(err.Error(), "answering: ") {
		t.Errorf("%v", err)
	}
}

type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, fmt.Errorf("broken pipe") }

// FuzzServe: no request makes the worker panic, and each line has its answer.
func FuzzServe(f *testing.F) {
	f.Add(`{"id":1,"do":"hello","protocol":1,"cpu":-1}` + "\n" + `{"id":2,"do":"probe","subject":{},"case":{}}`)
	f.Add(`{"id":1,"do":"close","handle":-1}`)
	f.Add("[]\nnull\n{}")
	f.Fuzz(func(t *testing.T, in string) {
		if strings.Contains(in, "cpu") && !strings.Contains(in, `"cpu":-1`) {
			return // it would pin the fuzzer
		}
		var out bytes.Buffer
		if err := Serve(strings.NewReader(in), &out, func(provider.Setting) Bench { return Bench{Judge: noJudge{}} }); err != nil {
			return // a line longer than any request
		}
		lines := strings.Count(in, "\n")
		if !strings.HasSuffix(in, "\n") && in != "" {
			lines++
		}
		if got := bytes.Count(out.Bytes(), []byte("\n")); got != lines {
			t.Errorf("%d answers to %d lines", got, lines)
		}
	})
}
