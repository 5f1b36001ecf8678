package main

import (
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/cryptogauge/cryptogauge/internal/command/scripts"
)

// documented are the names of the JSON report that other programs rely on, as
// the architecture gives them: for each object its fields. Others may stand
// beside them.
var documented = map[string]string{
	"report":    "schema machine libraries started seed partial noise_floor rows comparisons fits crossovers distributions findings answers artifacts",
	"libraries": "library version",
	"rows": "id experiment algorithm mode operation bytes parameters library version implementation call_path environment " +
		"status reason ns_per_op wall_ns_per_op bytes_per_second busy_bytes_per_second_per_cpu cycles_per_byte " +
		"allocs_per_op alloc_bytes_per_op metrics samples blocks warnings security standard constant_time",
	"estimate":      "median low high clock",
	"constant_time": "value basis",
	"metric":        "value low high unit",
	"comparisons":   "base other ratio low high verdict headline",
	"fits":          "row_ids model terms rms",
	"crossovers":    "a b bytes",
	"distributions": "row_id unit p50 p90 p95 p99 p999 max count",
	"findings":      "kind severity text evidence",
	"answers":       "experiment text evidence",
	"text":          "en zh",
	"artifacts":     "name media_type",
}

// Words that fields may hold.
var (
	statuses = words("ok incorrect unsupported crashed unstable")
	verdicts = words("faster slower same inconclusive")
	clocks   = words("cpu process wall")
	yesNo    = words("yes no unknown")
)

func words(s string) map[any]bool {
	m := map[any]bool{}
	for w := range strings.FieldsSeq(s) {
		m[w] = true
	}
	return m
}

type object = map[string]any

// readReport decodes exactly one JSON document.
func readReport(ts *testscript.TestScript, file string) object {
	dec := json.NewDecoder(strings.NewReader(ts.ReadFile(file)))
	var doc object
	ts.Check(dec.Decode(&doc))
	if _, err := dec.Token(); err != io.EOF {
		ts.Fatalf("something follows the JSON document")
	}
	return doc
}

// named fails unless o has the documented fields.
func named(ts *testscript.TestScript, what string, o object) object {
	for name := range strings.FieldsSeq(documented[what]) {
		if _, ok := o[name]; !ok {
			ts.Fatalf("%s: the documented name %q is missing in %v", what, name, o)
		}
	}
	return o
}

// all returns a list of objects, each with its documented fields.
func all(ts *testscript.TestScript, doc object, what string) (list []object) {
	items, ok := doc[what].([]any)
	if !ok {
		ts.Fatalf("%s is %T, not a list", what, doc[what])
	}
	for _, item := range items {
		list = append(list, named(ts, what, item.(object)))
	}
	return list
}

func jsonreport(ts *testscript.TestScript, neg bool, args []string) {
	scripts.Usage(ts, !neg && len(args) == 1, "jsonreport FILE")
	doc := named(ts, "report", readReport(ts, args[0]))
	if doc["schema"] != "cryptogauge.report/1" {
		ts.Fatalf("schema %v", doc["schema"])
	}
	for _, what := range strings.Fields("libraries fits crossovers distributions findings artifacts") {
		all(ts, doc, what)
	}
	ids := map[any]bool{}
	for _, row := range all(ts, doc, "rows") {
		checkRow(ts, row)
		if ids[row["id"]] {
			ts.Fatalf("two rows have the id %v", row["id"])
		}
		ids[row["id"]] = true
	}
	for _, c := range all(ts, doc, "comparisons") {
		if !ids[c["base"]] || !ids[c["other"]] || !verdicts[c["verdict"]] {
			ts.Fatalf("a comparison of no rows, or with no verdict: %v", c)
		}
	}
	for _, c := range all(ts, doc, "comparisons") {
		ids[c["id"]] = true
	}
	for _, a := range all(ts, doc, "answers") {
		if text := named(ts, "text", a["text"].(object)); text["en"] == "" || text["zh"] == "" {
			ts.Fatalf("an answer lacks a language: %v", a)
		}
		evidence := a["evidence"].([]any)
		for _, id := range evidence {
			if !ids[id] {
				ts.Fatalf("an answer stands on %v, which is no row and no comparison", id)
			}
		}
		if len(evidence) == 0 {
			ts.Fatalf("an answer without evidence: %v", a)
		}
	}
}

func checkRow(ts *testscript.TestScript, row object) {
	if !statuses[row["status"]] {
		ts.Fatalf("status %v", row["status"])
	}
	if ct := named(ts, "constant_time", row["constant_time"].(object)); !yesNo[ct["value"]] {
		ts.Fatalf("constant time %v in %v", ct, row["id"])
	}
	for _, name := range []string{"ns_per_op", "wall_ns_per_op"} {
		e, measured := row[name].(object)
		switch {
		case measured && row["status"] != "ok":
			ts.Fatalf("%s is %v and has %s", row["id"], row["status"], name)
		case measured && !clocks[named(ts, "estimate", e)["clock"]]:
			ts.Fatalf("clock %v in %v", e["clock"], row["id"])
		}
	}
	if metrics, ok := row["metrics"].(object); ok {
		for _, m := range metrics {
			named(ts, "metric", m.(object))
		}
	}
	if row["status"] != "ok" && row["reason"] == "" {
		ts.Fatalf("%v is %v without a reason", row["id"], row["status"])
	}
}

// rows holds the rows of a JSON report that have the given fields against one more.
func rows(ts *testscript.TestScript, neg bool, args []string) {
	scripts.Usage(ts, !neg && len(args) >= 2, "rows FILE FIELD=WANT FIELD=VALUE...")
	found := 0
	for _, row := range all(ts, readReport(ts, args[0]), "rows") {
		if !has(row, args[2:]) {
			continue
		}
		found++
		if !has(row, args[1:2]) {
			ts.Fatalf("not %s: %v", args[1], row)
		}
	}
	if found == 0 {
		ts.Fatalf("no row has %v", args[2:])
	}
}

func has(row object, fields []string) bool {
	for _, field := range fields {
		name, want, _ := strings.Cut(field, "=")
		if got, ok := row[name].(string); !ok || !slices.Contains(strings.Split(want, "|"), got) {
			return false
		}
	}
	return true
}
