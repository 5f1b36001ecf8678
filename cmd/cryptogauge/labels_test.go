package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/library/catalog"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/question"
	"github.com/cryptogauge/cryptogauge/result"
)

// everyOffer is an experiment's cases, offered by every library that could have them,
// one of them in two versions and all that are not Go's by every path.
func everyOffer(e plan.Experiment) (offers plan.Offers) {
	subjects := []result.Subject{
		{Library: "go", Version: "go1.26", CallPath: "go"}, {Library: "xcrypto", Version: "v0", CallPath: "go"},
		{Library: "gmsm", Version: "v0.44.0", CallPath: "go"}, {Library: "tjfoc", Version: "v1.4.1", CallPath: "go"},
		{Library: "tjfoc", Version: "v1.4.1", Implementation: "helpers", CallPath: "go"},
	}
	for _, path := range []string{"cgo", "c-loop"} {
		for _, l := range catalog.Libraries() {
			subjects = append(subjects, result.Subject{Library: l.Name, Version: "1", CallPath: path})
		}
		subjects = append(subjects, result.Subject{Library: "openssl", Version: "2", CallPath: path})
	}
	for _, around := range []string{"ctr-bypass", "final", "oneshot", "coalesced"} {
		subjects = append(subjects, result.Subject{Library: "botan", Version: "1", Implementation: around, CallPath: "cgo"})
	}
	for _, kernel := range []string{"avx512+gfni", "avx2+gfni"} {
		subjects = append(subjects, result.Subject{Library: "cryptogauge", Version: "1", Implementation: kernel, CallPath: "go"})
	}
	if slices.Contains([]string{"service", "password", "startup"}, e.Name) { // each case of one library
		subjects = []result.Subject{subjects[0], subjects[2]}
	}
	for _, s := range subjects {
		for _, c := range e.Cases {
			if couldHave(s, c) {
				offers = append(offers, plan.Offer{Subject: s, Case: c, Loop: "aead"})
			}
		}
	}
	return offers
}

func couldHave(s result.Subject, c result.Case) bool {
	chinese, helped := strings.HasPrefix(c.Algorithm, "SM"), strings.HasPrefix(c.Operation, "init+")
	switch {
	case s.CallPath != "go":
		return !helped && c.Operation != "handshake"
	case s.Implementation == "helpers":
		return helped && chinese
	case helped:
		return false
	case s.Library == "gmsm" || s.Library == "tjfoc":
		return chinese || c.Algorithm == "HMAC-SM3" || strings.HasPrefix(c.Mode, "SM2+")
	case s.Library == "xcrypto":
		return strings.HasPrefix(c.Algorithm, "ChaCha20") || strings.HasPrefix(c.Algorithm, "BLAKE2b")
	case s.Library == "cryptogauge":
		return c.Algorithm == "SM4" && c.Operation != "exposure" || c.Algorithm == "MD5"
	}
	return !chinese
}

// levelRun is a run of a plan in which every call takes as long as every other, or
// every byte: where two lines of a report are equal then, they are of one name.
func levelRun(name string, groups []plan.Group, perByte bool) *result.Run {
	machine := result.Machine{CPU: result.CPU{Online: 2, Allowed: 2}}
	run := &result.Run{Header: result.Header{Schema: result.SchemaRun, Machine: machine}, End: &result.End{Seconds: 1}}
	for i, g := range groups {
		group := result.Group{Index: i, Experiment: name, Name: g.Name, Kind: g.Kind}
		at := len(run.Trials)
		for _, t := range g.Trials {
			info := result.TrialInfo{Index: len(run.Trials), Experiment: name, Trial: t.Trial, Loop: "block"}
			if info.Subject.Implementation == "" {
				info.Subject.Implementation = "unknown"
			}
			group.Trials = append(group.Trials, info.Index)
			run.Trials = append(run.Trials, info)
		}
		for _, p := range g.Pairs {
			p.Base, p.Other = p.Base+at, p.Other+at
			group.Pairs = append(group.Pairs, p)
		}
		run.Groups = append(run.Groups, group)
	}
	for i, t := range run.Trials {
		ns := int64(1e6)
		if perByte {
			ns = 100 * max(t.Case.Bytes, 1)
		}
		for block := range 8 {
			run.Closed = append(run.Closed, result.Closed{Trial: i, Block: block})
			run.Samples = append(run.Samples, result.Sample{Trial: int32(i), Block: int32(block),
				Calls: 1, Thread: ns, Process: ns, Wall: ns, Cycles: -1})
		}
	}
	return run
}

// TestLinesHaveNames: no two lines of a table, no two compared pairs and no two lines
// of a chart of any experiment go by one name, in either language.
func TestLinesHaveNames(t *testing.T) {
	for _, e := range question.All() {
		t.Run(e.Name, func(t *testing.T) {
			for _, short := range []bool{true, false} {
				if testing.Short() && !short {
					continue
				}
				s := plan.Selection{Short: short, Seed: 7}
				if slices.Contains([]string{"modes", "chunking"}, e.Name) && !short {
					s.Algorithms = []string{"SM4"} // as good as all of them, in a second
				}
				if e.Name == "chunking" {
					s.Modes = []string{"CTR"}
				}
				groups := plan.WithVersions(e.Plan(s, e.Asked(s, everyOffer(e))))
				if len(groups) == 0 {
					t.Fatalf("%s: the plan is empty", e.Name)
				}
				for _, perByte := range []bool{false, true} {
					d := document.Build(levelRun(e.Name, groups, perByte))
					question.Answer(d)
					if len(d.Layouts) != 1 {
						t.Fatalf("%s has no layout", e.Name)
					}
					for _, lang := range []layout.Lang{layout.English, layout.Chinese} {
						for _, line := range linesOfOneName(d.Layouts[0], lang) {
							t.Errorf("%s, short %v: %s", e.Name, short, line)
						}
					}
				}
			}
		})
	}
}

func linesOfOneName(l layout.Layout, lang layout.Lang) (same []string) {
	seen := map[string]bool{}
	see := func(where layout.Text, what string) {
		line := where.In(lang) + ": " + what
		if seen[line] {
			same = append(same, line)
		}
		seen[line] = true
	}
	for i, t := range slices.Concat(l.Headline, l.Tables) {
		group, above := "", ""
		for _, r := range t.Rows {
			if name := r.Group.In(lang); name != "" {
				group = name
			}
			line := []string{string(rune('0' + i)), group}
			for _, c := range r.Cells {
				line = append(line, c.Text.In(lang))
			}
			whole := strings.Join(line, " | ")
			if len(r.Cells) > 0 && r.Cells[0].Text == (layout.Text{}) { // the second line of what is named above
				whole = above + " | " + whole
			}
			see(t.Title, whole)
			above = whole
		}
	}
	for _, c := range l.Charts {
		for _, r := range c.Ratios {
			see(c.Title, r.Label.In(lang))
		}
		for _, s := range c.Series {
			see(c.Title, s.Name.In(lang))
		}
	}
	return same
}
