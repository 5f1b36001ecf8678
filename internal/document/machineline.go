package document

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
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
	whole := strings.Join(parts, machineSeparator)
	if fits(whole) {
		return whole
	}
	for _, least := range []string{noQuota.In(l), m.Hypervisor} {
		if i := slices.Index(parts, least); i >= 0 {
			parts = slices.Delete(parts, i, i+1)
		}
		if line := strings.Join(parts, machineSeparator); fits(line) {
			return line
		}
	}
	return whole
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
	features := slices.DeleteFunc(slices.Clone(m.CPU.Features), func(f string) bool { return !slices.Contains(telling, f) })
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

func (r *Row) Parameter(key string) string {
	return r.Case().Parameter(key)
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
