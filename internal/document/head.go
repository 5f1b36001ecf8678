package document

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

const machineSeparator = " · "

var noQuota = layout.Text{EN: "no quota", ZH: "无配额"}

// MachineLine is the machine in one line: processor, CPUs and quota, and the
// features that matter to cryptography. It is empty where nothing is known.
func MachineLine(m result.Machine, l layout.Lang) string {
	return strings.Join(machineParts(m, l), machineSeparator)
}

// MachineLineWithin is the machine's line without what tells least of it, that there is no quota and
// then which hypervisor there is, where that makes it fit; else it is [MachineLine].
func MachineLineWithin(m result.Machine, l layout.Lang, fits func(line string) bool) string {
	parts := machineParts(m, l)
	for _, least := range []string{"", noQuota.In(l), m.Hypervisor} {
		parts = slices.DeleteFunc(parts, func(part string) bool { return part == least })
		if line := strings.Join(parts, machineSeparator); fits(line) {
			return line
		}
	}
	return MachineLine(m, l)
}

func machineParts(m result.Machine, l layout.Lang) []string {
	var parts []string
	add := func(known bool, t layout.Text, args ...any) {
		if known {
			parts = append(parts, fmt.Sprintf(t.In(l), args...))
		}
	}
	add(m.CPU.Model != "", layout.Same("%s"), shortModel(m.CPU.Model))
	virtual := m.Hypervisor != "" && m.Hypervisor != "none"
	add(m.CPU.Online > 0 && virtual, layout.Same("%d vCPU"), m.CPU.Online)
	add(m.CPU.Online > 0 && !virtual, layout.Same("%d CPU"), m.CPU.Online)
	add(m.CPU.Cores == 1, layout.Text{EN: "%d core", ZH: "%d 核"}, m.CPU.Cores)
	add(m.CPU.Cores > 1, layout.Text{EN: "%d cores", ZH: "%d 核"}, m.CPU.Cores)
	add(m.CPU.Allowed > 0 && m.CPU.Allowed < m.CPU.Online, layout.Text{EN: "%d allowed", ZH: "可用 %d"}, m.CPU.Allowed)
	add(m.Cgroup.QuotaCPUs > 0, layout.Text{EN: "quota %s CPU", ZH: "配额 %s CPU"}, strconv.FormatFloat(m.Cgroup.QuotaCPUs, 'g', 3, 64))
	unread := slices.Contains(m.Unknown, "kernel") && slices.Contains(m.Unknown, "cgroup") // without /proc
	add(m.Cgroup.QuotaCPUs <= 0 && len(parts) > 0 && !unread, noQuota)
	add(virtual, layout.Same("%s"), m.Hypervisor)
	// The processor's name tells the architecture, and most are Linux.
	add(m.OS != "" && (m.OS != "linux" || m.CPU.Model == ""), layout.Same("%s/%s"), m.OS, m.Arch)
	features := slices.DeleteFunc(slices.Clone(m.CPU.Features), func(f string) bool {
		return !slices.Contains(telling, f)
	})
	add(len(features) > 0, layout.Same("%s"), strings.Join(features, " "))
	return parts
}

// CPUs is how many CPUs the run's workers could use: those that affinity allows, what a
// quota leaves of them, and what GOMAXPROCS says where it was set; 0 where the run does
// not tell.
func (d *Document) CPUs() int {
	n := max(1, int(d.Machine.CPUs()))
	if d.Machine.CPUs() == 0 {
		n = d.Machine.CPU.Online
	}
	for _, set := range d.Environment {
		if k := parameter.GOMAXPROCS.In(set); k > 0 {
			n = min(n, k)
		}
	}
	return n
}

// shortModel leaves out of a processor's name what names nothing.
func shortModel(model string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("(R)", "", "(TM)", "", "(r)", "", "(tm)", "", " CPU ", " ").Replace(model)), " ")
}

// telling are the features that decide which kernels run; the others follow
// from them or matter to none.
var telling = []string{"aes", "avx2", "avx512f", "vaes", "gfni", "sha_ni", "sha2", "sha512", "pmull", "sm3", "sm4", "sve2", "svesm4"}

// Platform gives what the benchmark format wants to know of a machine; "" is
// unknown. It is never the reader's own machine.
func Platform(m result.Machine) (goos, goarch, cpu string) {
	return m.OS, m.Arch, shortModel(m.CPU.Model)
}

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
	found := slices.DeleteFunc(slices.Clone(d.Libraries), func(l result.Library) bool { return l.Path == "" })
	for _, all := range Grouped(found, func(l result.Library) string { return l.Library }) {
		versions := Grouped(all, func(l result.Library) string { return l.Version })
		of := Mapped(versions, func(same []result.Library) result.Library { return same[0] })
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
	givenUp := slices.DeleteFunc(slices.Clone(d.Rows), func(r *Row) bool { return r.Cause.Code != reason.GivenUp })
	who := func(r *Row) string { return strings.TrimSpace(r.Library + " " + r.Version) }
	for _, rows := range Grouped(givenUp, who) {
		lines = append(lines, layout.Say("%s: %s; %d rows have no result", "%s：%s；%d 行没有结果", who(rows[0]),
			reason.Text(reason.Cause(reason.GivenUp)), len(rows)))
	}
	var missing []result.Library
	for _, l := range d.Libraries {
		if l.Missing != "" {
			missing = append(missing, l)
		}
		if line := lacking(l); l.Lacks != "" && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	for _, all := range Grouped(missing, func(l result.Library) string { return l.Missing }) {
		names := Mapped(all, func(l result.Library) layout.Text { return layout.Same(l.Library) })
		who, why := layout.JoinWith(names, ", ", "、"), reason.Said(all[0].Missing, all[0].Cause)
		if !strings.HasPrefix(all[0].Missing, who.EN+" ") {
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
		is := func(r *Row) bool { return r.Library == library }
		told := func(r *Row) bool { return is(r) && (r.Status == result.OK || r.Status == result.Incorrect) }
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
