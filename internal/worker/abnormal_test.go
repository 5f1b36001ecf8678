package worker

import (
	"errors"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/abnormal"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// odd does with its input what its case's algorithm says.
type odd struct{ how string }

func (o odd) Run(int) error {
	switch o.how {
	case "refuses":
		return errors.New("no\nwhole blocks")
	case "panics":
		panic("input not full blocks")
	case "counts wrongly":
		return provider.Incorrect("foreign", "it wrote 0 bytes of 17")
	}
	return nil
}

func (o odd) Check() error {
	if o.how == "wrong" {
		return errors.New("wrong from byte 3 on")
	}
	return nil
}

func (odd) Close() error { return nil }

type oddLibrary struct{}

func (oddLibrary) Subject() result.Subject { return plantSubject }

func (oddLibrary) Open(c result.Case) (provider.Operation, error) {
	switch c.Algorithm {
	case "can't be given":
		return nil, provider.Unsupported("foreign", "it takes a number of blocks")
	case "refuses when opened":
		return nil, errors.New("no")
	case "panics when opened":
		panic("no")
	}
	return odd{c.Algorithm}, nil
}

// oddJudge notes what it is to give.
type oddJudge struct {
	noJudge
	given *[]abnormal.Input
}

func (j oddJudge) Abnormal(i abnormal.Input) func() {
	*j.given = append(*j.given, i)
	return func() { *j.given = append(*j.given, abnormal.Input{}) }
}

// TestTrying: what a library does with an abnormal input, which the judge gives while it is tried and no longer.
func TestTrying(t *testing.T) {
	var given []abnormal.Input
	p := InProcess(func(provider.Setting) Bench {
		return Bench{Judge: oddJudge{given: &given}, Libraries: []result.Library{{Library: plantSubject.Library}}, Providers: []provider.Provider{oddLibrary{}}}
	})
	defer p.Stop()
	if _, err := p.Hello(patient(t), provider.Setting{}, -1); err != nil {
		t.Fatal(err)
	}
	const bad = abnormal.WrongTag
	for _, c := range []struct {
		how    string
		change abnormal.Change
		want   abnormal.Outcome
		text   string
	}{
		{"right", "", abnormal.Accepted, ""}, {"wrong", "", abnormal.Wrong, "wrong from byte 3 on"},
		{"right", bad, abnormal.Accepted, ""}, {"wrong", bad, abnormal.Accepted, ""}, // whatever it put out
		{"refuses", "", abnormal.Refused, "no whole blocks"}, {"refuses", bad, abnormal.Refused, "no whole blocks"},
		{"panics", bad, abnormal.Panicked, "the library panicked: input not full blocks"},
		{"counts wrongly", "", abnormal.Wrong, "it wrote 0 bytes of 17"}, {"counts wrongly", bad, abnormal.Refused, "it wrote 0 bytes of 17"},
		{"refuses when opened", "", abnormal.Refused, "no"}, {"panics when opened", "", abnormal.Panicked, "the library panicked: no"},
	} {
		given = nil
		i := abnormal.Input{Case: result.Case{Algorithm: c.how, Operation: "decrypt", Bytes: 64}, Change: c.change}
		tried, err := p.Try(patient(t), plantSubject, i)
		if err != nil || tried.Outcome != c.want || tried.Text != c.text {
			t.Errorf("%s: %+v, %v", c.how, tried, err)
		}
		if len(given) != 2 || given[0] != i || given[1] != (abnormal.Input{}) {
			t.Errorf("%s: the judge gave %+v", c.how, given)
		}
	}
	if _, err := p.Try(patient(t), plantSubject, abnormal.Input{Case: result.Case{Algorithm: "can't be given"}}); err == nil || fault(err).Kind != Unsupported {
		t.Errorf("what can't be given: %v", err)
	}
	old := InProcess(plantedBench)
	defer old.Stop()
	if _, err := old.Hello(patient(t), provider.Setting{}, -1); err != nil {
		t.Fatal(err)
	}
	if _, err := old.Try(patient(t), plantSubject, abnormal.Input{Case: result.Case{Algorithm: "SHA-256"}}); err == nil || fault(err).Kind != Failed {
		t.Errorf("a judge that knows no such inputs: %v", err)
	}
}
