package statement

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/result"
)

func TestRanges(t *testing.T) {
	open := math.Inf(1)
	for text, want := range map[string]Range{
		"1.10..1.20":     {1.1, 1.2, Number},
		"2..":            {2, open, Number},
		"..0.5":          {0, 0.5, Number},
		"5%..10%":        {0.05, 0.1, Share},
		"..100us":        {0, 100e3, Nanoseconds},
		"..100 µs":       {0, 100e3, Nanoseconds},
		"90..110us":      {90e3, 110e3, Nanoseconds},
		"100us .. 2ms":   {100e3, 2e6, Nanoseconds},
		"1s..":           {1e9, open, Nanoseconds},
		"122MB/s..":      {122e6, open, BytesPerSecond},
		"116..128MB/s":   {116e6, 128e6, BytesPerSecond},
		"1MiB/s..":       {1 << 20, open, BytesPerSecond},
		"3000/s..":       {3000, open, PerSecond},
		"..64MiB":        {0, 64 << 20, Bytes},
		"1e3..1.5e3/s":   {1000, 1500, PerSecond},
		"100us..100us":   {100e3, 100e3, Nanoseconds},
		"0.304..0.336us": {304, 336, Nanoseconds},
	} {
		got, err := ParseRange(text)
		if err != nil || math.Abs(got.Low-want.Low) > 1e-9*want.Low || got.High != want.High && math.Abs(got.High-want.High) > 1e-9*want.High || got.Unit != want.Unit {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "..", "5", "100us", "1..2..3", "a..b", "2us..1us", "..1parsec", "-1..2", "1us..2", "1us..2/s", "inf..", "nan..", "0x1..", "1_0..", "..1e999"} {
		if got, err := ParseRange(text); err == nil {
			t.Errorf("%q is read as %+v", text, got)
		}
	}
	if _, err := ParseRange("..5", Nanoseconds); err == nil || !strings.Contains(err.Error(), "..100us") {
		t.Errorf("without a unit: %v", err)
	}
}

// read reads one statement in flow style.
func read(body string) ([]Statement, error) {
	f, err := Read("f.yaml", []byte("statements:\n  - "+body+"\n"))
	return f.Statements, err
}

// good are statements that are read, and bad ones that are not, with what is said of them.
var good = []string{
	`{row: {library: go, algorithm: SHA-256, bytes: 1KiB}, time: ..5us}`,
	`{says: it is fast, source: me, row: {algorithm: SHA-256, bytes: 1024}, rate: 100MB/s..}`,
	`{row: {algorithm: Ed25519, operation: sign}, rate: 1000/s.., time: ..1ms}`,
	`{row: {algorithm: goroutine}, metrics: {memory_peak_bytes: ..64MiB}}`,
	`{row: {algorithm: AES-128, mode: GCM}, at: 10000/s, latency_p99: ..1ms}`,
	`{rows: {library: gmsm}, status: ok}`,
	`{faster: {mode: ECB}, than: {mode: CBC}, by: 1.10..1.20}`,
	`{slower: {mode: ECB}, than: {mode: CBC}}`,
	`{same: {mode: ECB}, as: {mode: CBC}, by: 0.9..1.1}`,
	`{plan: workload.yaml, vcpu: ..4}`,
	`{plan: ../workload.yaml, vcpu: 1..4, p99: ..5ms, chosen: {step: token, library: go, algorithm: ECDSA-P-256}}`,
	`{plan: workload.yaml, chosen: {algorithm: SM2}}`,
	`{says: x, unmeasured: no row has this mode}`,
}

var bad = map[string]string{
	`{}`:                                                  "about nothing",
	`{says: x}`:                                           "about nothing",
	`{row: {library: go}}`:                                "say what of this row",
	`{row: {}, time: ..5us}`:                              "say which rows",
	`{row: go, time: ..5us}`:                              "keys and values",
	`{row: {libary: go}, time: ..5us}`:                    `unknown key "libary"; nearest: library`,
	`{row: {library: go}, tme: ..5us}`:                    `unknown key "tme"; nearest: time`,
	`{row: {library: go}, time: 5us}`:                     "is no range",
	`{row: {library: go}, time: ..5}`:                     "unit",
	`{row: {library: go}, time: 100MB/s..}`:               "unit",
	`{row: {library: go}, rate: ..5us}`:                   "unit",
	`{row: {library: go}, at: 10000/s}`:                   "go together",
	`{row: {library: go}, latency_p99: ..1ms}`:            "go together",
	`{row: {library: go}, at: often, latency_p99: ..1ms}`: "rate of arrivals",
	`{row: {library: go}, at: 10000/s, latency_p99: ..1ms, time: ..5us}`: "of its own",
	`{row: {library: go}, time: ..5us, by: 2..}`:                         "by does not go with row",
	`{row: {library: go}, rows: {library: go}, status: ok}`:              "one thing",
	`{row: {library: go}, metrics: {}}`:                                  "say what of this row",
	`{row: {library: go}, metrics: {p99: 5}}`:                            "is no range",
	`{row: {library: go, bytes: many}, time: ..5us}`:                     "bytes",
	`{row: {library: [go]}, time: ..5us}`:                                "needs one value",
	`{row: {library: }, time: ..5us}`:                                    "needs one value",
	`{rows: {library: gmsm}}`:                                            "rows needs status",
	`{rows: {library: gmsm}, status: fine}`:                              `unknown status "fine"`,
	`{faster: {mode: ECB}}`:                                              "faster needs than",
	`{same: {mode: ECB}, than: {mode: CBC}}`:                             "than does not go with same",
	`{faster: {mode: ECB}, than: {mode: CBC}, by: 5us..}`:                "unit",
	`{plan: workload.yaml}`:                                              "say what of this plan",
	`{plan: , vcpu: ..4}`:                                                "needs one value",
	`{plan: workload.yaml, vcpu: 4}`:                                     "is no range",
	`{plan: workload.yaml, vcpu: ..4ms}`:                                 "unit",
	`{plan: workload.yaml, p99: ..5}`:                                    "unit",
	`{plan: workload.yaml, time: ..5ms}`:                                 "time does not go with plan",
	`{row: {library: go}, vcpu: ..4}`:                                    "vcpu does not go with row",
	`{plan: workload.yaml, row: {library: go}}`:                          "one thing",
	`{plan: workload.yaml, chosen: {step: token}}`:                       "say which rows: library, algorithm, mode",
	`{plan: workload.yaml, chosen: {bytes: 64}}`:                         `unknown key "bytes"`,
	`{plan: workload.yaml, chosen: go}`:                                  "keys and values",
	`{unmeasured: x, time: ..5us}`:                                       "time does not go with unmeasured",
	`{unmeasured: }`:                                                     "needs one value",
}

func TestRead(t *testing.T) {
	for _, body := range good {
		if s, err := read(body); err != nil || len(s) != 1 || s[0].Place != (Place{"f.yaml", 2, s[0].Place.Column}) {
			t.Errorf("%s: %+v, %v", body, s, err)
		}
	}
	for body, says := range bad {
		_, err := read(body)
		if err == nil || !strings.Contains(err.Error(), says) || !strings.HasPrefix(err.Error(), "f.yaml:2:") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", body, err, says)
			continue
		}
		if zh := language.Of(err).ZH; !regexp.MustCompile(`\p{Han}`).MatchString(zh) || !strings.HasPrefix(zh, "f.yaml:2:") {
			t.Errorf("%s: %q", body, zh)
		}
	}
}

// TestPlaces: an error names the line and the column of what is wrong.
func TestPlaces(t *testing.T) {
	file := "statements:\n  - says: x\n    row: {library: go, algorithm: SHA-256}\n    time: ..5us\n  - says: y\n    row:\n      library: go\n    time: soon\n"
	_, err := Read("claims.yaml", []byte(file))
	if err == nil || !strings.HasPrefix(err.Error(), `claims.yaml:8:11: time: "soon" is no range`) {
		t.Errorf("%v", err)
	}
	for name, file := range map[string]string{"empty": "", "no list": "statements: 5\n",
		"two documents": "statements: []\n---\nstatements: []\n", "another file": "name: token service\nrate: 3000/s\n",
		"no YAML": "statements: [\n", "a tab": "statements:\n\t- x\n", "a key twice": "statements:\n  - says: x\n    says: y\n", "binary": "\xff\xfe",
		"an alias": "statements: &a\n  - row: *a\n    time: ..5us\n", "long": "statements: #" + strings.Repeat("x", MostBytes),
		"a NUL byte": "statements:\n  - says: a\x00b\n", "a bell": "statements: \a\n", "latin": "statements: \xe9\n", "UTF-16": "\xff\xfes\x00",
		"blank":          "# nothing\n\n",
		"one name twice": "statements:\n  - {says: x, row: {library: go}, time: ..5us}\n  - {says: x, row: {library: go}, time: ..6us}\n"} {
		_, err := Read("f.yaml", []byte(file))
		if err == nil || !regexp.MustCompile(`^f\.yaml:\d+:\d+: `).MatchString(err.Error()) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestBroken: what is wrong is said, with its place.
func TestBroken(t *testing.T) {
	for file, says := range map[string]string{
		"":              "f.yaml:1:1: the file is empty",
		"# x\n":         "f.yaml:1:1: the file is empty",
		"a: b\nc\x00\n": "f.yaml:2:2: this holds the control character U+0000",
		"é\xff\n":       "f.yaml:1:2: this is not UTF-8",
		"statements: [{says: x, unmeasured: y}]\n---\na: b\n":                                               "2 documents",
		"statements:\n- {says: x, unmeasured: y}\n- {says: z, unmeasured: y}\n- {says: x, unmeasured: y}\n": `f.yaml:4:4: line 2 says "x" already`,
		"a: " + strings.Repeat("[", 1_000_000):                                                              "f.yaml:1:104: this is nested more than 100 deep",
		strings.Repeat("{a: ", 200_000):                                                                     "nested more than 100 deep",
		"a:\n " + strings.Repeat("- ", 500_000):                                                             "f.yaml:2:1: this is nested more than 100 deep",
		strings.Repeat("#", MostBytes+1):                                                                    "longer than 1 MiB",
	} {
		if _, err := Read("f.yaml", []byte(file)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%.40q: %v, want %q", file, err, says)
		}
	}
}

// TestWindows: a file as editors on Windows write it is read as any other, and its errors have the
// same places.
func TestWindows(t *testing.T) {
	file := "title: Claims\nstatements:\n  - says: >\n      a folded\n      text\n    row: {library: go}\n    time: ..5us\n"
	want, err := Read("f.yaml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	windows := "\ufeff" + strings.ReplaceAll(file, "\n", "\r\n")
	if got, err := Read("f.yaml", []byte(windows)); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	if _, err := Read("f.yaml", []byte("\ufefftitel: x\r\nstatements: []\r\n")); err == nil || !strings.HasPrefix(err.Error(), `f.yaml:1:1: unknown key "titel"`) {
		t.Error(err)
	}
}

// TestMeaningless: a range that says nothing, or not what it seems to, is refused.
func TestMeaningless(t *testing.T) {
	for body, says := range map[string]string{
		`{row: {library: go}, time: 0us..}`:                       "holds whatever is measured",
		`{row: {library: go}, rate: 0/s..}`:                       "holds whatever is measured",
		`{row: {library: go}, time: -1us..}`:                      "negative",
		`{row: {library: go}, time: 1us..-2us}`:                   "negative",
		`{row: {library: go}, time: 5us..1us}`:                    "write the lower end first",
		`{row: {library: go}, time: 1ms..900us}`:                  "write the lower end first",
		`{faster: {mode: ECB}, than: {mode: CBC}, by: 10%..20%}`:  "wrong unit; write it as 1.10..1.20",
		`{faster: {mode: ECB}, than: {mode: CBC}, by: 10..20%}`:   "wrong unit",
		`{faster: {mode: ECB}, than: {mode: CBC}, by: 0.5..0.9}`:  "below 1 is not faster",
		`{slower: {mode: ECB}, than: {mode: CBC}, by: ..0.9}`:     "below 1 is not slower",
		`{plan: w.yaml, vcpu: ..50%}`:                             "wrong unit",
		`{row: {library: go}, metrics: {memory_peak_bytes: 0..}}`: "holds whatever is measured",
		`{row: {library: go}, at: 0/s, latency_p99: ..1ms}`:       "rate of arrivals",
		`{row: {library: go}, at: -5/s, latency_p99: ..1ms}`:      "rate of arrivals",
		`{row: {library: go}, at: 1.5/s, latency_p99: ..1ms}`:     "rate of arrivals",
	} {
		if _, err := read(body); err == nil || !strings.Contains(err.Error(), says) || !strings.HasPrefix(err.Error(), "f.yaml:2:") {
			t.Errorf("%s: %v, want %q", body, err, says)
		}
	}
	for _, body := range []string{`{same: {mode: ECB}, as: {mode: CBC}, by: 0.8..0.9}`, `{faster: {mode: ECB}, than: {mode: CBC}, by: 0.9..1.2}`,
		`{row: {library: go}, metrics: {errors: 0..0}}`, `{row: {library: go}, metrics: {share: 5..10%}}`} {
		if _, err := read(body); err != nil {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// TestSelectorText: a selector reads as people say it.
func TestSelectorText(t *testing.T) {
	for body, want := range map[string]string{
		"algorithm: SM4, mode: GCM, library: gmsm, bytes: 1024": "gmsm SM4-GCM 1KiB",
		"mode: GCM, operation: encrypt":                         "GCM encrypt",
		"library: openssl, call_path: cgo, parameters: way=new": "openssl cgo way=new",
	} {
		s, err := read("{rows: {" + body + "}, status: ok}")
		if err != nil || s[0].Row.String() != want {
			t.Errorf("%s: %q, %v", body, s[0].Row.String(), err)
		}
	}
}

// TestFile: a file has a title and a text about itself, and workloads are found from where it is.
func TestFile(t *testing.T) {
	f, err := Read("dir/f.yaml", []byte("title: Claims\nabout: >\n  What they\n  are.\nstatements:\n  - {plan: ../w.yaml, vcpu: ..4, chosen: {step: a, mode: GCM}}\n  - {plan: /w.yaml, p99: ..5ms}\n"))
	if err != nil || f.Title != "Claims" || f.About != "What they are." || len(f.Statements) != 2 {
		t.Fatalf("%+v, %v", f, err)
	}
	s := f.Statements[0]
	if s.WorkloadPath() != "w.yaml" || f.Statements[1].WorkloadPath() != "/w.yaml" || s.Step != "a" || s.Row.Get("mode") != "GCM" || len(s.Selectors()) != 0 {
		t.Errorf("%+v", s)
	}
	if _, err := Read("f.yaml", []byte("titel: x\nstatements:\n  - {plan: w.yaml, vcpu: ..4}\n")); err == nil || !strings.Contains(err.Error(), `f.yaml:1:1: unknown key "titel"; nearest: title`) {
		t.Error(err)
	}
}

// TestSchema: the JSON Schema that ships takes what the parser takes, and refuses what it
// refuses, and knows the same keys.
func TestSchema(t *testing.T) {
	s := readSchema(t)
	statement := s.defs["statement"].(map[string]any)["properties"].(map[string]any)
	selector := s.defs["selector"].(map[string]any)["properties"].(map[string]any)
	var selectorKeys []string
	for _, p := range parts {
		selectorKeys = append(selectorKeys, p.name)
	}
	for name, both := range map[string][2][]string{"statement": {keysOf(statement), keys()}, "selector": {keysOf(selector), selectorKeys}} {
		slices.Sort(both[1])
		if !slices.Equal(both[0], both[1]) {
			t.Errorf("%s: the schema has %v, the parser %v", name, both[0], both[1])
		}
	}
	check := func(file string) error {
		var v any
		if err := yaml.Unmarshal([]byte(file), &v); err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		_ = json.Unmarshal(b, &v)
		return s.check(s.root, v)
	}
	for _, body := range good {
		if err := check("statements:\n  - " + body + "\n"); err != nil {
			t.Errorf("%s: %v", body, err)
		}
	}
	for body := range bad {
		// What a schema has no words for: sizes, and ranges of any unit.
		if strings.Contains(body, "many") || strings.Contains(body, "p99: 5") {
			continue
		}
		if err := check("statements:\n  - " + body + "\n"); err == nil {
			t.Errorf("the schema takes %s", body)
		}
	}
	for _, path := range files(t) {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := check(string(b)); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func keysOf(m map[string]any) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// files are the statements that ship.
func files(t *testing.T) []string {
	found, err := filepath.Glob("../../statements/*.yaml")
	if err != nil || len(found) < 2 {
		t.Fatal(found, err)
	}
	return found
}

// TestShippedStatements: each says something, those of reports also who does, and no two say
// the same.
func TestShippedStatements(t *testing.T) {
	for _, path := range files(t) {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := Read(path, b)
		if err != nil {
			t.Error(err)
		}
		all := f.Statements
		seen := map[string]bool{}
		for i, s := range all {
			if s.Says == "" || seen[s.Says] || strings.Contains(path, "published") && s.Source == "" {
				t.Errorf("%s: %q of %q", path, s.Name(i), s.Source)
			}
			seen[s.Says] = true
		}
		if strings.Contains(path, "published") && len(all) < 35 {
			t.Errorf("%s: only %d claims", path, len(all))
		}
	}
}

var trials = []result.Trial{
	{Subject: result.Subject{Library: "go", Version: "1", CallPath: "go"}, Case: result.Case{Algorithm: "AES-128", Mode: "GCM", Operation: "encrypt", Bytes: 1024}},
	{Subject: result.Subject{Library: "go", Version: "1", CallPath: "go", Environment: "GODEBUG=cpu.aes=off"}, Case: result.Case{Algorithm: "AES-128", Mode: "GCM", Operation: "encrypt", Bytes: 1024}},
	{Subject: result.Subject{Library: "go", Version: "1", CallPath: "go"},
		Case: result.Case{Algorithm: "AES-128", Mode: "GCM", Operation: "encrypt", Bytes: 1024, Parameters: "goroutines=2,holding=own"}},
	{Subject: result.Subject{Library: "openssl", Version: "3", CallPath: "cgo"}, Case: result.Case{Algorithm: "AES-128", Mode: "GCM", Operation: "encrypt", Bytes: 1024}},
	{Subject: result.Subject{Library: "openssl", Version: "3", CallPath: "c-loop"}, Case: result.Case{Algorithm: "AES-128", Mode: "GCM", Operation: "encrypt", Bytes: 1024}},
	{Subject: result.Subject{Library: "go", Version: "1", CallPath: "go"}, Case: result.Case{Algorithm: "RSA-2048", Mode: "PKCS1v15", Operation: "encrypt"}},
	{Subject: result.Subject{Library: "go", Version: "1", CallPath: "go"}, Case: result.Case{Algorithm: "RSA-2048", Mode: "OAEP-SHA-256", Operation: "encrypt"}},
	{Subject: result.Subject{Library: "go", Version: "1", CallPath: "go"}, Case: result.Case{Algorithm: "HTTP", Mode: "TLS", Operation: "serve"}},
	{Subject: result.Subject{Library: "go", Version: "1", CallPath: "go"}, Case: result.Case{Algorithm: "HTTP", Mode: "TLS-MLKEM", Operation: "serve"}},
}

func TestSelectors(t *testing.T) {
	for body, want := range map[string][]int{
		"library: go, algorithm: AES-128, mode: GCM, bytes: 1KiB":           {0},
		"library: GO, algorithm: aes-128-gcm":                               {0},
		"library: go, algorithm: AES-128, environment: GODEBUG=cpu.aes=off": {1},
		"library: go, algorithm: AES-128, parameters: goroutines=2":         {2},
		"library: openssl, call_path: cgo":                                  {3},
		"library: openssl":                                                  {3, 4},
		"algorithm: RSA-2048, mode: OAEP":                                   {6},
		"algorithm: RSA-2048":                                               {5, 6},
		"algorithm: HTTP, mode: TLS":                                        {7},
		"library: gmsm":                                                     nil,
	} {
		s, err := read("{row: {" + body + "}, time: ..1s}")
		if err != nil {
			t.Fatal(err)
		}
		var expected []result.Trial
		for _, i := range want {
			expected = append(expected, trials[i])
		}
		if got := s[0].Row.One(trials); !slices.Equal(got, expected) {
			t.Errorf("%s: %v", body, got)
		}
	}
	for body, says := range map[string]string{
		"library: gosm, algorithm: AES-128":                       `f.yaml:2:21: library "gosm" names nothing; there are: go, openssl`,
		"library: go, algorithm: AES-182":                         `algorithm "AES-182" names nothing; nearest: AES-128`,
		"library: openssl, algorithm: RSA-2048":                   `library "openssl" names nothing; there are: go`,
		"library: go, algorithm: AES-128, bytes: 64":              `bytes "64B" names nothing; there are: 1KiB`,
		"library: go, algorithm: RSA-2048, bytes: 1KiB":           `bytes "1KiB" names nothing: these rows have none, leave it out`,
		"library: openssl, call_path: purego, algorithm: AES-128": `call_path "purego" names nothing; there are: go, cgo, c-loop`,
	} {
		s, err := read("{row: {" + body + "}, time: ..1s}")
		if err != nil {
			t.Fatal(err)
		}
		if got := s[0].Row.Nothing(trials); !strings.Contains(got.Error(), says) {
			t.Errorf("%s: %v, want %q", body, got, says)
		}
	}
	s, err := read("{row: {library: openssl}, time: ..1s}")
	if err = errors.Join(err, s[0].Row.Several(s[0].Row.One(trials))); !strings.Contains(err.Error(), "names 2 rows; say which: call_path: cgo, c-loop") {
		t.Error(err)
	}
}

func FuzzRead(f *testing.F) {
	for _, body := range good {
		f.Add("statements:\n  - " + body + "\n")
	}
	for body := range bad {
		f.Add("statements:\n  - " + body + "\n")
	}
	f.Fuzz(func(t *testing.T, file string) {
		f, err := Read("f.yaml", []byte(file))
		if err == nil && len(f.Statements) == 0 {
			t.Error("nothing was read, and no error")
		}
	})
}
