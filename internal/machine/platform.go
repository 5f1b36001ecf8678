package machine

import "strings"

func (s source) distribution() string {
	for _, path := range []string{"etc/os-release", "usr/lib/os-release"} {
		if name := field(s.text(path), "PRETTY_NAME", "="); name != "" {
			return label(strings.Trim(name, `"'`))
		}
	}
	return ""
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

// hint is a text that gives a hypervisor away.
type hint struct{ text, hypervisor string }

// firmwareHints are looked for in maker and product, lower case.
var firmwareHints = []hint{
	{"amazon ec2", "nitro"},
	{"google compute engine", "google"},
	{"microsoft corporation virtual machine", "hyper-v"},
	{"vmware", "vmware"},
	{"virtualbox", "virtualbox"},
	{"innotek", "virtualbox"},
	{"parallels", "parallels"},
	{"apple virtualization", "apple"},
	{"bhyve", "bhyve"},
	{"xen", "xen"},
	{"alibaba cloud", "kvm"},
	{"tencent cloud", "kvm"},
	{"openstack", "kvm"},
	{"kvm", "kvm"},
	{"qemu", "kvm"},
}

// acpiHints are the makers of ACPI tables, for machines without DMI.
var acpiHints = []hint{
	{"FIRECK", "firecracker"},
	{"CLOUDH", "cloud-hypervisor"},
	{"BOCHS", "kvm"},
	{"VBOX", "virtualbox"},
	{"VMWARE", "vmware"},
	{"VRTUAL", "hyper-v"},
}

// kernelHints are what the kernel found when it looked for a hypervisor.
var kernelHints = []hint{
	{"kvm-clock", "kvm"},
	{"hyperv_clocksource", "hyper-v"},
	{"xen", "xen"},
	{"linux,kvm", "kvm"},
}

// hypervisor returns "" where there is nothing to tell by. An x86 CPU says
// whether there is one; its name is a matter of hints, as on arm64 is all of it.
func (s source) hypervisor(info cpuInfo) string {
	flags, listed := info.flags()
	x86 := listed && info.get("flags") != ""
	if x86 && !flags["hypervisor"] {
		return "none"
	}
	product := s.product()
	if name := match(firmwareHints, strings.ToLower(product)); name != "" && !strings.Contains(product, ".metal") {
		return name
	}
	if name := match(acpiHints, s.acpiMaker()); name != "" {
		return name
	}
	kernel := s.text("sys/hypervisor/type") + " " +
		s.text("proc/device-tree/hypervisor/compatible") + " " +
		s.text("sys/devices/system/clocksource/clocksource0/available_clocksource")
	if name := match(kernelHints, kernel); name != "" {
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

func match(hints []hint, text string) string {
	for _, h := range hints {
		if strings.Contains(text, h.text) {
			return h.hypervisor
		}
	}
	return ""
}

// acpiMaker is the OEM ID of the fixed table, bytes 10 to 15 of its header
// (ACPI 6.5 §5.2.6). Only root may read it.
func (s source) acpiMaker() string {
	table := s.text("sys/firmware/acpi/tables/FACP")
	if len(table) < 16 {
		return ""
	}
	return table[10:16]
}

// container looks for what the makers of containers leave behind.
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
