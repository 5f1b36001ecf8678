package render

import (
	"encoding/csv"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
)

// The names that other programs rely on.
var promised = map[string]string{
	"": "schema machine libraries started seed partial noise_floor rows comparisons fits crossovers distributions findings answers artifacts left_out",
	"rows": "id experiment algorithm mode operation bytes parameters library version implementation call_path environment status reason ns_per_op wall_ns_per_op " +
		"bytes_per_second busy_bytes_per_second_per_cpu cycles_per_byte allocs_per_op alloc_bytes_per_op metrics samples blocks warnings security standard constant_time",
	"rows.ns_per_op":  "median low high clock",
	"comparisons":     "base other ratio low high verdict headline",
	"fits":            "row_ids model terms rms",
	"distributions":   "row_id unit p50 p90 p95 p99 p999 max count",
	"findings":        "kind severity text evidence",
	"answers":         "experiment text evidence",
	"libraries":       "library version",
	"rows.metrics.*":  "value low high unit",
	"rows.constant_*": "value basis",
}

func TestJSONNames(t *testing.T) {
	doc := decode(t, render(t, WriteJSON, everyDocument()["full"], Options{}))
	if doc["schema"] != "cryptogauge.report/1" {
		t.Errorf("schema is %v", doc["schema"])
	}
	objects := map[string]map[string]any{"": doc}
	for _, list := range []string{"rows", "comparisons", "fits", "distributions", "findings", "answers", "libraries"} {
		objects[list] = doc[list].([]any)[0].(map[string]any)
	}
	objects["rows.ns_per_op"] = objects["rows"]["ns_per_op"].(map[string]any)
	objects["rows.constant_*"] = objects["rows"]["constant_time"].(map[string]any)
	last := rowWith(t, doc, "SM4-ECB/exposure")
	objects["rows.metrics.*"] = last["metrics"].(map[string]any)["repeated_share"].(map[string]any)
	for name, fields := range promised {
		for _, field := range strings.Fields(fields) {
			if _, ok := objects[name][field]; !ok {
				t.Errorf("%q has no field %q", name, field)
			}
		}
	}
}

func decode(t *testing.T, text string) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func rowWith(t *testing.T, doc map[string]any, id string) map[string]any {
	t.Helper()
	for _, r := range doc["rows"].([]any) {
		if row := r.(map[string]any); strings.Contains(row["id"].(string), id) {
			return row
		}
	}
	t.Fatalf("no row %q", id)
	return nil
}

// What does not apply is null, and lists are never null.
func TestJSONNulls(t *testing.T) {
	doc := decode(t, render(t, WriteJSON, []*document.Document{document.Build(documenttest.FullRun())}, Options{}))
	for _, id := range []string{"SM4-GCM/encrypt/1024/tjfoc", "SM4-CTR/encrypt/1024/tjfoc", "SM4-ECB/encrypt/1024/openssl", "SM4-OFB/encrypt"} {
		row := rowWith(t, doc, id)
		for _, field := range []string{"ns_per_op", "wall_ns_per_op", "bytes_per_second", "cycles_per_byte", "busy_bytes_per_second_per_cpu"} {
			if row[field] != nil {
				t.Errorf("%s is %v and has a %s of %v", id, row["status"], field, row[field])
			}
		}
		if row["reason"] == "" {
			t.Errorf("%s is %v without a reason", id, row["status"])
		}
	}
	if row := rowWith(t, doc, "SM4-ECB/encrypt/64/gmsm"); row["cycles_per_byte"] != nil {
		t.Errorf("cycles without a counter: %v", row["cycles_per_byte"])
	}
	for name, docs := range everyDocument() {
		text := render(t, WriteJSON, docs, Options{})
		for _, list := range []string{"rows", "comparisons", "fits", "crossovers", "distributions", "findings",
			"answers", "artifacts", "libraries", "warnings", "security", "reasons", "metrics", "command", "row_ids"} {
			if strings.Contains(text, `"`+list+`": null`) {
				t.Errorf("%s: %s is null", name, list)
			}
		}
	}
}

func TestJSONOfSeveral(t *testing.T) {
	v := decode(t, render(t, WriteJSON, everyDocument()["several"], Options{}))
	if v["schema"] != "cryptogauge.reports/1" || len(v["reports"].([]any)) != 3 {
		t.Errorf("schema %v", v["schema"])
	}
}

func TestCSV(t *testing.T) {
	for name, docs := range everyDocument() {
		text := render(t, WriteCSV, docs, Options{})
		lines, err := csv.NewReader(strings.NewReader(text)).ReadAll() // refuses lines of differing length
		if err != nil {
			t.Fatal(err)
		}
		rows := 0
		for _, d := range docs {
			rows += len(d.Rows)
		}
		if len(lines) != rows+1 {
			t.Errorf("%s: %d lines for %d rows", name, len(lines), rows)
		}
		for _, field := range append([]string{"machine"}, strings.Fields(promised["rows"])...) {
			if !slices.Contains(lines[0], field) {
				t.Errorf("the header has no %q", field)
			}
		}
	}
	lines, _ := csv.NewReader(strings.NewReader(render(t, WriteCSV, everyDocument()["several"], Options{}))).ReadAll()
	if first, last := lines[1][0], lines[len(lines)-1][0]; !strings.HasPrefix(first, "A ") || !strings.HasPrefix(last, "C ") {
		t.Errorf("the machine's column goes from %q to %q", first, last)
	}
}
