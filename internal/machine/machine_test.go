package machine

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// tree reads a machine from testdata: text, then files that each begin with
// "-- path --", as in the txtar format.
func tree(t testing.TB, name string) fstest.MapFS {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	fsys := fstest.MapFS{}
	var file *fstest.MapFile
	for line := range bytes.Lines(text) {
		if path, ok := bytes.CutPrefix(line, []byte("-- ")); ok {
			file = &fstest.MapFile{}
			fsys[strings.TrimSuffix(string(path), " --\n")] = file
		} else if file != nil {
			file.Data = append(file.Data, line...)
		}
	}
	return fsys
}

func program(arch string) Facts {
	return Facts{OS: "linux", Arch: arch, GoVersion: "go1.26"}
}

// throttling is what a group counts, where it is known.
type throttling struct {
	known   bool
	periods int64
}

// machines are the trees, each with the few facts that it is there for. All the
// others are in the golden file beside it.
var machines = []struct {
	name, arch string
	key        string
	quota      float64
	memory     int64
	cpuset     string
	cpus       [5]int // online, allowed, cores, sockets, threads per core
	hypervisor string
	throttle   throttling
}{
	{"v2-quota", "amd64", "amd64-genuineintel-intel.r.xeon.r.platinum.8488c-00875a55-1.5cpu", 1.5, 4 << 30, "0-3",
		[5]int{4, 4, 2, 1, 2}, "nitro", throttling{true, 40}},
	{"v2-nested", "amd64", "amd64-genuineintel-intel.r.xeon.r.platinum.8488c-00875a55-0.5cpu", 0.5, 1 << 30, "",
		[5]int{4, 4, 2, 1, 2}, "nitro", throttling{true, 23}},
	{"v1-quota", "amd64", "amd64-genuineintel-intel.r.xeon.r.platinum.8488c-00875a55-2cpu", 2, 0, "1-2",
		[5]int{4, 2, 2, 1, 2}, "kvm", throttling{true, 12}},
	{"v1-nested", "amd64", "amd64-genuineintel-intel.r.xeon.r.platinum.8488c-00875a55-0.75cpu", 0.75, 512 << 20, "",
		[5]int{4, 2, 2, 1, 2}, "kvm", throttling{true, 6}},
	{"amd-smt", "amd64", "", 0, 0, "", [5]int{8, 8, 4, 2, 2}, "none", throttling{}},
	{"arm64", "arm64", "", 0, 0, "", [5]int{4, 4, 4, 1, 1}, "none", throttling{known: true}},
	{"arm64-mixed", "arm64", "", 0, 0, "", [5]int{4, 0, 4, 0, 1}, "kvm", throttling{}},
	{"empty", "amd64", "amd64-unknown-unknown-", 0, 0, "", [5]int{}, "", throttling{}},
	{"garbage", "amd64", "amd64-unknown-unknown-", 0, 0, "", [5]int{}, "none", throttling{}},
}

func TestMachines(t *testing.T) {
	for _, m := range machines {
		t.Run(m.name, func(t *testing.T) {
			fsys := tree(t, m.name)
			f, state := ReadFrom(fsys, program(m.arch)), ReadStateFrom(fsys)
			if f.Cgroup.QuotaCPUs != m.quota || f.Cgroup.MemoryLimit != m.memory || f.Cgroup.Cpuset != m.cpuset {
				t.Errorf("cgroup %+v, want quota %v, memory %d, cpuset %q", f.Cgroup, m.quota, m.memory, m.cpuset)
			}
			if cpus := [5]int{f.CPU.Online, f.CPU.Allowed, f.CPU.Cores, f.CPU.Sockets, f.CPU.ThreadsPerCore}; cpus != m.cpus {
				t.Errorf("CPUs %v, want %v", cpus, m.cpus)
			}
			if f.Hypervisor != m.hypervisor {
				t.Errorf("hypervisor %q, want %q", f.Hypervisor, m.hypervisor)
			}
			if state.Throttled != m.throttle.periods {
				t.Errorf("throttled %d, want %+v", state.Throttled, m.throttle)
			}
			if key := Key(f); !strings.HasPrefix(key, m.key) {
				t.Errorf("key %q, want %q", key, m.key)
			}
			golden(t, m.name, struct {
				Key   string `json:"key"`
				Facts Facts  `json:"facts"`
				State State  `json:"state"`
			}{Key(f), f, state})
		})
	}
}

func golden(t *testing.T, name string, v any) {
	t.Helper()
	got, err := json.MarshalIndent(v, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	path := filepath.Join("testdata", name+".json")
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (-update rewrites it), got:\n%s", path, got)
	}
}

// TestEveryFileMissing takes the files away one by one: whatever is missing,
// nothing panics, and only what was read from it goes.
func TestEveryFileMissing(t *testing.T) {
	fsys := tree(t, "v2-quota")
	whole := ReadFrom(fsys, program("amd64"))
	for name, file := range fsys {
		delete(fsys, name)
		f := ReadFrom(fsys, program("amd64"))
		if f.OS != whole.OS || f.CPU.Online != whole.CPU.Online || len(f.Unknown) > len(whole.Unknown)+12 {
			t.Errorf("without %s: %+v", name, f)
		}
		fsys[name] = file
	}
}

func TestThisMachine(t *testing.T) {
	f := Read()
	if f.OS != runtime.GOOS || f.Arch != runtime.GOARCH || f.CPU.Online < 1 || f.CPUs() <= 0 {
		t.Errorf("%+v", f)
	}
	again := Read()
	f.Memory.Available, again.Memory.Available = 0, 0
	f.CPU.CurrentHertz, again.CPU.CurrentHertz = 0, 0
	if !reflect.DeepEqual(f, again) {
		t.Errorf("read twice: %+v, %+v", f, again)
	}
	if runtime.GOOS != "linux" {
		return
	}
	if f.Kernel == "" || f.CPU.Allowed < 1 || f.Memory.Total == 0 {
		t.Errorf("%+v", f)
	}
	before := ReadState()
	strain := ReadState().Strain(before)
	if before.CPU.Total <= 0 || strain.CPUSeconds < 0 || strain.Throttled < 0 {
		t.Errorf("before %+v, strain %+v", before, strain)
	}
}
