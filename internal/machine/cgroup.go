package machine

import (
	"cmp"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"
)

func (s source) cgroup() Cgroup {
	cpu := s.group("cpu")
	return Cgroup{Version: cpu.version, QuotaCPUs: least(cpu, s.quota),
		Cpuset: s.cpuset(s.group("cpuset")), MemoryLimit: least(s.group("memory"), s.memoryLimit)}
}

// Files have other names in version 1: of each the one that is there is read.

// least is the smallest limit that one of the groups sets, 0 where none does.
func least[N int64 | float64](g group, limit func(dir string) N) (least N) {
	for _, dir := range g.dirs {
		if n := limit(dir); n > 0 && (least == 0 || n < least) {
			least = n
		}
	}
	return least
}

// quota returns the CPUs that one group may use, 0 where it sets no quota.
func (s source) quota(dir string) float64 {
	q, p, v2 := strings.Cut(s.text(dir+"/cpu.max"), " ")
	if !v2 {
		q, p = s.text(dir+"/cpu.cfs_quota_us"), s.text(dir+"/cpu.cfs_period_us")
	}
	quota, _ := parseInt(q) // "max" is none, and so is −1
	period, _ := parseInt(p)
	if quota <= 0 || period <= 0 {
		return 0
	}
	return float64(quota) / float64(period)
}

func (s source) cpuset(g group) string {
	for _, dir := range g.dirs {
		for _, file := range []string{"/cpuset.cpus.effective", "/cpuset.effective_cpus", "/cpuset.cpus"} {
			if list := parseList(s.text(dir + file)); len(list) > 0 {
				return formatList(list)
			}
		}
	}
	return ""
}

func (s source) memoryLimit(dir string) int64 {
	n, ok := parseInt(cmp.Or(s.text(dir+"/memory.max"), s.text(dir+"/memory.limit_in_bytes"))) // "max" is none
	// Version 1 writes "none" as the largest number of whole pages.
	if !ok || n >= math.MaxInt64-1<<20 {
		return 0
	}
	return n
}

// group is where a controller keeps this process: its directory, then the ones
// above, up to where the hierarchy is mounted. It is empty without the controller.
type group struct {
	version int
	dirs    []string
}

// group finds a controller. It lives in one hierarchy only: of its own in
// version 1, else in the one of version 2 (cgroups(7), /proc/[pid]/cgroup).
func (s source) group(controller string) group {
	mounts := s.mounts()
	unified := ""
	for line := range strings.Lines(s.text("proc/self/cgroup")) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		if parts[0] == "0" && parts[1] == "" {
			unified = parts[2]
		} else if slices.Contains(strings.Split(parts[1], ","), controller) {
			for _, m := range mounts {
				if m.kind == "cgroup" && slices.Contains(m.options, controller) {
					return group{1, s.walkUp(m, parts[2])}
				}
			}
		}
	}
	for _, m := range mounts { // a unified hierarchy that does not say what it controls is believed to do so
		listed := m.point + "/cgroup.controllers"
		if unified != "" && m.kind == "cgroup2" &&
			(!s.exists(listed) || slices.Contains(strings.Fields(s.text(listed)), controller)) {
			return group{2, s.walkUp(m, unified)}
		}
	}
	return group{}
}

// walkUp returns the directories from the process's group to the mount point.
func (s source) walkUp(m mount, of string) []string {
	// In a container the mount shows a subtree; a group outside it is not there.
	below, inside := strings.CutPrefix(path.Clean(of), strings.TrimSuffix(m.root, "/"))
	if !inside || strings.HasPrefix(of, "/..") || below != "" && below[0] != '/' {
		below = ""
	}
	var dirs []string
	for below = strings.Trim(below, "/"); below != "" && below != "."; below = path.Dir(below) {
		if dir := m.point + "/" + below; s.exists(dir) {
			dirs = append(dirs, dir)
		}
	}
	return append(dirs, m.point)
}

type mount struct {
	root    string   // the group that the mount shows as its root
	point   string   // relative to the source's root
	kind    string   // "cgroup" or "cgroup2"
	options []string // in version 1, the controllers among them
}

// mounts reads /proc/self/mountinfo (proc_pid_mountinfo(5)):
// 36 35 98:0 /root /point rw,… optional fields - type source options
func (s source) mounts() []mount {
	var mounts []mount
	for line := range strings.Lines(s.text("proc/self/mountinfo")) {
		before, after, ok := strings.Cut(line, " - ")
		left, right := strings.Fields(before), strings.Fields(after)
		if !ok || len(left) < 6 || len(right) < 3 || !strings.HasPrefix(right[0], "cgroup") {
			continue
		}
		point := strings.Trim(unescape(left[4]), "/")
		mounts = append(mounts, mount{unescape(left[3]), point, right[0], strings.Split(right[2], ",")})
	}
	return mounts
}

var unescape = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace

// Room returns how much memory this process can still be given, in bytes: what
// the system says is available, or what a group of it has left if that is less.
// It is 0 where nobody tells. It takes about 0.1 ms.
func Room() int64 { return RoomFrom(root()) }

func RoomFrom(fsys fs.FS) int64 {
	s := source{fsys}
	room := s.memory().Available
	if left := least(s.group("memory"), s.left); left > 0 && (room == 0 || left < room) {
		room = left
	}
	return room
}

// left is what one group may still take, 0 where it sets no limit. Pages of files that nobody used lately
// count as used, and are given up when something asks for memory.
func (s source) left(dir string) int64 {
	limit := s.memoryLimit(dir)
	if limit <= 0 {
		return 0
	}
	used, _ := parseInt(cmp.Or(s.text(dir+"/memory.current"), s.text(dir+"/memory.usage_in_bytes")))
	stat := s.text(dir + "/memory.stat")
	idle, _ := parseInt(cmp.Or(field(stat, "total_inactive_file", " "), field(stat, "inactive_file", " ")))
	return max(1, limit-max(0, used-idle)) // 0 would be "unknown"
}
