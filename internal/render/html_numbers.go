package render

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// numbersTable is one of the tables in which every number of a document stands. What its
// columns hold is said in assets/numbers.html.tmpl.
type numbersTable struct {
	htmlNotes
	Name   string
	Title  layout.Text
	Count  int // of its lines
	Places *htmlPlaces
	Facts  [][2]string
}

func newNumbers(d *document.Document, places *htmlPlaces) (list []*numbersTable) {
	facts, metrics, crossovers := machineFacts(d.Machine), 0, 0
	for _, r := range d.Rows {
		metrics += len(r.Metrics)
	}
	for _, c := range d.Crossovers {
		if c.Within == 0 { // else its answer has a table of its own
			crossovers++
		}
	}
	for _, t := range []numbersTable{
		{Name: "rows", Title: layout.Text{EN: "All rows", ZH: "全部结果"}, Count: len(d.Rows)},
		{Name: "comparisons", Title: layout.Text{EN: "All comparisons", ZH: "全部比较"}, Count: len(d.Comparisons)},
		{Name: "fits", Title: layout.Text{EN: "Cost models", ZH: "代价模型"}, Count: len(d.Fits)},
		{Name: "crossovers", Title: layout.Text{EN: "Crossovers", ZH: "交叉点"}, Count: crossovers},
		{Name: "distributions", Title: layout.Text{EN: "Distributions", ZH: "分布"}, Count: len(d.Distributions)},
		{Name: "metrics", Title: layout.Text{EN: "Metrics", ZH: "指标"}, Count: metrics},
		{Name: "libraries", Title: layout.Text{EN: "Libraries", ZH: "密码库"}, Count: len(d.Libraries)},
		{Name: "machine", Title: layout.Text{EN: "Machine", ZH: "机器"}, Count: len(facts), Facts: facts},
	} {
		if t.Count > 0 {
			t.Places, t.ID = places, places.ID+"-"+t.Name
			list = append(list, &t)
		}
	}
	return list
}

func cellFuncs() template.FuncMap {
	return template.FuncMap{
		"cell":     func(s string) htmlCell { return htmlCell{Text: layout.Same(s)} },
		"said":     func(t layout.Text) htmlCell { return htmlCell{Text: t} },
		"id":       func(s string) htmlCell { return htmlCell{Text: layout.Same(s), Class: "id"} },
		"num":      numberCell,
		"count":    countCell,
		"counted":  countedCell,
		"samples":  samplesCell,
		"measured": measuredCell,
		"optional": optionalCell,
		"absent":   func() htmlCell { return optionalCell(nil, "") },
		"size":     sizeCell,
		"time":     timeCell,
		"library":  libraryCell,
		"term":     termCell,
		"level":    func(share float64) htmlCell { return numberCell(figures(100*share)+" %", share) },
		"never":    neverCell,
		"named": func(l result.Library) htmlCell {
			return htmlCell{Text: layout.Same(l.Library), Head: true, New: l.Library == ownLibrary}
		},
		"missing":  func(l result.Library) layout.Text { return reason.Said(l.Missing, l.Cause) },
		"fact":     func(s string) htmlCell { return htmlCell{Text: layout.Same(s), Head: true} },
		"interval": htmlInterval,
		"terms":    otherTerms,
	}
}

// numberCell is sorted by its key, of which more figures than are shown tell neighbours apart.
func numberCell(s string, key float64) htmlCell {
	return htmlCell{Text: layout.Same(s), Key: strconv.FormatFloat(key, 'g', 6, 64), Numeric: true}
}

// countCell is of an int or an int64.
func countCell(n any) htmlCell {
	v := reflect.ValueOf(n).Int()
	return numberCell(strconv.FormatInt(v, 10), float64(v))
}

func measuredCell(v float64, unit string) htmlCell { return numberCell(quantity(v, unit), v) }

// optionalCell is of a number that may not apply.
func optionalCell(v *float64, unit string) htmlCell {
	if v == nil {
		return htmlCell{Text: layout.Same("–"), Class: "faint", Numeric: true}
	}
	return measuredCell(*v, unit)
}

// countedCell is of a mean count, which may be whole.
func countedCell(v *float64) htmlCell {
	if v == nil {
		return optionalCell(nil, "")
	}
	return numberCell(layout.FormatCount(*v), *v)
}

func sizeCell(bytes int64) htmlCell {
	if bytes <= 0 {
		return optionalCell(nil, "")
	}
	return numberCell(layout.FormatSize(bytes), float64(bytes))
}

func samplesCell(samples, blocks int) htmlCell {
	c := numberCell(strconv.Itoa(samples), float64(samples))
	c.Sub = layout.Same("/" + strconv.Itoa(blocks))
	return c
}

// timeCell names the clock where it is not the thread's.
func timeCell(e *document.Estimate) htmlCell {
	if e == nil {
		return optionalCell(nil, "")
	}
	value, span := htmlTime(*e)
	c := numberCell(value, e.Median)
	clock := map[string]layout.Text{"wall": {EN: " wall", ZH: " 实际耗时"}, "process": {EN: " process", ZH: " 进程"}}[e.Clock]
	c.Sub = layout.Text{EN: strings.TrimSpace(span + clock.EN), ZH: strings.TrimSpace(span + clock.ZH)}
	return c
}

func libraryCell(r document.Row) htmlCell {
	how := append([]string{r.Version}, some(r.Implementation, cmp.Or(r.Runtime, r.CallPath), r.Environment)...)
	return htmlCell{Text: layout.Same(r.Library), Sub: layout.Same(strings.Join(how, " · ")),
		Struck: r.Status == result.Incorrect, New: r.Library == ownLibrary, Class: "library"}
}

func htmlInterval(low, high *float64, unit string) htmlCell {
	if low == nil || high == nil {
		return htmlCell{Numeric: true}
	}
	return htmlCell{Text: layout.Same("[" + quantity(*low, unit) + ", " + quantity(*high, unit) + "]"), Numeric: true}
}

func (t *numbersTable) Link(id string) htmlCell {
	return htmlCell{Text: layout.Same(id), Href: t.Places.number(id), Class: "id"}
}

// Case names a row by what was done.
func (t *numbersTable) Case(r document.Row) htmlCell {
	c := htmlCell{Text: layout.Listed(caseParts(&r, nil)), Sub: layout.Listed(spelled(&r)), Head: true}
	if r.Note != "" {
		c.Notes = t.notes(reason.Note(r.Note))
	}
	return c
}

// Status is followed by the notes of why a row has no number, and of its warnings.
func (t *numbersTable) Status(r document.Row) htmlCell {
	notes := r.Notes
	if len(notes) == 0 {
		notes = each(slices.Concat(r.Warnings, r.Security), reason.Words)
	}
	c := htmlCell{Text: r.StatusText(), Notes: t.notes(notes...)}
	if why := cmp.Or(r.Why, reason.Words(r.Reason)); why != (layout.Text{}) {
		c.Notes = append(t.notes(why), c.Notes...)
	}
	return c
}

// Constant says whether a row's code takes the same time for all data, and why that is believed.
func (t *numbersTable) Constant(r document.Row) htmlCell {
	word := map[string]layout.Text{"yes": {EN: "yes", ZH: "是"}, "no": {EN: "no", ZH: "否"}}[r.ConstantTime.Value]
	c := htmlCell{Text: cmp.Or(word, wordUnknown)}
	if r.ConstantTime.Basis != "" {
		c.Notes = t.notes(reason.Said(r.ConstantTime.Basis, r.ConstantTime.Cause))
	}
	return c
}

// Span is the interval of a ratio, by whose lower end it is sorted.
func (t *numbersTable) Span(c document.Comparison) htmlCell {
	if c.Low == nil || c.High == nil {
		return optionalCell(nil, "")
	}
	return numberCell("["+layout.FormatRatio(*c.Low)+", "+layout.FormatRatio(*c.High)+"]", *c.Low)
}

func (t *numbersTable) Verdict(c document.Comparison) htmlCell {
	look, word := lookOf(c.Verdict), c.VerdictText()
	cell := htmlCell{Text: layout.Text{EN: look.Sign + " " + word.EN, ZH: look.Sign + " " + word.ZH}, Class: look.Class}
	for _, w := range c.Warnings {
		cell.Notes = append(cell.Notes, t.notes(reason.Words(w))...)
	}
	return cell
}

func (t *numbersTable) First(rows []string) htmlCell {
	if len(rows) == 0 {
		return htmlCell{Text: layout.Same("0")}
	}
	c := t.Link(rows[0])
	if n := len(rows) - 1; n > 0 {
		c.Sub = layout.Same("+" + strconv.Itoa(n))
	}
	return c
}

func neverCell(kind string) htmlCell {
	why := map[string]layout.Text{
		document.Level:     {EN: "equal throughout", ZH: "始终相当"},
		document.Undecided: {EN: "inconclusive", ZH: "无法判定"},
	}[kind]
	return htmlCell{Text: cmp.Or(why, layout.Text{EN: "never", ZH: "从不"}), Class: "faint"}
}

func termCell(f document.Fit, name, unit string) htmlCell {
	if v, ok := f.Terms[name]; ok && f.OK {
		return measuredCell(v, unit)
	}
	return optionalCell(nil, "")
}

func otherTerms(f document.Fit) string {
	var others []string
	for _, k := range slices.Sorted(maps.Keys(f.Terms)) {
		if !slices.Contains([]string{"fixed_ns", "bytes_per_second", "half_size_bytes", "ns_per_byte"}, k) {
			others = append(others, k+" = "+figures(f.Terms[k]))
		}
	}
	return strings.Join(others, ", ")
}

// machineFacts lists every fact that the run's header holds about its machine, by its
// name there: "cpu.model", "cpus[3]".
func machineFacts(m result.Machine) (facts [][2]string) {
	b, _ := json.Marshal(m) // of finite numbers and strings: neither this nor reading it can fail
	dec := json.NewDecoder(strings.NewReader(string(b)))
	dec.UseNumber()
	var all any
	var add func(name string, v any)
	add = func(name string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(v)) {
				add(strings.TrimPrefix(name+"."+k, "."), v[k])
			}
		case []any:
			var words []string
			for i, e := range v {
				switch e.(type) {
				case map[string]any, []any:
					add(name+"["+strconv.Itoa(i)+"]", e)
				default:
					words = append(words, fmt.Sprint(e))
				}
			}
			add(name, strings.Join(words, " "))
		case nil:
		default:
			if s := fmt.Sprint(v); s != "" {
				facts = append(facts, [2]string{name, s})
			}
		}
	}
	_ = dec.Decode(&all)
	add("", all)
	return facts
}

func quantity(v float64, unit string) string {
	switch unit {
	case "ns":
		s, _ := htmlTime(document.Estimate{Median: v})
		return s
	case "1", "":
		return layout.FormatNumber(v)
	case "B/s", "bytes/s":
		return layout.FormatRate(v)
	case "B": // computed, and so not round
		return layout.FormatSI(v, "B", "kB", "MB", "GB", "TB")
	}
	return layout.FormatNumber(v) + " " + unit
}

// htmlTime prints nanoseconds to four figures, and the interval in the same
// unit: exact intervals are often narrower than three figures show.
func htmlTime(e document.Estimate) (value, interval string) {
	factor, unit := 1.0, "ns"
	for _, next := range []string{"µs", "ms", "s"} {
		if math.Abs(e.Median) < 1000*factor {
			break
		}
		factor, unit = factor*1000, next
	}
	write := func(ns float64) string { return figures(ns / factor) }
	value = write(e.Median) + " " + unit
	if e.Low != nil && e.High != nil {
		interval = "[" + write(*e.Low) + ", " + write(*e.High) + "]"
	}
	return value, interval
}

// figures prints a number to four figures.
func figures(v float64) string {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	whole := int(math.Floor(math.Log10(math.Abs(v)))) + 1
	return strconv.FormatFloat(v, 'f', min(max(4-whole, 0), 9), 64)
}
