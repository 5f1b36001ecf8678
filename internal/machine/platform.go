package machine

import (
	_ "embed"
	"slices"
	"strings"
)

func (s source) distribution() string {
	name := field(s.text("etc/os-release")+"\n"+s.text("usr/lib/os-release"), "PRETTY_NAME", "=")
	return label(strings.Trim(name, `"'`))
}

func (s source) memory() Memory {
	text := s.text("proc/meminfo")
	return Memory{
		Total:     binarySize(field(text, "MemTotal", ":")),
		Available: binarySize(field(text, "MemAvailable", ":")),
	}
}

const dmi = "sys/class/dmi/id/"

// product is what the firmware says the machine is.
func (s source) product() string {
	return strings.TrimSpace(s.label(dmi+"sys_vendor") + " " + s.label(dmi+"product_name"))
}

// hypervisors are texts that give one away.
//
//go:embed hypervisors.txt
var hypervisors string

// hinted is the hypervisor that a text of a kind hints at.
func hinted(kind, text string) string {
	for line := range strings.Lines(hypervisors) {
		name, hint, _ := strings.Cut(line, " ")
		if hint, ok := strings.CutPrefix(hint, kind+" "); ok && strings.Contains(text, strings.TrimSpace(hint)) {
			return name
		}
	}
	return ""
}

// hypervisor returns "" where there is nothing to tell by. An x86 CPU says
// whether there is one; its name is a matter of hints, as on arm64 is all of it.
func (s source) hypervisor(info cpuInfo) string {
	x86 := info.get("flags") != ""
	if x86 && !slices.Contains(info.flags(), "hypervisor") {
		return "none"
	}
	product := s.product()
	if name := hinted("firmware", strings.ToLower(product)); name != "" && !strings.Contains(product, ".metal") {
		return name
	}
	// The OEM ID of the fixed table, bytes 10 to 15 of its header (ACPI 6.5 §5.2.6). Only root may read it.
	if table := s.text("sys/firmware/acpi/tables/FACP"); len(table) >= 16 {
		if name := hinted("acpi", table[10:16]); name != "" {
			return name
		}
	}
	kernel := s.text("sys/hypervisor/type") + " " +
		s.text("proc/device-tree/hypervisor/compatible") + " " +
		s.text("sys/devices/system/clocksource/clocksource0/available_clocksource")
	if name := hinted("kernel", kernel); name != "" {
		return name
	}
	switch {
	case x86:
		return "unnamed"
	case product != "": // firmware that names a machine, and no virtual one
		return "none"
	}
	return ""
}

func (s source) container() string {
	groups := s.text("proc/self/cgroup")
	switch {
	case s.exists("run/secrets/kubernetes.io"), s.exists("var/run/secrets/kubernetes.io"), strings.Contains(groups, "kubepods"):
		return "kubernetes"
	case s.exists("run/.containerenv"):
		return "podman"
	case s.exists(".dockerenv"), strings.Contains(groups, "/docker"):
		return "docker"
	case strings.Contains(groups, "/lxc"), s.exists("dev/lxd"):
		return "lxc"
	}
	return ""
}
