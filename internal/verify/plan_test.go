package verify

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/plan/plantest"
	"github.com/cryptogauge/cryptogauge/internal/question"
	"github.com/cryptogauge/cryptogauge/internal/statement"
)

// offers are those of all libraries to all experiments.
func offers() (all plan.Offers) {
	for _, e := range question.All() {
		for _, o := range plantest.Offered(e) {
			if !slices.Contains(all, o) {
				all = append(all, o)
			}
		}
	}
	return all
}

// groupsOf are what statements measure.
func groupsOf(t *testing.T, all []statement.Statement) (groups []plan.Group, problems []error) {
	t.Helper()
	p, err := New(all, nil, question.All(), 7)
	if err != nil {
		return nil, unjoin(err)
	}
	o := offers()
	for _, e := range p.Experiments() {
		groups = append(groups, e.Plan(plan.Selection{}, o)...)
	}
	return groups, p.Problems()
}

func unjoin(err error) []error { return err.(interface{ Unwrap() []error }).Unwrap() }

// TestPlans: only the rows are measured that the statements name, the two of a ratio in turns.
func TestPlans(t *testing.T) {
	groups, problems := groupsOf(t, statements(t,
		"{faster: {library: tjfoc, algorithm: SM4, mode: ECB, operation: encrypt, bytes: 1KiB}, than: {library: tjfoc, algorithm: SM4, mode: CBC, operation: encrypt, bytes: 1KiB}}",
		"{row: {library: tjfoc, algorithm: SM4, mode: ECB, operation: encrypt, bytes: 1KiB}, time: ..5us}",
		"{row: {library: go, algorithm: Ed25519, operation: sign}, time: ..5us}",
		"{faster: {library: tjfoc, algorithm: SM4, mode: ECB, operation: encrypt, bytes: 10MiB}, than: {library: tjfoc, algorithm: SM4, mode: CBC, operation: encrypt, bytes: 10MiB}}",
		"{rows: {library: tjfoc, algorithm: SM4, mode: GCM, operation: init+encrypt}, status: incorrect}"))
	if len(problems) > 0 || len(groups) != 3 {
		t.Fatal(problems, groups)
	}
	for i, want := range []struct{ trials, pairs int }{{3, 1}, {2, 1}, {1, 0}} {
		if g := groups[i]; len(g.Trials) < want.trials || i < 2 && len(g.Trials) > want.trials || len(g.Pairs) != want.pairs {
			t.Errorf("%s: %d trials, %d pairs", g.Name, len(g.Trials), len(g.Pairs))
		}
	}
	if Form.Target < time.Millisecond || groups[1].Trials[0].Rounds != 1 {
		t.Errorf("a sample takes %v, of 10 MiB %d in a block", Form.Target, groups[1].Trials[0].Rounds)
	}
	if p := groups[0].Pairs[0]; groups[0].Trials[p.Other].Case.Mode != "ECB" || !p.Headline {
		t.Errorf("%+v", p)
	}
	for _, trial := range groups[2].Trials {
		if trial.Blocks != plan.LeastBlocks {
			t.Errorf("%s is measured in %d blocks", trial.ID(), trial.Blocks)
		}
	}
}

// TestNames: a statement that names nothing or several rows says so, with line and column.
func TestNames(t *testing.T) {
	for body, says := range map[string]string{
		"{row: {library: go, algorithm: SM9, operation: sign}, time: ..1s}":                                                  `f.yaml:2:36: algorithm "SM9" names nothing`,
		"{row: {library: go, algorithm: AES-128, mode: GMC, operation: encrypt}, time: ..1s}":                                `mode "GMC" names nothing; nearest: GCM`,
		"{row: {library: go, algorithm: SM4, mode: GCM, operation: encrypt, bytes: 1KiB}, time: ..1s}":                       `library "go" names nothing; there are: gmsm`,
		"{row: {library: gosm, algorithm: SM4, mode: GCM, operation: encrypt, bytes: 1KiB}, time: ..1s}":                     `library "gosm" names nothing`,
		"{row: {library: go, algorithm: RSA-2048, operation: encrypt}, time: ..1s}":                                          "say which: mode: OAEP-SHA-256, PKCS1v15",
		"{row: {library: openssl, algorithm: AES-128, mode: GCM, operation: encrypt, bytes: 1KiB}, time: ..1s}":              "call_path: cgo, c-loop, purego",
		"{row: {library: go, algorithm: AES-128, mode: GCM, operation: encrypt}, time: ..1s}":                                "bytes: ",
		"{row: {library: go, algorithm: Ed25519, operation: sign, bytes: 1KiB}, time: ..1s}":                                 "leave it out",
		"{same: {library: go, algorithm: Ed25519, operation: sign}, as: {library: go, algorithm: Ed25519, operation: sign}}": "same row",
	} {
		_, problems := groupsOf(t, statements(t, body))
		if len(problems) != 1 || !strings.Contains(problems[0].Error(), says) || !strings.HasPrefix(problems[0].Error(), "f.yaml:2:") {
			t.Errorf("%s: %v, want %q", body, problems, says)
		}
	}
}

// shipped are the statements that ship.
func shipped(t *testing.T) (all []statement.Statement) {
	t.Helper()
	for _, name := range []string{"service.yaml", "published.yaml"} {
		content, err := os.ReadFile("../../statements/" + name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := statement.Read(name, content)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, f.Statements...)
	}
	return all
}

// TestShipped: every statement that ships names its rows where all libraries are there.
func TestShipped(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	for _, name := range []string{"service.yaml", "published.yaml"} {
		content, err := os.ReadFile("../../statements/" + name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := statement.Read(name, content)
		if err != nil {
			t.Fatal(err)
		}
		all := f.Statements
		groups, problems := groupsOf(t, all)
		for _, err := range problems {
			t.Error(err)
		}
		pairs := 0
		for _, g := range groups {
			pairs += len(g.Pairs)
		}
		ratios := 0
		for _, s := range all {
			if s.Kind == statement.Ratio {
				ratios++
			}
		}
		if pairs != ratios {
			t.Errorf("%s: %d of %d ratios are measured", name, pairs, ratios)
		}
	}
}
