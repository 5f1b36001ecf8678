package result

// Machine is what a measurement must say about the machine it was made on, of
// what does not change while a program runs. What could not be read is zero and
// named in Unknown.
type Machine struct {
	OS           string `json:"os"`           // as GOOS
	Distribution string `json:"distribution"` // of the files around the program, in a container the image's
	Kernel       string `json:"kernel"`       // release
	Arch         string `json:"arch"`         // as GOARCH
	GoVersion    string `json:"go_version"`

	CPU    CPU    `json:"cpu"`
	Memory Memory `json:"memory"`
	Cgroup Cgroup `json:"cgroup"`

	Hypervisor  string `json:"hypervisor"`   // "none", "kvm", "firecracker", "vmware", …; "unnamed" where only its presence is known
	Product     string `json:"product"`      // maker and product by DMI: in a cloud, the instance type
	Container   string `json:"container"`    // a hint: "docker", "podman", "kubernetes", "lxc"; "" without one
	ClockSource string `json:"clock_source"` // of the kernel: "tsc", "kvm-clock", "arch_sys_counter"

	Unknown []string `json:"unknown"` // JSON paths of what could not be read
}

// CPU is the processor, and how much of it is ours.
type CPU struct {
	Vendor      string   `json:"vendor"` // "GenuineIntel", "AuthenticAMD", "ARM", "HiSilicon"
	Model       string   `json:"model"`  // as the CPU names itself; the kinds of a mixed arm64 machine joined by " + "
	Family      int      `json:"family"` // on arm64 the architecture: 8
	ModelNumber int      `json:"model_number"`
	Stepping    int      `json:"stepping"` // on arm64 variant·16 + revision: r3p1 is 49
	Microcode   string   `json:"microcode"`
	Features    []string `json:"features"` // of those that matter here, in the order of the package's list

	Online         int    `json:"online"`       // logical CPUs
	Allowed        int    `json:"allowed"`      // of these, by the process's affinity
	AllowedList    string `json:"allowed_list"` // in the kernel's form: "0-3,8"
	Cores          int    `json:"cores"`        // physical, online
	Sockets        int    `json:"sockets"`
	ThreadsPerCore int    `json:"threads_per_core"` // 2 with SMT on
	Siblings       string `json:"siblings"`         // logical CPUs of each core: "0,4;1,5"

	MaxHertz     float64 `json:"max_hertz"`
	CurrentHertz float64 `json:"current_hertz"` // as the kernel reports it, often just the nominal rate
	Governor     string  `json:"governor"`      // of cpufreq

	Caches []Cache `json:"caches"` // of the first CPU, the nearest first
}

// Cache is one cache that the first CPU sees.
type Cache struct {
	Level  int    `json:"level"`
	Type   string `json:"type"` // "data", "instruction", "unified"
	Bytes  int64  `json:"bytes"`
	Shared int    `json:"shared"` // by so many logical CPUs
}

// Memory is the machine's memory in bytes.
type Memory struct {
	Total     int64 `json:"total_bytes"`
	Available int64 `json:"available_bytes"` // when the facts were read
}

// Cgroup is what the control groups leave to this process. The tightest bound
// counts, whichever group above the process sets it; groups outside the
// container can't be seen.
type Cgroup struct {
	Version     int     `json:"version"`            // of the CPU controller: 1 or 2; 0 without one
	QuotaCPUs   float64 `json:"quota_cpus"`         // CPU seconds per second; 0 without a quota
	Cpuset      string  `json:"cpuset"`             // "0-3"; "" where the controller is not in use
	MemoryLimit int64   `json:"memory_limit_bytes"` // 0 without a limit
}

// CPUs is how many CPUs' worth of time the process may use: the allowed ones,
// or the quota where that is less. 0 where neither is known.
func (m Machine) CPUs() float64 {
	cpus := float64(m.CPU.Allowed)
	if q := m.Cgroup.QuotaCPUs; q > 0 && (cpus == 0 || q < cpus) {
		cpus = q
	}
	return cpus
}
