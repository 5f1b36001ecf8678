package archive

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/machine"
	"github.com/cryptogauge/cryptogauge/result"
)

// machineOf is the kind of a machine. Its key is that of baselines, which holds the processor, its features and how
// many CPUs there are, and what that leaves out and times depend on: what the CPUs are lent by, and in a cloud
// the instance type. Kernel, microcode, Go and versions of libraries are no part of it: they are what a history
// says has changed.
func machineOf(m result.Machine) Machine {
	where := strings.Trim(m.Hypervisor+"/"+m.Product, "/")
	key := machine.Key(m)
	if where != "" && where != "none" {
		key += "-" + keyOf(where)[:8]
	}
	return Machine{Key: key, Label: clean(labelOf(m)), Arch: clean(m.Arch), CPU: clean(m.CPU.Model), CPUs: m.CPUs(),
		Hypervisor: clean(m.Hypervisor), Product: clean(m.Product)}
}

// labelOf names a kind of machine for people, in words that every language has.
func labelOf(m result.Machine) string {
	_, _, cpu := document.Platform(m)
	parts := []string{m.Product, cpu}
	if cpus := m.CPUs(); cpus > 0 {
		parts = append(parts, strconv.FormatFloat(cpus, 'g', 3, 64)+" CPU")
	}
	if m.Hypervisor != "none" {
		parts = append(parts, m.Hypervisor)
	}
	if cpu == "" {
		parts = append(parts, m.OS+"/"+m.Arch)
	}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return strings.Trim(part, "/") == "" }), " · ")
}
