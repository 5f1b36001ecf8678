package document

import (
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// Missing says that the row's library could not be asked at all: it is not
// installed, or can't be opened. People read why once, in the head; the row itself is
// for programs.
func (r *Row) Missing() bool {
	return r.Version == "" && r.CallPath != "go" && r.CallPath != "" && (r.Status == result.Unsupported || r.Status == result.Crashed)
}

// SharedObjects names the shared objects of libraries that are in the run more than once,
// since their rows are told apart by no more than a version or a number; two that are
// the same file say so.
func (d *Document) SharedObjects() (lines []layout.Text) {
	files := map[string][]result.Library{}
	var order []string
	for _, l := range d.Libraries {
		if l.Path == "" || slices.ContainsFunc(files[l.Library], func(o result.Library) bool { return o.Version == l.Version }) {
			continue
		}
		if files[l.Library] == nil {
			order = append(order, l.Library)
		}
		files[l.Library] = append(files[l.Library], l)
	}
	for _, name := range order {
		of := files[name]
		for i, l := range of {
			if len(of) == 1 {
				break
			}
			line := layout.Same(l.Library + "-" + l.Version + " " + l.Path)
			if j := slices.IndexFunc(of, func(o result.Library) bool { return o.SHA256 == l.SHA256 }); j < i {
				line = layout.Say("%s, identical to %s", "%s，与 %s 的内容相同", line, of[j].Library+"-"+of[j].Version)
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// lacking names the functions that a library's object has not, the first few of many.
func lacking(l result.Library) layout.Text {
	names := strings.Fields(l.Lacks)
	const most = 3
	if more := len(names) - most; more > 0 {
		return layout.Say("%s %s: the shared library lacks %s, and %d more functions; cases that need them are unsupported",
			"%s %s：其共享库中没有 %s，另缺 %d 个函数；依赖这些函数的测试项不受支持", l.Library, l.Version, strings.Join(names[:most], ", "), more)
	}
	return layout.Say("%s %s: the shared library lacks %s; cases that need it are unsupported", "%s %s：其共享库中没有 %s；依赖该函数的测试项不受支持",
		l.Library, l.Version, strings.Join(names, ", "))
}

// givenUp are the libraries of which nothing more was asked, with the rows that this cost.
func (d *Document) givenUp() (lines []layout.Text) {
	var order []string
	rows := map[string]int{}
	for i := range d.Rows {
		r := &d.Rows[i]
		if r.Cause.Code != reason.GivenUp {
			continue
		}
		who := strings.TrimSpace(r.Library + " " + r.Version)
		if rows[who] == 0 {
			order = append(order, who)
		}
		rows[who]++
	}
	because := reason.Text(reason.Cause(reason.GivenUp))
	for _, who := range order {
		lines = append(lines, layout.Say("%s: %s; %d rows have no result", "%s：%s；%d 行没有结果", who, because, rows[who]))
	}
	return lines
}

// MissingLibraries are the libraries that were given up; those that could not be asked, with the reason, those of one
// reason in one line; and those of which functions are missing.
func (d *Document) MissingLibraries() (lines []layout.Text) {
	lines = d.givenUp()
	var reasons []result.Library // one of each reason
	names := map[string][]string{}
	for _, l := range d.Libraries {
		if l.Missing == "" {
			continue
		}
		if names[l.Missing] == nil {
			reasons = append(reasons, l)
		}
		names[l.Missing] = append(names[l.Missing], l.Library)
	}
	for _, l := range d.Libraries {
		if line := lacking(l); l.Lacks != "" && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	for _, l := range reasons {
		who, because := strings.Join(names[l.Missing], ", "), reason.Said(l.Missing, l.Cause)
		if strings.HasPrefix(l.Missing, who+" ") {
			lines = append(lines, because)
			continue
		}
		lines = append(lines, layout.Text{EN: who + ": " + because.EN, ZH: strings.Join(names[l.Missing], "、") + "：" + because.ZH})
	}
	return lines
}
