package check

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
)

func example() *Baseline {
	allocs := 2.0
	return &Baseline{Schema: SchemaBaseline, Tool: "v1", Made: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), Suite: "quick", Seed: 7,
		Selection: plan.Selection{Short: true},
		identity: identity{Machine: result.Machine{Arch: "amd64", GoVersion: "go1.26.8", CPU: result.CPU{Vendor: "GenuineIntel", Model: "Xeon", Allowed: 2}},
			Libraries: []result.Library{{Library: "go", Version: "go1.26.8"}, {Library: "gmsm", Version: "v0.44.0"}, {Library: "cryptogauge", Version: "abc"}}},
		Runs: []string{"a"}, Passes: 5, Outputs: map[string]string{"SM4-CBC/encrypt/1024/": "00"},
		Trials: []BaselineTrial{{ID: "modes/SM4-CBC/encrypt/64/gmsm@v0.44.0/avx2/go"},
			{ID: "x", Reference: "chain-add", Ratios: []float64{1.5, 1.25}, Tolerance: 0.03, Resolution: 0.05, Allocs: &allocs, AllocBytes: &allocs}}}
}

func TestBaselineFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "b.json")
	if _, err := Load(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("none: %v", err)
	}
	b := example()
	if err := b.Save(path); err != nil {
		t.Fatal(err)
	}
	got, err := Load(path)
	if err != nil || got.find("x") == nil || got.find("x").Ratios[0] != 1.5 || *got.find("x").Allocs != 2 || got.Seed != 7 || got.find("y") != nil {
		t.Fatalf("%+v, %v", got, err)
	}
	whole, _ := os.ReadFile(path)
	bad := map[string]string{
		"cut":      string(whole[:len(whole)/2]),
		"edited":   strings.Replace(string(whole), "1.25", "1.26", 1),
		"longer":   strings.Replace(string(whole), `"seed"`, `"sneed": 1, "seed"`, 1),
		"newer":    strings.Replace(string(whole), "baseline/1", "baseline/9", 1),
		"no JSON":  "hello",
		"empty":    "",
		"a list":   "[]",
		"other":    `{"schema":"cryptogauge.run/1"}`,
		"nothing ": "{}",
	}
	for name, text := range bad {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Load(path)
		if refused := (*ErrBaseline)(nil); !errors.As(err, &refused) || !strings.Contains(err.Error(), "--new-baseline") || strings.Contains(err.Error(), "\n") ||
			!strings.Contains(language.Of(err).ZH, "基线；") && !strings.Contains(language.Of(err).ZH, "--new-baseline 新建") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// earlier is a baseline of a program whose checksum was of what it wrote again of the fields it had read.
const earlier = "testdata/earlier.json"

// TestEarlierBaseline: it is read, and refused where a byte of it is another.
func TestEarlierBaseline(t *testing.T) {
	b, err := Load(earlier)
	if err != nil || b.Tool != "v0.1.0" || b.find("y") == nil || b.Own.Bytes != 7 {
		t.Fatalf("%+v, %v", b, err)
	}
	whole, err := os.ReadFile(earlier)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "b.json")
	written := func(text []byte) error {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Load(path)
		return err
	}
	for i := range whole {
		edited := slices.Clone(whole)
		edited[i] ^= 1
		if refused := (*ErrBaseline)(nil); intact(edited) || i%100 == 0 && !errors.As(written(edited), &refused) {
			t.Errorf("byte %d: %q is read like %q", i, edited[i], whole[i])
		}
	}
	if err := written(append(whole, "{}"...)); err == nil {
		t.Error("what stands behind it is not seen")
	}
	if err := written(bytes.ReplaceAll(whole, []byte("\n"), []byte("\r\n"))); err != nil {
		t.Errorf("other ends of lines: %v", err)
	}
	if err := b.Save(path); err != nil {
		t.Fatal(err)
	}
	if again, _ := os.ReadFile(path); !bytes.Equal(again, whole) {
		t.Errorf("what it holds is written in another way now:\n%s", again)
	}
}

// TestBaselineOfFewerFields: one that was written before a field was there is read, and has nothing in that field.
func TestBaselineOfFewerFields(t *testing.T) {
	whole, err := os.ReadFile(earlier)
	if err != nil {
		t.Fatal(err)
	}
	of := regexp.MustCompile(`"sha256": "[0-9a-f]{64}"`)
	text := of.ReplaceAllString(string(whole), `"sha256": ""`)
	for _, field := range []string{` "passes": 5,`, `   "sockets": 0,`, `  "Total": 0,`, `   "coarse": true`} {
		if strings.Count(text, field+"\n") != 1 {
			t.Fatalf("%s is not one field of it", field)
		}
		text = strings.Replace(text, field+"\n", "", 1)
	}
	text = strings.Replace(text, "\"resolution\": 0.04,\n", "\"resolution\": 0.04\n", 1)
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(text)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "b.json")
	text = strings.Replace(text, `"sha256": ""`, fmt.Sprintf(`"sha256": "%x"`, sha256.Sum256(compact.Bytes())), 1)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	b, err := Load(path)
	if err != nil || b.Passes != 0 || b.Seed != 7 || len(b.Selection.Sizes) != 1 {
		t.Errorf("%+v, %v", b, err)
	}
}

// TestBaselineNames holds the names to those that baselines have: by another, none of them is found.
func TestBaselineNames(t *testing.T) {
	for want, s := range map[string]plan.Selection{
		"quick-amd64-genuineintel-xeon-e1335888-2cpu-5207aa-ca234777.json": {Short: true},
		"quick-amd64-genuineintel-xeon-e1335888-2cpu-2d661d-ca234777.json": {
			Short: true, Algorithms: []string{"SM4"}, Sizes: []int64{64}, Mix: []result.SizeShare{{Bytes: 64, Weight: 0.25}},
			Logins: &result.LoginBudget{},
		},
	} {
		b := example()
		if name := b.identity.file(b.Suite, s); name != want {
			t.Errorf("%+v: %s, want %s: a field that is new needs omitempty", s, name, want)
		}
	}
}

// TestSaveFails leaves the old baseline where it is.
func TestSaveFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "b.json")
	if err := example().Save(path); err != nil {
		t.Fatal(err)
	}
	blocked := filepath.Join(dir, "folder")
	if err := os.MkdirAll(filepath.Join(blocked, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := example().Save(blocked); err == nil {
		t.Error("a folder was replaced")
	}
	if err := example().Save(filepath.Join(dir, "none", "b.json")); err == nil {
		t.Error("saved in a directory that is not there")
	}
	if _, err := Load(path); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestDiffers(t *testing.T) {
	b := example()
	same := b.identity
	if d := b.differs(same, "quick", b.Selection); len(d) > 0 {
		t.Errorf("from itself: %v", d)
	}
	change := func(f func(*identity)) identity {
		id := identity{b.Machine, slices.Clone(b.Libraries), b.Environment, b.Dir, b.Own}
		f(&id)
		return id
	}
	for _, test := range []struct {
		name, says string
		id         identity
		suite      string
		selection  plan.Selection
	}{
		{"CPU", "CPU: Xeon there, EPYC here", change(func(i *identity) { i.Machine.CPU.Model = "EPYC" }), "quick", b.Selection},
		{"CPUs", "machine: ", change(func(i *identity) { i.Machine.CPU.Allowed = 4 }), "quick", b.Selection},
		{"Go", "Go: go1.26.8 there, go1.27 here", change(func(i *identity) { i.Machine.GoVersion = "go1.27" }), "quick", b.Selection},
		{"library", "gmsm: v0.44.0 there, v0.45.0 here", change(func(i *identity) { i.Libraries[1].Version = "v0.45.0" }), "quick", b.Selection},
		{"uninstalled", "gmsm: v0.44.0 there, not installed here", change(func(i *identity) { i.Libraries[1].Version, i.Libraries[1].Missing = "", "gmsm is not installed" }), "quick", b.Selection},
		{"twice", "gmsm: v0.44.0 there, v0.44.0, v0.45.0 here", change(func(i *identity) {
			i.Libraries = append(i.Libraries, result.Library{Library: "gmsm", Version: "v0.45.0"})
		}), "quick", b.Selection},
		{"environment", "it was made without GODEBUG=cpu.aes=off", change(func(i *identity) { i.Environment = []string{"GODEBUG=cpu.aes=off"} }), "quick", b.Selection},
		{"directory", "it was made without --dir /data", change(func(i *identity) { i.Dir = "/data" }), "quick", b.Selection},
		{"sample", "it was made without --sample (SHA-256 0123456789ab…)", change(func(i *identity) {
			i.Own = &result.OwnData{Bytes: 7, SHA256: "0123456789abcdef"}
		}), "quick", b.Selection},
		{"suite", "suite: quick there, modes here", same, "modes", b.Selection},
		{"selection", "selection: ", same, "quick", plan.Selection{Short: true, Libraries: []string{"go"}}},
	} {
		d := b.differs(test.id, test.suite, test.selection)
		if len(d) != 1 || !strings.HasPrefix(d[0].EN, test.says) {
			t.Errorf("%s: %v", test.name, d)
		}
	}
	b.Environment = []string{"GODEBUG=cpu.aes=off", "GOGC=50"}
	for says, here := range map[string][]string{
		"it was made with GOGC=50, and here there is GOGC=200":                {"GODEBUG=cpu.aes=off", "GOGC=200"},
		"it was made with GODEBUG=cpu.aes=off GOGC=50, which is not set here": nil,
		"it was made with GOGC=50, which is not set here":                     {"GODEBUG=cpu.aes=off"},
		"it was made without GOMAXPROCS=1":                                    {"GODEBUG=cpu.aes=off", "GOGC=50", "GOMAXPROCS=1"},
	} {
		d := b.differs(change(func(i *identity) { i.Environment = here }), "quick", b.Selection)
		if len(d) != 1 || d[0].EN != says {
			t.Errorf("%v: %v", here, d)
		}
	}
	b.Environment = nil
	// Libraries that its trials don't name don't matter, nor those that are new here.
	b.Libraries = append(b.Libraries, result.Library{Library: "openssl", Version: "3.0.17"}, result.Library{Library: "botan", Missing: "botan is not installed"})
	for name, here := range map[string]result.Library{
		"upgraded":           {Library: "openssl", Version: "3.0.22"},
		"without its worker": {Library: "openssl", Missing: "cryptogauge-native is not there"},
		"new":                {Library: "libgcrypt", Version: "1.10.1"},
	} {
		if d := b.differs(change(func(i *identity) { i.Libraries = append(i.Libraries[:3:3], here) }), "quick", b.Selection); len(d) > 0 {
			t.Errorf("a library nobody asked, %s: %v", name, d)
		}
	}
	// Our own library's version may change: that is what a developer checks.
	if d := b.differs(change(func(i *identity) { i.Libraries[2].Version = "def" }), "quick", b.Selection); len(d) > 0 {
		t.Errorf("our own library: %v", d)
	}
}

// TestLookup: the baseline of the same versions is found, else the youngest of
// others on this machine, never one of another machine.
func TestLookup(t *testing.T) {
	dir := t.TempDir()
	b := example()
	id := b.identity
	if found, _, err := lookup(dir, id, b.Suite, b.Selection); found != nil || err != nil {
		t.Errorf("in an empty directory: %v, %v", found, err)
	}
	save := func(change func(*Baseline)) {
		o := example()
		change(o)
		if err := o.Save(filepath.Join(dir, o.identity.file(o.Suite, o.Selection))); err != nil {
			t.Fatal(err)
		}
	}
	save(func(o *Baseline) { o.Machine.CPU.Model = "EPYC" })
	if found, _, _ := lookup(dir, id, b.Suite, b.Selection); found != nil {
		t.Error("another machine's was found")
	}
	save(func(o *Baseline) { o.Machine.GoVersion = "go1.24" })
	save(func(o *Baseline) { o.Environment = []string{"GOGC=50"} })
	save(func(o *Baseline) { o.Machine.GoVersion, o.Made = "go1.25", o.Made.Add(time.Hour) })
	if found, _, _ := lookup(dir, id, b.Suite, b.Selection); found == nil || found.Machine.GoVersion != "go1.25" {
		t.Errorf("%+v", found)
	}
	// One that can be compared comes before a younger one that can't: here of fewer libraries.
	save(func(o *Baseline) {
		o.Libraries = append(o.Libraries[:2:2], result.Library{Library: "tjfoc", Version: "v1"})
	})
	if found, _, _ := lookup(dir, id, b.Suite, b.Selection); found == nil || len(found.differs(id, b.Suite, b.Selection)) > 0 {
		t.Errorf("%+v", found)
	}
	save(func(*Baseline) {})
	if found, _, _ := lookup(dir, id, b.Suite, b.Selection); found == nil || found.Machine.GoVersion != "go1.26.8" {
		t.Errorf("%+v", found)
	}
}

// TestNoRegularBaseline: what has no end is not read.
func TestNoRegularBaseline(t *testing.T) {
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Skip("there is no /dev/zero here")
	}
	_, err := Load("/dev/zero")
	if _, ok := errors.AsType[*ErrBaseline](err); !ok {
		t.Errorf("/dev/zero: %v", err)
	}
}
