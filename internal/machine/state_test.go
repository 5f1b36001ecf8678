package machine

import (
	"os"
	"testing"
	"testing/fstest"

	"github.com/cryptogauge/cryptogauge/result"
)

// oneFileForAll is a machine where the files of one's own group and the
// machine's counters all hold the same text.
func oneFileForAll(text string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for _, name := range []string{
		"proc/cpuinfo", "proc/meminfo", "proc/stat", "proc/loadavg", "proc/self/status",
		"proc/self/cgroup", "proc/self/mountinfo", "sys/devices/system/cpu/online", "cpu.max", "cpu.stat",
	} {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

func TestStrain(t *testing.T) {
	fsys := tree(t, "v2-quota")
	before := ReadStateFrom(fsys)
	fsys["proc/stat"] = &fstest.MapFile{Data: []byte("cpu  1100 20 300 40150 550 6 70 180 9 1\n")}
	fsys["proc/self/stat"] = &fstest.MapFile{Data: []byte("42 (a (b) c) S 1 42 42 0 -1 4194560 900 0 0 0 150 50 100 25 20 0 5 0 100 1 1\n")}
	fsys["proc/loadavg"] = &fstest.MapFile{Data: []byte("3.00 2.00 1.00 1/200 4242\n")}
	fsys["sys/fs/cgroup/cpu.stat"] = &fstest.MapFile{Data: []byte("nr_periods 210\nnr_throttled 42\nthrottled_usec 2750000\n")}
	strain := result.Strain{StealSeconds: 1, CPUSeconds: 4, Throttled: 2, UsedSeconds: 1, OwnSeconds: 3.25, LoadBefore: before.Load, LoadAfter: 3}
	if s := ReadStateFrom(fsys).Strain(before); s != strain {
		t.Errorf("strain %+v, want %+v", s, strain)
	}
}

func TestThrottleCounter(t *testing.T) {
	for _, m := range machines {
		c := source{tree(t, m.name)}.throttleCounter()
		if len(c.files) > 0 != m.throttle.known || c.Read() != m.throttle.periods {
			t.Errorf("%s: %d, known=%v, want %+v", m.name, c.Read(), len(c.files) > 0, m.throttle)
		}
		c.Close()
	}
}

// TestThrottleCounterMoves reads real files, which must be read afresh each
// time and without allocation.
func TestThrottleCounterMoves(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, fstest.MapFS{
		"proc/self/cgroup":    {Data: []byte("0::/\n")},
		"proc/self/mountinfo": {Data: []byte("1 2 0:29 / /cg rw - cgroup2 cgroup2 rw\n")},
		"cg/cpu.max":          {Data: []byte("100000 100000\n")},
		"cg/cpu.stat":         {Data: []byte("nr_periods 1\nnr_throttled 5\nthrottled_usec 1\n")},
	}); err != nil {
		t.Fatal(err)
	}
	c := source{os.DirFS(dir)}.throttleCounter()
	defer c.Close()
	if len(c.files) == 0 || c.Read() != 5 {
		t.Fatalf("%d of %d files, want 5", c.Read(), len(c.files))
	}
	if err := os.WriteFile(dir+"/cg/cpu.stat", []byte("nr_periods 1000\nnr_throttled 123\nthrottled_usec 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := c.Read(); got != 123 {
		t.Errorf("%d, want 123", got)
	}
	if n := testing.AllocsPerRun(100, func() { c.Read() }); n != 0 {
		t.Errorf("a reading allocates %v times", n)
	}
}

func BenchmarkThrottleCounter(b *testing.B) {
	c := OpenThrottleCounter()
	defer c.Close()
	if len(c.files) == 0 {
		b.Skip("no group counts throttling here")
	}
	b.ReportAllocs()
	for b.Loop() {
		c.Read()
	}
}

func BenchmarkReadState(b *testing.B) {
	for b.Loop() {
		ReadState()
	}
}
