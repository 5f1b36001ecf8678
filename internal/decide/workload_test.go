package decide

import (
	"encoding/json"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
)

func noSizes(name string) ([]result.SizeShare, error) {
	if name == "sizes.csv" {
		return []result.SizeShare{{Bytes: 64, Weight: 3}, {Bytes: 4096, Weight: 1}}, nil
	}
	return nil, language.Error("no such file", "没有该文件")
}

const service = `# what one request does
name: token service
rate: 3000/s
limits: {p99: 5ms, utilization: 0.7}
price:
  vcpu_hour: 0.04
  currency: USD
  vcpu_per_instance: 4
steps:
  - name: token
    sign: {bytes: 256}
    require: [standard:nist, constant-time]
  - name: record
    seal: {sizes: "@sizes.csv"}
    per: 2
  - name: front door
    handshake: {resumed: 0.8, client_auth: true}
    rate: 200/s
  - exchange:
  - name: as it is today
    use: {library: tjfoc, algorithm: sm4, mode: cbc, operation: encrypt, bytes: 1KiB}
`

func TestParse(t *testing.T) {
	w, err := Parse("w.yaml", []byte(service), noSizes)
	if err != nil {
		t.Fatal(err)
	}
	if w.Name != "token service" || w.Rate != 3000 || w.Limits.Used() != 0.7 || w.Limits.P99.Milliseconds() != 5 || w.Price != (Price{0.04, "USD", 4}) {
		t.Errorf("%+v", w)
	}
	var needs []Need
	for _, s := range w.Steps {
		needs = append(needs, s.Need)
	}
	if !slices.Equal(needs, []Need{Sign, Seal, Handshake, Exchange, Seal}) {
		t.Errorf("needs %v", needs)
	}
	record, door, today := w.Steps[1], w.Steps[2], w.Steps[4]
	if record.Per != 2 || len(record.Sizes) != 2 || w.rate(&record) != 6000 {
		t.Errorf("record %+v", record)
	}
	if door.Resumed != 0.8 || !door.ClientAuth || w.rate(&door) != 200 {
		t.Errorf("front door %+v", door)
	}
	if *today.Use != (Use{"tjfoc", "SM4", "CBC", "encrypt", 1024}) || today.Sizes[0].Bytes != 1024 {
		t.Errorf("today %+v", today.Use)
	}
}

// TestByteOrderMark: editors put one first.
func TestByteOrderMark(t *testing.T) {
	if w := workload(t, "\xef\xbb\xbfrate: 7\r\nsteps: [{sign: }]\r\n"); w.Rate != 7 || len(w.Steps) != 1 {
		t.Errorf("%+v", w)
	}
}

// TestExample: the workload that ships is one.
func TestExample(t *testing.T) {
	const file = "../../workloads/token-service.yaml"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	w, err := Parse(file, text, func(name string) ([]result.SizeShare, error) {
		csv, err := os.Open(filepath.Join(filepath.Dir(file), name))
		if err != nil {
			return nil, err
		}
		defer csv.Close()
		return plan.ReadHistogram(name, csv)
	})
	if err != nil || len(w.Steps) != 4 || len(w.Steps[1].Sizes) != 6 || w.Steps[3].Use == nil {
		t.Errorf("%+v %v", w, err)
	}
}

// TestWorkloadErrors: one line that names the place, in both languages.
func TestWorkloadErrors(t *testing.T) {
	steps := "\nsteps:\n  - sign:\n"
	for text, want := range map[string]string{
		"":                                        `w\.yaml:1:1: .*empty`,
		"# nothing\n":                             `w\.yaml:\d:\d: `,
		"rate: 3000/s\n":                          `steps are missing`,
		"rte: 3000/s" + steps:                     `w\.yaml:1:1: unknown field "rte"; nearest: rate`,
		"rate: 0/s" + steps:                       `w\.yaml:1:7: rate "0/s": give a rate above 0`,
		"rate: -3" + steps:                        `above 0`,
		"rate: 3000/d" + steps:                    `3000/s`,
		"rate: [1]" + steps:                       `one value is expected`,
		"rate: 1e300" + steps:                     `up to 1e12/s`,
		"steps: [{sign: }, {mac: , rate: 1}]":     `w\.yaml:1:1: rate is missing, and step "sign" has none of its own`,
		"limits: {p99: 5ms}" + steps:              `w\.yaml:1:1: a limit of p99 needs a rate`,
		"vcpu_per_instance: 4" + steps:            `instances needs a rate`,
		"rate: 1\nprice: {currency: USD}" + steps: `a currency needs the price`,
		"rate: 1e-9" + steps:                      `at least 1e-6/s`,
		"rate: NaN" + steps:                       `rate "NaN"`,
		"rate: 1e12\nsteps: [{sign: , per: 2}]":   `step "sign": its rate times per is above 1e12/s`,
		"rate: 1\nsteps: [{sign: , per: 1e300}]":  `give a number above 0 \(1e-6 to 1e9\)`,
		"name: \"a\\e[2J\"\nrate: 1" + steps:      `a name of one line`,
		"name: " + strings.Repeat("x", 121):       `at most 120 characters`,
		"rate: 1\nsteps: [" + strings.Repeat("{sign: },", 51) + "]": `51 steps; give at most 50`,
		"rate: 1\nsteps: 3\n":                                       `w\.yaml:2:8: steps is a list`,
		"rate: 1\nsteps:\n  - name: x":                              `w\.yaml:3:5: the step does nothing`,
		"rate: 1\nsteps:\n  - sgn: {}":                              `w\.yaml:3:5: unknown field "sgn"; nearest: sign`,
		"rate: 1\nsteps:\n  - decrypt:":                             `unknown field "decrypt"`,
		"rate: 1\nsteps:\n  - sign:\n    seal:\n":                   `sign, seal; give each a step of its own`,
		"rate: 1\nsteps:\n  - seal: {bytes: 0}\n":                   `w\.yaml:3:19: size "0"`,
		"rate: 1\nsteps:\n  - seal: {sizes: \"@gone.csv\"}\n":       `no such file`,
		"rate: 1\nsteps:\n  - exchange: {bytes: 3}\n":               `unknown field "bytes"`,
		"rate: 1\nsteps:\n  - sign:\n    require: [constant-tme]\n": `w\.yaml:4:15: unknown requirement "constant-tme"; nearest: constant-time`,
		"rate: 1\nsteps:\n  - sign:\n    require: [post-quantum, standard:gb]\n": `w\.yaml:3:5: .*no candidate for signing meets post-quantum, standard:gb; ` +
			`without post-quantum there would be SM2; without standard:gb there would be ML-DSA-44, ML-DSA-65`,
		"rate: 1\nlimits: {utilization: 1.5}" + steps:                                               `w\.yaml:2:23: "1\.5": give a share above 0 and up to 1`,
		"rate: 1\nlimits: {p99: 5}" + steps:                                                         `e\.g\. 5ms`,
		"rate: 1\nsteps:\n  - use: {library: tjfc, algorithm: SM4, operation: encrypt}":             `unknown library "tjfc"; nearest: tjfoc`,
		"rate: 1\nsteps:\n  - use: {library: tjfoc, algorithm: SM4, operation: encrypt}":            `needs the mode of SM4; there are: ECB, CBC`,
		"rate: 1\nsteps:\n  - use: {library: tjfoc, algorithm: SM4, mode: CBD, operation: encrypt}": `unknown mode "CBD"; nearest: `,
		"rate: 1\nsteps:\n  - use: {library: go, algorithm: SM4, mode: CBC, operation: sign}":       `SM4 has no operation sign`,
		"rate: 1\nsteps:\n  - use: {library: go, algorithm: Ed25519, mode: CBC, operation: sign}":   `Ed25519 has no modes`,
		"rate: 1\nsteps:\n  - use: {library: tjfoc, operation: encrypt}":                            `the algorithm is missing`,
		"rate: 1\nsteps:\n  - handshake: {resumed: 2}":                                              `share above 0`,
		"rate: 1\nrate: 2" + steps:                                                                  `w\.yaml:2:1: rate stands twice`,
		"rate: 1\nsteps:\n  - sign:\n    sign: {bytes: 3}\n":                                        `w\.yaml:4:5: sign stands twice`,
		"rate: 1\nsteps:\n\t- sign:\n":                                                              `w\.yaml:\d:\d: indent by spaces`,
		`{"header":{"schema":"cryptogauge.run/1","tool":"x"}}` + "\n{}":                             `w\.yaml:1:1: it is a run file; give it with --run`,
		"rate: 1\nsteps:\n  - sign: {":                                                              `w\.yaml:\d:\d+: `,
		"rate: &a 1\nsteps:\n  - sign: ":                                                            `anchors`,
		strings.Repeat("[", 101):                                                                    `w\.yaml:1:1: more than 100 brackets`,
		"- a\n":                                                                                     `fields are expected`,
	} {
		_, err := Parse("w.yaml", []byte(text), noSizes)
		if err == nil {
			t.Errorf("%q is read", text)
			continue
		}
		said := language.Of(err)
		if !regexp.MustCompile(want).MatchString(said.EN) || strings.ContainsAny(said.EN+said.ZH, "\n\r") || !regexp.MustCompile(`\p{Han}`).MatchString(said.ZH) {
			t.Errorf("%q:\n %s\n %s\n want %s", text, said.EN, said.ZH, want)
		}
	}
}

// fieldsOf are what the parser says that a mapping may hold, where an unknown name stands.
func fieldsOf(t *testing.T, text string) []string {
	t.Helper()
	_, err := Parse("w.yaml", []byte(text), noSizes)
	if err == nil {
		t.Fatalf("%q is read", text)
	}
	_, list, ok := strings.Cut(err.Error(), "there are: ")
	if !ok {
		t.Fatalf("%q: %v", text, err)
	}
	return strings.Split(list, ", ")
}

// TestSchemaIsTheParser: each mapping of the schema has the fields that the parser reads,
// and requirements and needs are the same.
func TestSchemaIsTheParser(t *testing.T) {
	type object struct {
		Properties map[string]json.RawMessage `json:"properties"`
		Enum       []string                   `json:"enum"`
	}
	var schema struct {
		object
		Defs map[string]object `json:"$defs"`
	}
	if err := json.Unmarshal(Schema, &schema); err != nil {
		t.Fatal(err)
	}
	nested := func(raw json.RawMessage) (o object) {
		if err := json.Unmarshal(raw, &o); err != nil {
			t.Fatal(err)
		}
		return o
	}
	const none = "qqqqqqqqqqqqqq: 1"
	for name, x := range map[string]struct {
		of   object
		text string
	}{
		"workload":  {schema.object, none},
		"limits":    {nested(schema.Properties["limits"]), "limits: {" + none + "}"},
		"price":     {nested(schema.Properties["price"]), "price: {" + none + "}"},
		"step":      {schema.Defs["step"], "steps:\n  - " + none},
		"message":   {schema.Defs["message"], "steps:\n  - seal: {" + none + "}"},
		"handshake": {schema.Defs["handshake"], "steps:\n  - handshake: {" + none + "}"},
		"use":       {nested(schema.Defs["step"].Properties["use"]), "steps:\n  - use: {" + none + "}"},
	} {
		want := slices.Sorted(maps.Keys(x.of.Properties))
		if got := fieldsOf(t, x.text); !slices.Equal(got, want) {
			t.Errorf("%s: the parser reads %v, the schema has %v", name, got, want)
		}
	}
	var names []string
	for _, r := range rules {
		names = append(names, string(r.name))
	}
	if got := schema.Defs["requirement"].Enum; !slices.Equal(got, names) {
		t.Errorf("requirements %v, want %v", got, names)
	}
}

// TestRepresentative: few sizes stand for many with the same mean and the same weight.
func TestRepresentative(t *testing.T) {
	var many []result.SizeShare
	var mean float64
	for i := range 100 {
		many = append(many, result.SizeShare{Bytes: int64(16 + 40*i), Weight: 1})
		mean += float64(16+40*i) / 100
	}
	few := representative(many)
	var weight, got float64
	for _, s := range few {
		weight, got = weight+s.Weight, got+s.Weight*float64(s.Bytes)
	}
	if len(few) != mostSizes || math.Abs(weight-1) > 1e-9 || math.Abs(got-mean) > 1 {
		t.Errorf("%v: weight %v, mean %v of %v", few, weight, got, mean)
	}
	if one := representative([]result.SizeShare{{Bytes: 1024, Weight: 7}}); len(one) != 1 || one[0] != (result.SizeShare{Bytes: 1024, Weight: 1}) {
		t.Errorf("%v", one)
	}
}
