// Package machine reads what a measurement must say about the machine it was
// made on: the CPU and what it can do for cryptography, what of it this process
// may use, and the state that moves during a run.
//
// Everything comes from files under one root (on Linux /proc, /sys and /etc),
// so that the machines in testdata are read by the same code. Reading never
// fails: what can't be known is left zero and named in the facts' Unknown.
// Units are seconds, bytes and Hz.
package machine

import (
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"

	"github.com/cryptogauge/cryptogauge/result"
)

// The records of the machine stand in package result, since they cross the wall
// into the run file; here is how they are read.
type (
	Facts  = result.Machine
	CPU    = result.CPU
	Cache  = result.Cache
	Memory = result.Memory
	Cgroup = result.Cgroup
)

func Read() Facts {
	seen := named(runtime.GOARCH, func(f feature) bool { return f.seen })
	return ReadFrom(root(), Facts{OS: runtime.GOOS, Arch: runtime.GOARCH, GoVersion: runtime.Version(),
		CPU: CPU{Online: runtime.NumCPU(), Features: seen}})
}

// ReadFrom adds the facts from the files under fsys, whose root stands for "/", to what the program knows
// without them: the CPUs and the features that the runtime sees stand where the system does not list them.
func ReadFrom(fsys fs.FS, f Facts) Facts {
	s := source{fsys}
	info := cpuInfo(s.text("proc/cpuinfo"))
	f.Distribution, f.Kernel = s.distribution(), s.label("proc/sys/kernel/osrelease")
	f.Memory, f.Cgroup = s.memory(), s.cgroup()
	f.Hypervisor, f.Product, f.Container = s.hypervisor(info), s.product(), s.container()
	f.ClockSource = s.label("sys/devices/system/clocksource/clocksource0/current_clocksource")
	info.identify(&f.CPU)
	f.CPU.Features = features(f, info)
	s.topology(&f.CPU, info)
	s.frequency(&f.CPU, info)
	f.Unknown = unknown(&f)
	return f
}

// unknown names the fields that are empty and whose emptiness says nothing.
func unknown(f *Facts) []string {
	names := []string{}
	c := &f.CPU
	for _, field := range []struct {
		name  string
		value any
	}{
		{"os", f.OS}, {"distribution", f.Distribution}, {"kernel", f.Kernel}, {"arch", f.Arch}, {"go_version", f.GoVersion},
		{"cpu.vendor", c.Vendor}, {"cpu.model", c.Model}, {"cpu.family", c.Family}, {"cpu.microcode", c.Microcode},
		{"cpu.features", c.Features}, {"cpu.online", c.Online}, {"cpu.allowed", c.Allowed},
		{"cpu.allowed_list", c.AllowedList}, {"cpu.cores", c.Cores}, {"cpu.sockets", c.Sockets},
		{"cpu.threads_per_core", c.ThreadsPerCore}, {"cpu.siblings", c.Siblings}, {"cpu.max_hertz", c.MaxHertz},
		{"cpu.current_hertz", c.CurrentHertz}, {"cpu.governor", c.Governor}, {"cpu.caches", c.Caches},
		{"memory.total_bytes", f.Memory.Total}, {"memory.available_bytes", f.Memory.Available},
		{"cgroup", f.Cgroup.Version}, {"hypervisor", f.Hypervisor}, {"product", f.Product}, {"clock_source", f.ClockSource},
	} {
		empty := slices.Contains([]string{"", "0", "[]"}, fmt.Sprint(field.value))
		if empty && (field.name != "cpu.microcode" || f.Arch == "amd64") {
			names = append(names, field.name)
		}
	}
	return names
}

func root() fs.FS { return os.DirFS("/") }
