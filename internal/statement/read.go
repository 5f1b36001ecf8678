package statement

import (
	"bytes"
	"cmp"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
)

// MostBytes is more than anyone writes by hand.
const MostBytes = 1 << 20

// Read reads a file of statements. name is what errors call it. Lines may end as on Windows, and
// a byte order mark may stand before the first.
func Read(name string, content []byte) (f File, err error) {
	content = bytes.ReplaceAll(bytes.TrimPrefix(content, []byte("\ufeff")), []byte("\r\n"), []byte("\n"))
	start := Place{name, 1, 1}
	if err := noText(start, content); err != nil {
		return f, err
	}
	file, err := parser.ParseBytes(content, 0)
	if err != nil {
		return f, syntax(start, err)
	}
	docs := slices.DeleteFunc(slices.Clone(file.Docs), func(d *ast.DocumentNode) bool { return d.Body == nil })
	switch {
	case len(docs) == 0:
		return f, start.Errorf("the file is empty; give a list of statements:", "文件是空的；请给出 statements 列表")
	case len(docs) > 1:
		return f, start.Errorf("this holds %d documents; give one, with a list of statements:", "其中有 %d 个文档；请只给一个，其中有 statements 列表", len(docs))
	}
	r := reader{name}
	fields, err := r.fields(docs[0].Body, []string{"title", "about", "statements"})
	if err != nil {
		return f, err
	}
	if err := r.texts(fields, map[string]*string{"title": &f.Title, "about": &f.About}); err != nil {
		return f, err
	}
	list, ok := fields["statements"].value.(*ast.SequenceNode)
	if !ok || len(list.Values) == 0 {
		return f, start.Errorf("give a list of statements:, each begun by a dash", "请给出 statements 列表，每项以短横开头")
	}
	lines := map[string]int{}
	for _, n := range list.Values {
		s, err := r.statement(n)
		if err != nil {
			return f, err
		}
		if line, said := lines[s.Says]; said {
			return f, s.Place.Errorf("line %d says %q already; give each statement words of its own", "第 %d 行已有同名声明 %q；每条声明的 says 须不同", line, s.Says)
		}
		if s.Says != "" {
			lines[s.Says] = s.Place.Line
		}
		f.Statements = append(f.Statements, s)
	}
	return f, nil
}

// noText says what makes a file other than a text that YAML may be; nil where nothing does.
func noText(at Place, content []byte) error {
	if len(content) > MostBytes {
		return at.Errorf("this is no file of statements: it is longer than 1 MiB", "不是声明文件：超过 1 MiB")
	}
	const deepest = 100 // far more than statements are, and little enough for a parser that calls itself
	open := 0           // brackets, those in texts too
	for _, line := range bytes.Split(content, []byte("\n")) {
		at.Column = 1
		dashes := bytes.Count(line, []byte("- "))
		for len(line) > 0 {
			r, size := utf8.DecodeRune(line)
			switch r {
			case '[', '{':
				open++
			case ']', '}':
				open = max(0, open-1)
			}
			switch {
			case r == utf8.RuneError && size == 1:
				return at.Errorf("this is not UTF-8; save the file as UTF-8", "不是 UTF-8 编码；请将文件存为 UTF-8")
			case r < ' ' && r != '\t' || r == 0x7f:
				return at.Errorf("this holds the control character %U; take it out", "其中有控制字符 %U；请去掉", r)
			case open > deepest || dashes > deepest:
				return at.Errorf("this is nested more than %d deep; statements are a list", "嵌套超过 %d 层；声明只是一个列表", deepest)
			}
			line = line[size:]
			at.Column++
		}
		at.Line++
	}
	return nil
}

// syntax is what the YAML parser found, without the lines of the file that it quotes.
func syntax(start Place, err error) error {
	var at yaml.Error
	if !errors.As(err, &at) {
		return start.Errorf("this is not YAML: %s", "不是 YAML：%s", firstLine(err.Error()))
	}
	if tk := at.GetToken(); tk != nil && tk.Position != nil {
		start.Line, start.Column = tk.Position.Line, tk.Position.Column
	}
	return start.Errorf("this is not YAML: %s", "不是 YAML：%s", firstLine(at.GetMessage()))
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

type reader struct{ file string }

// place is where a node stands.
func (r reader) place(n ast.Node) Place {
	at := Place{r.file, 1, 1}
	if n == nil {
		return at
	}
	if m, ok := n.(*ast.MappingNode); ok && len(m.Values) > 0 {
		n = m.Values[0].Key
	}
	if tk := n.GetToken(); tk != nil && tk.Position != nil {
		at.Line, at.Column = tk.Position.Line, tk.Position.Column
	}
	return at
}

// field is a key and its value.
type field struct {
	key   Place
	value ast.Node
}

// fields are those of a mapping that may have some keys.
func (r reader) fields(n ast.Node, known []string) (map[string]field, error) {
	var values []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		values = n.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{n}
	default:
		return nil, r.place(n).Errorf("give keys and values here: %s", "此处应为键与值：%s", strings.Join(known, ", "))
	}
	fields := map[string]field{}
	for _, v := range values {
		at := r.place(v.Key)
		name, ok := scalar(v.Key)
		if !ok {
			return nil, at.Errorf("a key must be a word", "键必须是一个单词")
		}
		if !slices.Contains(known, name) {
			return nil, at.Errorf("unknown key %q; %s", "未知的键 %q；%s", name, plan.CouldBe(name, known, known))
		}
		fields[name] = field{at, v.Value}
	}
	return fields, nil
}

// scalar is a value that is one text, as it was written.
func scalar(n ast.Node) (text string, ok bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.LiteralNode:
		return strings.TrimSpace(n.Value.Value), true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return n.GetToken().Value, true
	}
	return "", false
}

// text is a field's text; empty where the field is absent.
func (r reader) text(fields map[string]field, name string) (string, error) {
	f, there := fields[name]
	if !there {
		return "", nil
	}
	text, ok := scalar(f.value)
	if !ok || strings.TrimSpace(text) == "" {
		return "", f.key.Errorf("%s needs one value behind it", "%s 后面需要一个值", name)
	}
	return text, nil
}

// texts reads fields that are texts into their places.
func (r reader) texts(fields map[string]field, into map[string]*string) (err error) {
	for _, name := range slices.Sorted(maps.Keys(into)) {
		if *into[name], err = r.text(fields, name); err != nil {
			return err
		}
	}
	return nil
}

// subjects are the keys that say what a statement is about, of which it has one, and with
// each the keys that go with it.
var subjects = []struct {
	key  string
	with []string
}{
	{"row", []string{"time", "rate", "metrics", "at", "latency_p99"}},
	{"rows", []string{"status"}},
	{string(Faster), []string{"than", "by"}},
	{string(Slower), []string{"than", "by"}},
	{string(Same), []string{"as", "by"}},
	{string(Plan), []string{"vcpu", "chosen", "p99"}},
	{string(Unmeasured), nil},
}

// keys are all that a statement may have.
func keys() []string {
	all := []string{"says", "source"}
	for _, s := range subjects {
		all = append(all, s.key)
		for _, k := range s.with {
			if !slices.Contains(all, k) {
				all = append(all, k)
			}
		}
	}
	return all
}

func (r reader) statement(n ast.Node) (s Statement, err error) {
	fields, err := r.fields(n, keys())
	if err != nil {
		return s, err
	}
	s.Place = r.place(n)
	if err = r.texts(fields, map[string]*string{"says": &s.Says, "source": &s.Source}); err != nil {
		return s, err
	}
	about, err := subjectOf(s.Place, fields)
	if err != nil {
		return s, err
	}
	switch Kind(about) {
	case Plan:
		return s, r.plan(&s, fields)
	case Unmeasured:
		s.Kind = Unmeasured
		return s, r.texts(fields, map[string]*string{about: &s.Reason})
	}
	if s.Row, err = r.selector(fields[about].value); err != nil {
		return s, err
	}
	switch about {
	case "row":
		return s, r.row(&s, fields)
	case "rows":
		return s, r.status(&s, fields)
	}
	s.Direction = Direction(about)
	return s, r.ratio(&s, fields)
}

// subjectOf is what a statement is about, where it is about one thing and has no key that
// goes with another.
func subjectOf(at Place, fields map[string]field) (about string, err error) {
	var choice, with []string
	for _, s := range subjects {
		choice = append(choice, s.key)
		if f, there := fields[s.key]; there && about != "" {
			return "", f.key.Errorf("a statement is about one thing, and this one has %s and %s: make two of it",
				"一条声明只针对一件事，此处同时有 %s 与 %s：请分成两条", about, s.key)
		} else if there {
			about, with = s.key, append([]string{"says", "source", s.key}, s.with...)
		}
	}
	if about == "" {
		return "", at.Errorf("this statement is about nothing: give one of %s", "这条声明没有对象：请给出 %s 之一", strings.Join(choice, ", "))
	}
	for _, name := range keys() {
		if f, there := fields[name]; there && !slices.Contains(with, name) {
			return "", f.key.Errorf("%s does not go with %s", "%s 不能与 %s 同用", name, about)
		}
	}
	return about, nil
}

func (r reader) selector(n ast.Node) (Selector, error) {
	var names []string
	for _, p := range parts {
		names = append(names, p.name)
	}
	fields, err := r.fields(n, names)
	if err != nil {
		return Selector{}, err
	}
	return r.selection(r.place(n), fields, names)
}

// selection is the selector of some fields, of which there is one at least.
func (r reader) selection(at Place, fields map[string]field, names []string) (Selector, error) {
	s := Selector{Place: at}
	for _, name := range names {
		f, there := fields[name]
		if !there {
			continue
		}
		value, err := r.text(fields, name)
		if err != nil {
			return s, err
		}
		p := Part{r.place(f.value), name, strings.TrimSpace(value)}
		if name == "bytes" {
			size, err := plan.ParseSize(p.Value)
			if err != nil {
				return s, p.Place.Errorf("bytes: %s", "bytes：%s", err)
			}
			p.Value = strconv.FormatInt(size, 10)
		}
		s.Parts = append(s.Parts, p)
	}
	if len(s.Parts) == 0 {
		return s, at.Errorf("say which rows: %s", "请指明是哪些行：%s", strings.Join(names, ", "))
	}
	return s, nil
}

// bound adds a field that is a range to what a statement claims.
func (r reader) bound(s *Statement, fields map[string]field, name string, allowed ...Unit) error {
	f, there := fields[name]
	if !there {
		return nil
	}
	text, err := r.text(fields, name)
	if err != nil {
		return err
	}
	within, err := ParseRange(text, allowed...)
	if err != nil {
		return r.place(f.value).Errorf("%s: %s", "%s：%s", name, err)
	}
	s.Bounds = append(s.Bounds, Bound{What: name, Range: within})
	return nil
}

func (r reader) row(s *Statement, fields map[string]field) error {
	s.Kind = Row
	err := cmp.Or(r.bound(s, fields, "time", Nanoseconds), r.bound(s, fields, "rate", BytesPerSecond, PerSecond),
		r.metrics(s, fields))
	if err != nil {
		return err
	}
	at, atThere := fields["at"]
	_, latency := fields["latency_p99"]
	switch {
	case atThere != latency:
		return cmp.Or(at.key, s.Place).Errorf("at and latency_p99 go together: a latency at a rate of arrivals", "at 与 latency_p99 须同时给出：某一到达速率下的延迟")
	case latency && len(s.Bounds) > 0:
		return at.key.Errorf("a latency at a rate is a statement of its own", "某一速率下的延迟须单独成为一条声明")
	case latency:
		return r.latency(s, fields)
	case len(s.Bounds) == 0:
		return s.Place.Errorf("say what of this row: time, rate, metrics, or at with latency_p99", "请指明该行的哪一项：time、rate、metrics，或 at 与 latency_p99")
	}
	return nil
}

func (r reader) latency(s *Statement, fields map[string]field) error {
	s.Kind = Latency
	text, err := r.text(fields, "at")
	if err != nil {
		return err
	}
	if s.At, err = ParseArrivals(text); err != nil {
		return r.place(fields["at"].value).Errorf("at: %s", "at：%s", err)
	}
	return r.bound(s, fields, "latency_p99", Nanoseconds)
}

// metrics adds names of metrics with a range each.
func (r reader) metrics(s *Statement, fields map[string]field) error {
	f, there := fields["metrics"]
	if !there {
		return nil
	}
	values, ok := f.value.(*ast.MappingNode)
	if !ok {
		return r.place(f.value).Errorf("metrics: give names with a range each, as {latency_p99_ns: ..1ms}",
			"metrics：请给出指标名与范围，例如 {latency_p99_ns: ..1ms}")
	}
	for _, v := range values.Values {
		name, named := scalar(v.Key)
		text, ok := scalar(v.Value)
		if !named || !ok {
			return r.place(v.Key).Errorf("metrics: give names with a range each, as {latency_p99_ns: ..1ms}",
				"metrics：请给出指标名与范围，例如 {latency_p99_ns: ..1ms}")
		}
		within, err := ParseRange(text)
		if err != nil {
			return r.place(v.Value).Errorf("%s: %s", "%s：%s", name, err)
		}
		s.Bounds = append(s.Bounds, Bound{name, true, within})
	}
	return nil
}

func (r reader) ratio(s *Statement, fields map[string]field) (err error) {
	s.Kind = Ratio
	other := "than"
	if s.Direction == Same {
		other = "as"
	}
	f, there := fields[other]
	if !there {
		return s.Place.Errorf("%s needs %s: which other row?", "%s 需要 %s：与哪一行相比？", s.Direction, other)
	}
	if s.Than, err = r.selector(f.value); err != nil {
		return err
	}
	if err = r.bound(s, fields, "by", Number); err != nil || len(s.Bounds) == 0 {
		return err
	}
	if within := s.Bounds[0].Range; s.Direction != Same && within.High < 1 {
		return r.place(fields["by"].value).Errorf("by is a factor, and below 1 is not %s: let the two change places", "by 是倍数，小于 1 与 %s 相矛盾：请交换两侧", s.Direction)
	}
	return nil
}

// statuses are those that rows may be said to have.
var statuses = []string{string(result.OK), string(result.Incorrect), string(result.Unsupported), string(result.Crashed)}

func (r reader) status(s *Statement, fields map[string]field) (err error) {
	s.Kind = Status
	if s.Status, err = r.text(fields, "status"); err != nil {
		return err
	}
	switch {
	case s.Status == "":
		return s.Place.Errorf("rows needs status: one of %s", "rows 需要 status：%s 之一", strings.Join(statuses, ", "))
	case !slices.Contains(statuses, s.Status):
		return r.place(fields["status"].value).Errorf("unknown status %q; there are: %s", "未知的状态 %q；可选的有：%s", s.Status, strings.Join(statuses, ", "))
	}
	return nil
}

// ofCandidates are the parts that tell the candidates of a plan from each other.
var ofCandidates = []string{"library", "algorithm", "mode"}

// plan reads what is claimed of a workload's plan: how many CPUs, which candidate, which latency.
func (r reader) plan(s *Statement, fields map[string]field) (err error) {
	s.Kind = Plan
	if s.Workload, err = r.text(fields, string(Plan)); err != nil {
		return err
	}
	if err = cmp.Or(r.bound(s, fields, "vcpu", Number), r.bound(s, fields, "p99", Nanoseconds)); err != nil {
		return err
	}
	f, there := fields["chosen"]
	if !there && len(s.Bounds) == 0 {
		return s.Place.Errorf("say what of this plan: vcpu, chosen or p99", "请指明该计划的哪一项：vcpu、chosen 或 p99")
	}
	if !there {
		return nil
	}
	of, err := r.fields(f.value, append([]string{"step"}, ofCandidates...))
	if err != nil {
		return err
	}
	if s.Step, err = r.text(of, "step"); err != nil {
		return err
	}
	s.Row, err = r.selection(r.place(f.value), of, ofCandidates)
	return err
}
