package machine

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

const sysCPU = "sys/devices/system/cpu/"

// topology says how many CPUs there are, which are ours, and which share a core or a cache.
func (s source) topology(c *CPU, info cpuInfo) {
	seen := c.Online // by the runtime
	online := parseList(s.text(sysCPU + "online"))
	c.Online = cmp.Or(len(online), info.processors(), seen)

	// The mask may name CPUs that could be plugged in but are not there.
	allowed := parseList(field(s.text("proc/self/status"), "Cpus_allowed_list", ":"))
	if len(online) > 0 {
		allowed = slices.DeleteFunc(allowed, func(cpu int) bool { return !slices.Contains(online, cpu) })
	}
	c.Allowed, c.AllowedList = cmp.Or(len(allowed), seen), formatList(allowed)
	c.Caches = s.caches(append(online, 0)[0])
	s.cores(c, online)
	if c.Cores == 0 {
		coresOf(c, info)
	}
}

// cores groups the CPUs by the core they are on, and counts the sockets.
func (s source) cores(c *CPU, online []int) {
	var groups []string
	var sockets []int64
	for _, cpu := range online {
		dir := fmt.Sprintf(sysCPU+"cpu%d/topology/", cpu)
		siblings := cmp.Or(s.text(dir+"core_cpus_list"), s.text(dir+"thread_siblings_list")) // its name before Linux 5.3
		list := parseList(siblings)
		if len(list) > 0 && list[0] == cpu { // each group once, at its first CPU
			groups = append(groups, siblings)
			c.ThreadsPerCore = max(c.ThreadsPerCore, len(list))
		}
		// −1 is the kernel's own "unknown", common on arm64.
		if id, ok := s.number(dir + "physical_package_id"); ok && id >= 0 && !slices.Contains(sockets, id) {
			sockets = append(sockets, id)
		}
	}
	c.Cores, c.Sockets, c.Siblings = len(groups), len(sockets), strings.Join(groups, ";")
}

// coresOf is for sandboxes that show /proc/cpuinfo and no /sys.
func coresOf(c *CPU, info cpuInfo) {
	perSocket, threads := smallInt(info.get("cpu cores")), smallInt(info.get("siblings"))
	if perSocket == 0 || threads < perSocket {
		return
	}
	c.Sockets = max(1, len(info.distinct("physical id")))
	c.Cores = perSocket * c.Sockets
	c.ThreadsPerCore = threads / perSocket
}

// frequency takes the highest of the policies: a machine's kinds of core have
// one each.
func (s source) frequency(c *CPU, info cpuInfo) {
	policies, _ := fs.Glob(s.fsys, sysCPU+"cpufreq/policy*") // the pattern is right
	var governors []string
	for _, dir := range policies {
		if khz, ok := s.number(dir + "/cpuinfo_max_freq"); ok {
			c.MaxHertz = max(c.MaxHertz, float64(khz)*1e3)
		}
		if khz, ok := s.number(dir + "/scaling_cur_freq"); ok {
			c.CurrentHertz = max(c.CurrentHertz, float64(khz)*1e3)
		}
		if g := s.label(dir + "/scaling_governor"); g != "" && !slices.Contains(governors, g) {
			governors = append(governors, g)
		}
	}
	c.Governor = strings.Join(governors, " + ")
	if mhz, ok := numbers([]string{info.get("cpu MHz")}, 1); ok && mhz[0] < 1e6 {
		c.CurrentHertz = cmp.Or(c.CurrentHertz, mhz[0]*1e6)
	}
}

// maxCaches is more than a CPU sees: three levels, the first one twice.
const maxCaches = 16

func (s source) caches(first int) []Cache {
	caches := []Cache{} // a list in JSON, though it be empty
	for i := range maxCaches {
		dir := fmt.Sprintf(sysCPU+"cpu%d/cache/index%d/", first, i)
		level, ok := s.number(dir + "level")
		if !ok {
			break
		}
		caches = append(caches, Cache{
			Level:  int(level),
			Type:   strings.ToLower(s.text(dir + "type")),
			Bytes:  binarySize(s.text(dir + "size")),
			Shared: len(parseList(s.text(dir + "shared_cpu_list"))),
		})
	}
	return caches
}
