package question

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/plan/plantest"
	"github.com/cryptogauge/cryptogauge/internal/question/modes"
	"github.com/cryptogauge/cryptogauge/internal/question/primitives"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

func forAll(t *testing.T, check func(t *testing.T, e plan.Experiment, s plan.Selection, groups []plan.Group)) {
	for _, e := range All() {
		for name, s := range plantest.Selections {
			if len(e.Narrow(s)) == 0 {
				continue // the selection leaves nothing of this experiment
			}
			t.Run(e.Name+"/"+name, func(t *testing.T) {
				groups := e.Plan(s, plantest.Offered(e))
				if len(groups) == 0 {
					t.Fatal("the plan is empty")
				}
				check(t, e, s, groups)
			})
		}
	}
}

func TestPlanIsDeterministic(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	forAll(t, func(t *testing.T, e plan.Experiment, s plan.Selection, groups []plan.Group) {
		for range 20 {
			if again := e.Plan(s, plantest.Offered(e)); !reflect.DeepEqual(groups, again) {
				t.Fatalf("two plans of the same offers differ:\n%v\n%v", groups, again)
			}
		}
	})
}

// The blocks of a form must carry an exact interval for all of its headline
// comparisons at once, whatever sizes were asked for.
func TestBlocksCarryTheHeadlineComparisons(t *testing.T) {
	forAll(t, func(t *testing.T, e plan.Experiment, s plan.Selection, groups []plan.Group) {
		headline := 0
		for _, g := range groups {
			for _, p := range g.Pairs {
				if p.Headline {
					headline++
				}
			}
		}
		blocks := e.Form(s).Config.Blocks
		if headline == 0 && narrowed(s) == nil {
			t.Error("no comparison is a headline: an answer has nothing to stand on")
		} else if need := stat.MinBlocks(stat.FamilyLevel(headline)); need > blocks {
			t.Errorf("%d headline comparisons need %d blocks, the form has %d", headline, need, blocks)
		}
		if s.Short && blocks < 12 {
			t.Errorf("a short form of %d blocks; at least 12", blocks)
		}
	})
}

func TestPairsAreComparable(t *testing.T) {
	forAll(t, func(t *testing.T, _ plan.Experiment, _ plan.Selection, groups []plan.Group) {
		for _, g := range groups {
			seen := map[[2]int]bool{}
			for _, p := range g.Pairs {
				if min(p.Base, p.Other) < 0 || max(p.Base, p.Other) >= len(g.Trials) || p.Base == p.Other {
					t.Fatalf("%s compares %d with %d of %d trials", g.Name, p.Other, p.Base, len(g.Trials))
				}
				if seen[[2]int{p.Base, p.Other}] || seen[[2]int{p.Other, p.Base}] {
					t.Errorf("%s compares %d with %d twice", g.Name, p.Other, p.Base)
				}
				seen[[2]int{p.Base, p.Other}] = true
				base, other := g.Trials[p.Base], g.Trials[p.Other]
				// Of streams, of batches and of one block, rates are compared.
				if base.Case.Bytes != other.Case.Bytes && other.Case.Parameter("batch") == "" && base.Case.Operation != algorithm.Stream && base.Case.Mode != algorithm.OneBlock {
					t.Errorf("%s is compared with %s: sizes differ", other.ID(), base.ID())
				}
				if isHelper(base.Case) != isHelper(other.Case) {
					t.Errorf("%s is compared with %s: only one schedules its key inside the call", other.ID(), base.ID())
				}
				if authenticates(base.Case) != authenticates(other.Case) {
					t.Errorf("%s is compared with %s: only one authenticates", other.ID(), base.ID())
				}
				if base.Case.Operation == algorithm.Exposure || other.Case.Operation == algorithm.Exposure {
					t.Errorf("%s is compared: what a mode shows is no speed", base.ID())
				}
			}
		}
	})
}

func isHelper(c result.Case) bool { return strings.HasPrefix(c.Operation, "init+") }

func authenticates(c result.Case) bool {
	return c.Mode == "GCM" || c.Mode == "CCM" || strings.Contains(c.Mode, "HMAC") || strings.Contains(c.Algorithm, "Poly1305")
}

func TestEveryOfferIsPlannedOnceASize(t *testing.T) {
	for _, e := range All() {
		o := plantest.Offered(e)
		planned := map[result.Trial]int{}
		for _, g := range e.Plan(plan.Selection{}, o) {
			for _, trial := range g.Trials {
				planned[trial.Trial]++
			}
		}
		for trial, times := range planned {
			if times != 1 {
				t.Errorf("%s: %s is planned %d times", e.Name, trial.ID(), times)
			}
		}
		for _, offer := range o {
			if offer.Subject.Library == subject.Harness || offer.Case.Operation == algorithm.Exposure || offer.Case.Parameter("request") != "" ||
				offer.Case.Parameter("load") != "" || offer.Case.Operation == algorithm.Download ||
				slices.Contains([]string{"gc", "bulkhash", "batches", "boundary", "chunking", "offload"}, e.Name) {
				// Cases of many goroutines stand for those that the plan makes of them; see
				// TestGCAsksEveryLibrary, bulkhash_test.go, TestBoundaryPaths, TestChunkingSweeps.
				continue
			}
			for _, size := range e.Full.Sizes {
				c := offer.Case
				c.Bytes = size
				if n, fixed := algorithm.FixedBytes(c.Algorithm, c.Mode, c.Operation); fixed {
					c.Bytes = n
				}
				if c.Operation == algorithm.Derive && c.Bytes > primitives.MostDerived {
					continue
				}
				if e.Name == "modes" && size == 10<<20 && (c.Algorithm != "SM4" || c.Operation != algorithm.Encrypt) {
					continue // the longest are of what the question is about, one way
				}
				if trial := (result.Trial{Subject: offer.Subject, Case: c}); planned[trial] != 1 {
					t.Errorf("%s: %s is not planned", e.Name, trial.ID())
				}
			}
		}
	}
}

// TestSizesAreTakenWhereTheyAreRead: an experiment takes the flag of sizes where these change what it plans, and only there.
func TestSizesAreTakenWhereTheyAreRead(t *testing.T) {
	ids := func(groups []plan.Group) (all []string) {
		for _, g := range groups {
			for _, trial := range g.Trials {
				all = append(all, trial.ID())
			}
		}
		return all
	}
	for _, e := range All() {
		for _, short := range []plan.Selection{{}, {Short: true}} {
			sized := short
			sized.Sizes = []int64{77} // which no form has, and any message can have
			o := plantest.Offered(e)
			read := !slices.Equal(ids(e.Plan(short, o)), ids(e.Plan(sized, o)))
			if takes := e.Takes("sizes", "77"); takes != read {
				t.Errorf("%s, short %v: it takes sizes: %v, and reads them: %v", e.Name, short.Short, takes, read)
			}
			if e.LongestMixed > 0 != e.Takes("sizes", "@sizes.csv") || e.LongestMixed > 0 && !e.Takes("sizes", "") {
				t.Errorf("%s: it does not take the histogram that it replays, or takes one that it doesn't", e.Name)
			}
		}
	}
	if own := plan.Brought(); !own.Takes("sizes", "77") || len(own.Brought(plan.Selection{Sizes: []int64{77}}, []result.Case{{Algorithm: "a", Bytes: 64}})) != 0 {
		t.Error("cases that workers bring are kept by their sizes")
	}
}

// The question that brings most people comes first, established libraries before others.
func TestOrder(t *testing.T) {
	forAll(t, func(t *testing.T, e plan.Experiment, s plan.Selection, groups []plan.Group) {
		if e.Name != "modes" {
			return
		}
		for _, g := range groups {
			last := 0
			for _, trial := range g.Trials {
				rank := slices.Index([]string{"SM4", "AES-128", "AES-256", "ChaCha20-Poly1305", "SM4"}[:4], trial.Case.Algorithm)
				if isHelper(trial.Case) {
					rank = 4 // helpers stand apart, after all that they must not be compared with
				}
				if rank < last {
					t.Fatalf("%s: %s stands after a later algorithm", g.Name, trial.ID())
				}
				last = rank
			}
			if first := g.Trials[0]; len(g.Trials) > 2 && s.Algorithms == nil && strings.HasSuffix(g.Name, " bytes") &&
				!strings.Contains(g.Name, ",") && first.Case.Algorithm != "SM4" {
				t.Errorf("%s begins with %s", g.Name, first.ID())
			}
		}
	})
}

func TestShortFormHoldsWhatItsAnswerNeeds(t *testing.T) {
	e := modes.Experiment()
	asked := map[result.Trial]bool{}
	for _, g := range e.Plan(plan.Selection{Short: true}, plantest.Offered(e)) {
		for _, trial := range g.Trials {
			asked[trial.Trial] = true
		}
	}
	for _, size := range []int64{1 << 10, 64 << 10} {
		for _, s := range []result.Subject{plantest.GMSM, plantest.TJFOC} {
			for _, m := range []string{"ECB", "CBC", "CTR", "GCM"} {
				for _, op := range plan.BothWays {
					trial := result.Trial{Subject: s, Case: result.Case{Algorithm: "SM4", Mode: m, Operation: op, Bytes: size}}
					if !asked[trial] {
						t.Errorf("the short form lacks %s", trial.ID())
					}
				}
			}
		}
		if wrong := (result.Trial{Subject: plantest.Helpers, Case: result.Case{Algorithm: "SM4", Mode: "GCM", Operation: algorithm.InitEncrypt, Bytes: size}}); !asked[wrong] {
			t.Errorf("the short form lacks %s, whose result is wrong", wrong.ID())
		}
	}
}

// TestPrimitivesShort: the short form holds both ends of every headline comparison
// of the full one, and tells a block, a message and a cipher for each apart.
func TestPrimitivesShort(t *testing.T) {
	e := primitives.Experiment()
	headlines := func(s plan.Selection) (ids []string) {
		for _, g := range e.Plan(s, plantest.Offered(e)) {
			for _, p := range g.Pairs {
				if p.Headline {
					ids = append(ids, g.Trials[p.Base].ID()+" ~ "+g.Trials[p.Other].ID())
				}
			}
		}
		return ids
	}
	short, full := headlines(plan.Selection{Short: true}), headlines(plan.Selection{})
	if !slices.Equal(short, full) || len(short) < 14 || len(short) > 20 {
		t.Errorf("%d headline comparisons in the short form, %d in the full one:\n%s\n%s", len(short), len(full), strings.Join(short, "\n"), strings.Join(full, "\n"))
	}
	for _, c := range e.Cases {
		if c.Mode == algorithm.OneBlock && (c.Operation == algorithm.NewEncrypt || c.Operation == algorithm.Schedule) {
			t.Errorf("%s %s is one block and something else", c.Name(), c.Operation)
		}
	}
}

func TestSelectionNarrows(t *testing.T) {
	e := modes.Experiment()
	groups := e.Plan(plan.Selection{Algorithms: []string{"aes-128"}, Modes: []string{"CBC", "cbc+hmac-sha-256"}, Operations: []string{"Encrypt"}, Sizes: []int64{100}}, plantest.Offered(e))
	for _, g := range groups {
		for _, trial := range g.Trials {
			if c := trial.Case; c.Algorithm != "AES-128" || !strings.HasPrefix(c.Mode, "CBC") || c.Operation != "encrypt" || c.Bytes != 100 {
				t.Errorf("%s was not asked for", trial.ID())
			}
		}
	}
	if len(groups) != 1 || len(groups[0].Trials) != 2 {
		t.Errorf("%v; want one group of two trials", groups)
	}
	if groups := e.Plan(plan.Selection{}, nil); len(groups) != 0 {
		t.Errorf("without offers there is a plan: %v", groups)
	}
	if err := (plan.Selection{Algorithms: []string{"sm4"}, Modes: []string{"ctr"}, Operations: []string{"DECRYPT"}}).Validate(All()); err != nil {
		t.Errorf("known words were refused: %v", err)
	}
	for _, s := range []plan.Selection{{Algorithms: []string{"SM5"}}, {Modes: []string{"CBC", "XTS?"}}, {Operations: []string{""}}} {
		if err := s.Validate(All()); err == nil || !strings.HasPrefix(err.Error(), "unknown ") {
			t.Errorf("%v: %v", s, err)
		}
	}
}

func TestFind(t *testing.T) {
	if es, err := Find(nil); err != nil || len(es) != len(All()) {
		t.Errorf("all of them: %d, %v", len(es), err)
	}
	if es, err := Find([]string{"modes", "modes"}); err != nil || len(es) != 1 {
		t.Errorf("one of them, named twice: %d, %v", len(es), err)
	}
	if _, err := Find([]string{"modes", "moods"}); err == nil || !strings.Contains(err.Error(), `"moods"; there are: modes`) {
		t.Errorf("an unknown one: %v", err)
	}
	for typed, want := range map[string]string{"mods": `"mods"; nearest: modes; there are: modes, `, "MODE": "nearest: modes; ", "gmssm": "nearest is the library gmsm: --libraries gmsm"} {
		if _, err := Find([]string{typed}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", typed, err)
		}
	}
	seen := map[string]bool{}
	for _, e := range All() {
		if seen[e.Name] || e.Name == "full" || e.Name == "quick" || strings.ContainsAny(e.Name, "+/ ") || Asked(e.Name).EN == "" || Asked(e.Name).ZH == "" {
			t.Errorf("experiment %q: names are unique, fit into a folder's name, and have a question", e.Name)
		}
		seen[e.Name] = true
	}
}

var update = flag.Bool("update", false, "rewrite the tables of questions in both readmes")

// TestReadme: the readmes list the questions as the reports ask them, in their order.
func TestReadme(t *testing.T) {
	for file, language := range map[string]layout.Lang{
		"../../README.md":       layout.English,
		"../../README.zh-CN.md": layout.Chinese,
	} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var want strings.Builder
		for _, e := range All() {
			fmt.Fprintf(&want, "| %s | `cryptogauge run %s` |\n", Asked(e.Name).In(language), e.Name)
		}
		listed := regexp.MustCompile("(?m)^(\\| .+ \\| `cryptogauge run [a-z]+` \\|\n)+").FindIndex(text)
		if listed == nil {
			t.Fatalf("%s has no table of questions", file)
		}
		if string(text[listed[0]:listed[1]]) == want.String() {
			continue
		}
		if !*update {
			t.Errorf("the table of %s is not that of the questions: go test ./internal/question -update writes it:\n%s", file, &want)
			continue
		}
		text = slices.Concat(text[:listed[0]], []byte(want.String()), text[listed[1]:])
		if err := os.WriteFile(file, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSelf(t *testing.T) {
	offers := plantest.Offered(modes.Experiment())
	noise, empty := plan.Noise(offers)[0], plan.Empties(offers)[0]
	if noise.Kind != result.KindNoise || len(noise.Trials) != 2 || len(noise.Pairs) != 1 {
		t.Fatalf("the A/A pair: %v", noise)
	}
	a, b := noise.Trials[0], noise.Trials[1]
	if a.Trial != b.Trial || a.Worker() == b.Worker() {
		t.Errorf("an A/A pair is one trial in two workers: %v, %v", a, b)
	}
	if empty.Kind != result.KindHarness || len(empty.Pairs) != 0 || len(empty.Trials) != 1 || empty.Trials[0].Case.Mode != "aead" {
		t.Errorf("empty operations: %v", empty)
	}
	for _, trial := range empty.Trials {
		if trial.Subject.Library != subject.Harness || trial.Case.Bytes != 0 {
			t.Errorf("%s is no empty operation", trial.ID())
		}
	}
	if groups := plan.Empties(plan.SelfOffers()); len(groups) != 0 {
		t.Errorf("empty operations of loops that nothing runs in: %v", groups)
	}
}

// TestSubjects: which ways of calling a library beyond Go an experiment asks.
func TestSubjects(t *testing.T) {
	sub := func(library, version, path string) result.Subject {
		return result.Subject{Library: library, Version: version, CallPath: path}
	}
	all := []result.Subject{sub("go", "1", "go"), sub("openssl", "3", "cgo"), sub("openssl", "3", "purego"), sub("openssl", "3", "c-loop"),
		sub("openssl", "4", "cgo"), sub("botan", "", "purego"), sub(subject.Harness, "1", "go"), sub(subject.Harness, "1", "cgo")}
	for _, test := range []struct {
		name string
		e    plan.Experiment
		s    plan.Selection
		want string
	}{
		{"in full", plan.Experiment{}, plan.Selection{}, "go/go openssl/cgo openssl/c-loop openssl/cgo botan/purego harness/go"},
		{"in short", plan.Experiment{}, plan.Selection{Short: true}, "go/go harness/go"},
		{"in short, about libraries beyond Go", plan.Experiment{Beyond: true}, plan.Selection{Short: true}, "go/go openssl/cgo openssl/cgo botan/purego harness/go"},
		{"in short, one named", plan.Experiment{}, plan.Selection{Short: true, Libraries: []string{"OpenSSL"}}, "go/go openssl/cgo openssl/cgo harness/go"},
		{"about the crossing", plan.Experiment{Crossing: true}, plan.Selection{Short: true},
			"go/go openssl/cgo openssl/purego openssl/c-loop openssl/cgo botan/purego harness/go harness/cgo"},
	} {
		var got []string
		for _, s := range test.e.Subjects(test.s, all) {
			got = append(got, s.Library+"/"+s.CallPath)
		}
		if text := strings.Join(got, " "); text != test.want {
			t.Errorf("%s: %s; want %s", test.name, text, test.want)
		}
	}
}

// TestShortFormsLeaveOurAES: the full forms have the engine's AES, last; a short one has it where the user names
// libraries.
func TestShortFormsLeaveOurAES(t *testing.T) {
	onTwoCPUs(t)
	offers, _ := recorded(t)
	ours := func(s result.Subject) bool { return s.Library == "cryptogauge" && s.Implementation == "avx512+vaes" }
	for _, name := range []string{"modes", "primitives", "messages", "streaming", "concurrency", "acceleration"} {
		i := slices.IndexFunc(All(), func(e plan.Experiment) bool { return e.Name == name })
		e := All()[i]
		alone := slices.DeleteFunc(slices.Clone(offers), func(o plan.Offer) bool { return o.Subject.Library != "cryptogauge" })
		for _, form := range []struct {
			s      plan.Selection
			offers plan.Offers
			want   bool
		}{
			{plan.Selection{}, offers, true}, {plan.Selection{Short: true}, offers, false},
			{plan.Selection{Short: true, Libraries: []string{"cryptogauge"}}, alone, name != "messages"}, // which has its choice
		} {
			found := false
			for _, g := range planned(e, form.s, form.offers) {
				for j, x := range g.Trials {
					found = found || ours(x.Subject)
					if ours(x.Subject) && slices.ContainsFunc(g.Trials[j:], func(y plan.Trial) bool {
						return y.Case == x.Case && y.Subject.Library != "cryptogauge" && y.Subject.Environment == ""
					}) {
						t.Errorf("%s: an established library is listed after ours: %s", name, x.ID())
					}
				}
			}
			if found != form.want {
				t.Errorf("%s, %+v: our AES is planned: %v, want %v", name, form.s, found, form.want)
			}
		}
	}
}
