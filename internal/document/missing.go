package document

import (
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

// Missing says that the row's library could not be asked at all: it is not
// installed, or can't be opened. People read why once, in the head; the row itself is
// for programs.
func (r *Row) Missing() bool {
	return r.Version == "" && r.CallPath != subject.Direct && r.CallPath != "" &&
		(r.Status == result.Unsupported || r.Status == result.Crashed)
}

// SharedObjects names the shared objects of libraries that are in the run more than once,
// since their rows are told apart by no more than a version or a number; two that are
// the same file say so.
func (d *Document) SharedObjects() (lines []layout.Text) {
	var files grouped[string, result.Library]
	for _, l := range d.Libraries {
		if l.Path != "" && !slices.ContainsFunc(files.of[l.Library], func(o result.Library) bool { return o.Version == l.Version }) {
			files.add(l.Library, l)
		}
	}
	for _, name := range files.keys {
		of := files.of[name]
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

func lacking(l result.Library) layout.Text {
	names := strings.Fields(l.Lacks)
	const most = 3
	if more := len(names) - most; more > 0 {
		return layout.Say("%s %s: the shared library lacks %s, and %d more functions; cases that need them are unsupported",
			"%s %s：共享库中没有 %s，另缺 %d 个函数；依赖这些函数的测试项不受支持",
			l.Library, l.Version, strings.Join(names[:most], ", "), more)
	}
	return layout.Say("%s %s: the shared library lacks %s; cases that need it are unsupported",
		"%s %s：共享库中没有 %s；依赖该函数的测试项不受支持", l.Library, l.Version, strings.Join(names, ", "))
}

// MissingLibraries are the libraries that were given up, with the rows that this cost; those of which functions are
// missing; and those that could not be asked, with the reason, those of one reason in one line.
func (d *Document) MissingLibraries() (lines []layout.Text) {
	var givenUp grouped[string, int]
	for i := range d.Rows {
		if r := &d.Rows[i]; r.Cause.Code == reason.GivenUp {
			givenUp.add(strings.TrimSpace(r.Library+" "+r.Version), i)
		}
	}
	for _, who := range givenUp.keys {
		lines = append(lines, layout.Say("%s: %s; %d rows have no result", "%s：%s；%d 行没有结果", who,
			reason.Text(reason.Cause(reason.GivenUp)), len(givenUp.of[who])))
	}
	var missing grouped[string, result.Library]
	for _, l := range d.Libraries {
		if l.Missing != "" {
			missing.add(l.Missing, l)
		}
		if line := lacking(l); l.Lacks != "" && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	for _, english := range missing.keys {
		var names []string
		for _, l := range missing.of[english] {
			names = append(names, l.Library)
		}
		why := reason.Said(english, missing.of[english][0].Cause)
		if !strings.HasPrefix(english, strings.Join(names, ", ")+" ") {
			who := layout.Text{EN: strings.Join(names, ", "), ZH: strings.Join(names, "、")}
			why = layout.Say("%s: %s", "%s：%s", who, why)
		}
		lines = append(lines, why)
	}
	return lines
}

// Unanswered says of which of some libraries the run was to tell something and tells nothing: no row of theirs has a
// number, nor an output that was found to be wrong. Each has what stopped it.
func (d *Document) Unanswered(libraries []string) (lines []layout.Text) {
	for _, library := range libraries {
		is := func(r Row) bool { return r.Library == library }
		told := func(r Row) bool { return is(r) && (r.Status == result.OK || r.Status == result.Incorrect) }
		if slices.ContainsFunc(d.Rows, told) {
			continue
		}
		var why result.Cause
		if i := slices.IndexFunc(d.Rows, is); i >= 0 {
			why = reason.Read(d.Rows[i].Reason, d.Rows[i].Cause)
		}
		if i := slices.IndexFunc(d.Libraries, func(l result.Library) bool { return l.Library == library && l.Missing != "" }); i >= 0 {
			why = reason.Read(d.Libraries[i].Missing, d.Libraries[i].Cause)
		}
		if line := layout.Say("%s: %s", "%s：%s", library, reason.Text(why)); why.Code != "" && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return lines
}
