package decide

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
)

// ReadSizes reads the histogram of a name, which a workload gives behind an @.
type ReadSizes func(name string) ([]result.SizeShare, error)

// Parse reads a workload file.
func Parse(file string, data []byte, sizes ReadSizes) (*Workload, error) {
	root, err := readYAML(file, data)
	if err != nil {
		return nil, err
	}
	w := &Workload{}
	perInstance := value(&w.Price.VCPUPerInstance, ParsePositive)
	err = fields{
		"name": value(&w.Name, ParseName),
		"rate": value(&w.Rate, ParseRate),
		"limits": fields{
			"p99":         value(&w.Limits.P99, ParseLatency),
			"utilization": value(&w.Limits.Utilization, ParseShare),
		}.read,
		"price": fields{
			"vcpu_hour":         value(&w.Price.VCPUHour, ParsePositive),
			"currency":          value(&w.Price.Currency, ParseName),
			"vcpu_per_instance": perInstance,
		}.read,
		"vcpu_per_instance": perInstance,
		"steps": func(n *node) error {
			if !n.list || len(n.items) == 0 {
				return n.wrong("steps is a list of at least one step", "steps 应为至少含一个步骤的列表")
			}
			for _, item := range n.items {
				s, err := item.step(sizes)
				if err != nil {
					return err
				}
				w.Steps = append(w.Steps, s)
			}
			return nil
		},
	}.read(root)
	if err != nil {
		return nil, err
	}
	return w, w.complete(root)
}

// complete says what a workload lacks.
func (w *Workload) complete(root *node) error {
	if len(w.Steps) == 0 {
		return root.wrong("steps are missing: a list of what one transaction does", "缺少 steps：一笔事务所做步骤的列表")
	}
	if i := slices.IndexFunc(w.Steps, func(s Step) bool { return s.Rate == 0 }); w.Rate == 0 && w.Rated() && i >= 0 {
		return root.wrong("rate is missing, and step %q has none of its own", "缺少 rate，而步骤 %q 也没有自己的 rate", w.Steps[i].Name)
	}
	if err := w.Check(); err != nil {
		return root.wrong("%s", "%s", language.Of(err))
	}
	return nil
}

// Check refuses what a workload can't be planned for.
func (w *Workload) Check() error {
	const mostSteps = 50 // each is several rows
	switch {
	case len(w.Steps) > mostSteps:
		return language.Errorf("%d steps; give at most %d", "有 %d 个步骤；最多 %d 个", len(w.Steps), mostSteps)
	case !w.Rated() && w.Limits.P99 > 0:
		return language.Error("a limit of p99 needs a rate, e.g. 3000/s", "有 p99 限值就要给出速率，例如 3000/s")
	case !w.Rated() && w.Price.VCPUPerInstance > 0:
		return language.Error("the number of instances needs a rate, e.g. 3000/s", "计算实例数要给出速率，例如 3000/s")
	case w.Price.Currency != "" && w.Price.VCPUHour == 0:
		return language.Error("a currency needs the price of a vCPU for an hour", "给出货币就要给出每 vCPU 小时的价格")
	}
	for i := range w.Steps {
		if s := &w.Steps[i]; w.rate(s) > MostRate {
			return language.Errorf("step %q: its rate times per is above 1e12/s", "步骤 %q：rate 与 per 之积超过 1e12/s", s.Name)
		}
	}
	return nil
}

// fields are what a mapping may hold, and what reads each of them.
type fields map[string]func(*node) error

func (known fields) read(n *node) error {
	if n.scalar || n.list {
		return n.wrong("fields are expected here, e.g. name: value", "此处应为字段，例如 name: value")
	}
	for _, f := range n.fields {
		read, ok := known[f.name]
		if !ok {
			return f.at.unknown(language.Text{EN: "field", ZH: "字段"}, f.name, slices.Sorted(maps.Keys(known)))
		}
		if err := read(f.value); err != nil {
			return err
		}
	}
	return nil
}

// unknown says that a word is none of those that may stand here, and which was meant.
func (n *node) unknown(what language.Text, word string, names []string) error {
	return n.wrong("%s", "%s", language.Of(unknown(what, word, names)))
}

func unknown(what language.Text, word string, names []string) error {
	return language.Errorf("unknown %s %q; %s", "未知的%s %q；%s", what, word, plan.CouldBe(word, names, names))
}

// value reads a scalar into its place, by a function that names the mistake.
func value[T any](into *T, parse func(string) (T, error)) func(*node) error {
	return func(n *node) error {
		if !n.scalar {
			return n.wrong("one value is expected here", "此处应为单个值")
		}
		v, err := parse(n.text)
		if err != nil {
			return n.wrong("%s", "%s", language.Of(err))
		}
		*into = v
		return nil
	}
}

// ParseName reads a name that stands in reports.
func ParseName(text string) (string, error) {
	const most = 120
	if strings.TrimSpace(text) == "" || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) || utf8.RuneCountInString(text) > most {
		return "", language.Errorf("a name of one line is expected, of at most %d characters", "应为一行名称，最多 %d 个字符", most)
	}
	return text, nil
}

// MostRate is more than all of a company's machines do. Below leastNumber one is a slip.
const (
	MostRate    = 1e12
	leastNumber = 1e-6
)

// ParseRate reads how often something is done: "3000/s", "200/min".
func ParseRate(text string) (float64, error) {
	number, unit, _ := strings.Cut(strings.TrimSpace(text), "/")
	seconds, known := map[string]float64{"": 1, "s": 1, "min": 60, "h": 3600}[strings.TrimSpace(unit)]
	v, ok := decimal(number)
	if !known || !ok {
		return 0, language.Errorf("rate %q: give a number a second, e.g. 3000/s (or /min, /h)",
			"rate %q：请给出每秒次数，例如 3000/s（或 /min、/h）", text)
	}
	if v /= seconds; !(v >= leastNumber) || v > MostRate {
		return 0, language.Errorf("rate %q: give a rate above 0 (at least 1e-6/s) and up to 1e12/s", "rate %q：应大于 0（至少 1e-6/s）且不超过 1e12/s", text)
	}
	return v, nil
}

// ParseShare reads a share above 0, up to 1, or in percent.
func ParseShare(text string) (float64, error) {
	number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	v, ok := decimal(number)
	if percent {
		v /= 100
	}
	if !ok || !(v >= leastNumber && v <= 1) {
		return 0, language.Errorf("%q: give a share above 0 and up to 1, e.g. 0.7", "%q：应为大于 0、不超过 1 的比例，例如 0.7", text)
	}
	return v, nil
}

// ParseShareOrNone reads a share that may be 0.
func ParseShareOrNone(text string) (float64, error) {
	if v, ok := decimal(text); ok && v == 0 {
		return 0, nil
	}
	return ParseShare(text)
}

// ParsePositive reads a number above 0.
func ParsePositive(text string) (float64, error) {
	const most = 1e9
	v, ok := decimal(text)
	if !ok || !(v >= leastNumber) || v > most {
		return 0, language.Errorf("%q: give a number above 0 (1e-6 to 1e9)", "%q：应为大于 0 的数（1e-6 至 1e9）", text)
	}
	return v, nil
}

// ParseLatency reads a time that a limit is set to.
func ParseLatency(text string) (time.Duration, error) {
	d, err := time.ParseDuration(strings.TrimSpace(text))
	if err != nil || d <= 0 || d > time.Minute {
		return 0, language.Errorf("%q: give a time above 0 and up to 1m, e.g. 5ms", "%q：应为大于 0、不超过 1m 的时间，例如 5ms", text)
	}
	return d, nil
}

// decimal reads a number as people write it: no hexadecimal, no infinity.
func decimal(text string) (float64, bool) {
	text = strings.TrimSpace(text)
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil && !math.IsInf(v, 0) && !math.IsNaN(v) && !strings.ContainsAny(text, "xXpP_")
}

func (n *node) step(sizes ReadSizes) (s Step, err error) {
	s.Per = 1
	known := fields{
		"name":    value(&s.Name, ParseName),
		"require": func(n *node) error { return n.requirements(&s.Require) },
		"per":     value(&s.Per, ParsePositive),
		"rate":    value(&s.Rate, ParseRate),
		"use":     func(n *node) error { return n.use(&s) },
	}
	var doing []string
	for _, need := range Needs {
		known[string(need)] = func(n *node) error {
			doing = append(doing, string(need))
			s.Need = need
			return n.need(&s, sizes)
		}
	}
	if err := known.read(n); err != nil {
		return s, err
	}
	if s.Use != nil {
		doing = append(doing, "use")
	}
	switch {
	case len(doing) == 0:
		return s, n.wrong("the step does nothing; give one of %s, use", "该步骤没有内容；请给出 %s、use 之一", strings.Join(namesOf(Needs), ", "))
	case len(doing) > 1:
		return s, n.wrong("the step has %s; give each a step of its own", "该步骤含 %s；请各自作为一个步骤", strings.Join(doing, ", "))
	case s.Use != nil:
		err = s.Use.fill(&s)
	}
	if err == nil {
		err = s.Check()
	}
	if err != nil {
		return s, n.wrong("%s", "%s", language.Of(err))
	}
	s.Name = cmp.Or(s.Name, string(s.Need))
	return s, nil
}

// need reads what stands below sign, seal and the like; nothing has to.
func (n *node) need(s *Step, sizes ReadSizes) error {
	if n.scalar && (n.text == "" || n.text == "null" || n.text == "~") {
		return nil
	}
	known := fields{}
	if s.Need.Sized() {
		known["bytes"] = value(&s.Sizes, oneSize)
		known["sizes"] = value(&s.Sizes, func(text string) ([]result.SizeShare, error) { return ParseSizes(text, sizes) })
	}
	if s.Need == Handshake {
		known["resumed"] = value(&s.Resumed, ParseShareOrNone)
		known["client_auth"] = value(&s.ClientAuth, func(text string) (bool, error) {
			if text != "true" && text != "false" {
				return false, language.Errorf("client_auth %q: give true or false", "client_auth %q：应为 true 或 false", text)
			}
			return text == "true", nil
		})
	}
	return known.read(n)
}

// ParseSizes reads a size, or the histogram of @FILE.
func ParseSizes(text string, read ReadSizes) ([]result.SizeShare, error) {
	name, file := strings.CutPrefix(text, "@")
	if !file {
		return oneSize(text)
	}
	if name == "" {
		return nil, language.Error("sizes @: give the file's name after the @, e.g. @sizes.csv", "sizes @：请在 @ 后给出文件名，例如 @sizes.csv")
	}
	return read(name)
}

func oneSize(text string) ([]result.SizeShare, error) {
	bytes, err := plan.ParseSize(text)
	return []result.SizeShare{{Bytes: bytes, Weight: 1}}, err
}

func (n *node) requirements(into *[]Requirement) error {
	items := n.items
	if n.scalar {
		items = []*node{n}
	} else if !n.list {
		return n.wrong("a list of requirements is expected, e.g. [constant-time]", "应为要求的列表，例如 [constant-time]")
	}
	for _, item := range items {
		var r Requirement
		if f := item.fields; len(f) == 1 && f[0].value.scalar { // standard:gb between braces is a mapping to YAML
			item.scalar, item.text = true, f[0].name+":"+f[0].value.text
		}
		if err := value(&r, ParseRequirement)(item); err != nil {
			return err
		}
		if !slices.Contains(*into, r) {
			*into = append(*into, r)
		}
	}
	return nil
}

func (n *node) use(s *Step) error {
	u := &Use{}
	s.Use = u
	return fields{
		"library":   value(&u.Library, ParseName),
		"algorithm": value(&u.Algorithm, ParseName),
		"mode":      value(&u.Mode, ParseName),
		"operation": value(&u.Operation, ParseName),
		"bytes":     value(&u.Bytes, plan.ParseSize),
	}.read(n)
}
