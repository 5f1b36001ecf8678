package machine

import (
	"testing"
	"testing/fstest"
)

func TestRoom(t *testing.T) {
	const (
		meminfo = "MemTotal: 8000 kB\nMemAvailable: 4000 kB\n"
		mounts  = "30 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup rw\n"
		own     = "sys/fs/cgroup/jobs/one/"
	)
	for _, test := range []struct {
		name  string
		files map[string]string
		want  int64
	}{
		{"nothing is told", nil, 0},
		{"no group", map[string]string{"proc/meminfo": meminfo}, 4000 << 10},
		{"no limit", map[string]string{"proc/meminfo": meminfo, own + "memory.max": "max"}, 4000 << 10},
		{"a limit beyond what there is", map[string]string{"proc/meminfo": meminfo, own + "memory.max": "9000000", own + "memory.current": "1000000"}, 4000 << 10},
		{"a limit", map[string]string{"proc/meminfo": meminfo, own + "memory.max": "3000000", own + "memory.current": "1000000"}, 2000000},
		{"idle files are given up", map[string]string{"proc/meminfo": meminfo, own + "memory.max": "3000000", own + "memory.current": "1000000",
			own + "memory.stat": "anon 5\ninactive_file 300000\nactive_file 7\n"}, 2300000},
		{"the group above has less", map[string]string{"proc/meminfo": meminfo, own + "memory.max": "3000000", own + "memory.current": "1000000",
			"sys/fs/cgroup/jobs/memory.max": "2500000", "sys/fs/cgroup/jobs/memory.current": "2400000"}, 100000},
		{"nothing is left", map[string]string{"proc/meminfo": meminfo, own + "memory.max": "3000000", own + "memory.current": "3000000"}, 1},
	} {
		fsys := fstest.MapFS{
			"proc/self/cgroup":    {Data: []byte("0::/jobs/one\n")},
			"proc/self/mountinfo": {Data: []byte(mounts)},
			own + "cgroup.procs":  {},
		}
		for path, text := range test.files {
			fsys[path] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := RoomFrom(fsys); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
	if Room() < 0 {
		t.Error("this machine has negative room")
	}
}
