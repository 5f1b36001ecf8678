package offload

import (
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/answer/answertest"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/plan/plantest"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

// TestPlan: a token is set beside Go at one session and at several; without one there is what Go does.
func TestPlan(t *testing.T) {
	signing := result.Case{Algorithm: algorithm.ECDSA256, Operation: algorithm.Sign}
	groups := planCase(signing, []result.Subject{plantest.GoLibrary, plantest.Token}, 2, fewSessions)
	if len(groups) != 1 {
		t.Fatalf("%d groups", len(groups))
	}
	var said []string
	for _, p := range groups[0].Pairs {
		base, other := groups[0].Trials[p.Base], groups[0].Trials[p.Other]
		line := base.Subject.Library + " " + base.Case.Parameters + " / " + other.Subject.Library + " " + other.Case.Parameters
		if p.Headline {
			line += " headline"
		}
		said = append(said, line)
	}
	if got, want := strings.Join(said, "\n"), `go sessions=1 / pkcs11 sessions=1 headline
pkcs11 sessions=1 / pkcs11 sessions=8
go sessions=2 / pkcs11 sessions=8 headline`; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	for _, c := range []struct {
		subjects      []result.Subject
		groups, pairs int
	}{{[]result.Subject{plantest.GoLibrary}, 1, 0}, {[]result.Subject{plantest.Token}, 0, 0}} {
		groups := planCase(signing, c.subjects, 2, allSessions)
		if len(groups) != c.groups || len(groups) > 0 && len(groups[0].Pairs) != c.pairs {
			t.Errorf("%v: %v", c.subjects, groups)
		}
	}
	if n := plantest.Headlines(Experiment().Plan(plan.Selection{}, plantest.Offered(Experiment()))); n != 14 {
		t.Errorf("%d headline comparisons in full", n)
	}
}

// sheet has RSA in Go, and in a token that takes so much of this machine's CPU a call.
type sheet struct{ answertest.Sheet }

func (s *sheet) row(library string, sessions int, wall, cpu float64) string {
	id := s.Time("offload", library, algorithm.RSA2048, algorithm.PSS, algorithm.Sign, parameter.Sessions.Is(sessions), wall)
	low, high := 0.99*cpu, 1.01*cpu
	s.Doc.Rows[len(s.Doc.Rows)-1].Metrics = map[string]document.Metric{
		document.CPUPerCall: {Value: cpu, Low: &low, High: &high, Unit: "ns"}}
	return id
}

func (s *sheet) said(l layout.Lang) string {
	answer.Add(&s.Doc, []answer.Question{Question})
	var said []string
	for _, x := range s.Doc.Layouts {
		said = append(said, x.Line.Text.In(l))
		for _, a := range x.Answers {
			said = append(said, a.Text.In(l))
		}
	}
	return strings.Join(said, "\n")
}

func token(wall, several, cpu float64) *sheet {
	s := &sheet{}
	alone, all := s.row(subject.Go, 1, 1e6, 1e6), s.row(subject.Go, 2, 5e5, 1e6)
	one, many := s.row(subject.PKCS11, 1, wall, cpu), s.row(subject.PKCS11, many, several, cpu)
	s.Times(alone, one, 1e6/wall)
	s.Times(all, many, 5e5/several)
	return s
}

func TestAnswers(t *testing.T) {
	for _, c := range []struct {
		name string
		of   func() *sheet
		want []string
	}{
		{"a device that frees the host", func() *sheet { return token(2e6, 4e5, 5e4) }, []string{
			"Offload RSA-2048-PSS-SHA-256 signing to pkcs11: saves 950 µs CPU per call, up to 2,500 a second.",
			"takes 2.00 times as long as go in process (1.98–2.02); 8 sessions do 2,500 a second, go on 2 CPUs 2,000; " +
				"it saves 950 µs of the host's CPU per call: one CPU from 1,053 a second on, 2.38 at its most.",
		}},
		{"a slow device", func() *sheet { return token(2e7, 2e7, 5e4) }, []string{
			"it saves 950 µs of the host's CPU per call, and 0.048 CPU at its most.",
		}},
		{"software", func() *sheet { return token(2e6, 1e6, 15e5) }, []string{
			"Use pkcs11 for where keys lie, not for speed: RSA-2048-PSS-SHA-256 signing takes 2.00 times as long (1.98–2.02) as go in process.",
			"it costs 500 µs more of the host's CPU per call than in process, so it pays for where the key lies, not for speed.",
		}},
		{"no difference", func() *sheet { return token(2e6, 1e6, 1001e3) }, []string{"whether it saves CPU is inconclusive."}},
		{"no token", func() *sheet {
			s := &sheet{}
			s.row(subject.Go, 1, 1e6, 1e6)
			s.row(subject.Go, 2, 5e5, 1e6)
			return s
		}, []string{"No token was named: give the path of its PKCS#11 module by --library pkcs11=PATH; in process, go does RSA-2048-PSS-SHA-256 signing 2,000 times per second of wall time on 2 CPUs."}},
		{"a token that could not be asked", func() *sheet {
			s := &sheet{}
			s.row(subject.Go, 2, 5e5, 1e6)
			s.Doc.Libraries = []result.Library{{Library: subject.PKCS11, Missing: "token \"lab\" is locked"}}
			return s
		}, []string{"The token could not be asked; in process, go does", "The token could not be asked; go: RSA-2048 signing 2,000 times a second."}},
		{"a token that went away", func() *sheet {
			s := &sheet{}
			s.row(subject.Go, 2, 5e5, 1e6)
			s.row(subject.PKCS11, 1, 5e5, 1e6)
			gone := s.Doc.Rows[1]
			gone.Status, gone.NsPerOp, gone.Cause = result.Unsupported, nil, reason.Cause("pkcs11-returned", "C_Initialize", "CKR_GENERAL_ERROR")
			return s
		}, []string{"The token gave no number (C_Initialize: CKR_GENERAL_ERROR); in process, go does", "The token gave no number (C_Initialize: CKR_GENERAL_ERROR); go: RSA"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			en := c.of().said(layout.English)
			for _, want := range c.want {
				if !strings.Contains(en, want) {
					t.Errorf("%q is not said:\n%s", want, en)
				}
			}
			if zh := c.of().said(layout.Chinese); zh == "" || strings.Contains(zh, " the ") || strings.Contains(zh, "token") {
				t.Errorf("in Chinese:\n%s", zh)
			}
			s := c.of()
			s.said(layout.English)
			answertest.CheckLayout(t, &s.Doc)
		})
	}
}
