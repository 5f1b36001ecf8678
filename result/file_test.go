package result

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"
)

// everyKind is a run that holds every kind of line, with fields that are easy to lose.
func everyKind() *Run {
	r := &Run{
		Header: Header{Schema: SchemaRun, Tool: "v1 \"quoted\"", Started: time.Date(2024, 2, 29, 23, 59, 59, 5e6, time.UTC),
			Command: []string{"run", "modes"}, Suite: "quick", Seed: math.MaxUint64, CPU: -1, Counter: "no counter",
			Machine:     Machine{OS: "linux", CPU: CPU{Model: "线 <x> & y", Features: []string{"aes"}}, Unknown: []string{"cpu.microcode"}},
			Libraries:   []Library{{Library: "gmsm", Version: "v0", CallPath: "go"}},
			Environment: []string{"GOGC=off"}},
		Opened:    []Opened{{Trial: 1, Block: 2, Calls: 240, Allocs: 0.5, AllocBytes: 1e-9}},
		Closed:    []Closed{{Trial: 0, Block: 2}},
		Statuses:  []StatusChange{{Trial: 1, Block: 2, Status: Crashed, Reason: "it said\n\"no\""}},
		Artifacts: []Artifact{{Name: "a.png", MediaType: "image/png", Data: []byte{0, 1, 0xff}}},
		Records: []Record{{Trial: 0, Block: 1, Metrics: []Metric{{Name: "share", Value: 0.4, Unit: "1"}},
			Histograms: []Histogram{{Name: "latency", Unit: "ns", Buckets: [][2]int64{{1, 2}, {3, 4}}}}}},
		Groups: []Group{{Index: 0, Experiment: "modes", Name: "64 bytes", Trials: []int{0, 1},
			Pairs: []Pair{{Base: 0, Other: 1, Headline: true}}, Kind: KindNoise}},
		Samples: []Sample{
			{Trial: 1, Block: 2, Round: 3, Calls: 4, Thread: 5, Process: 6, Wall: 7, Cycles: -1,
				SpinBefore: 8, SpinAfter: 9, Collections: 10, Throttled: 11, Migrated: 1},
			{Trial: 0, Block: math.MaxInt32, Round: math.MinInt32, Calls: math.MaxInt64, Thread: math.MinInt64,
				Wall: 1e18, Cycles: -1e18, Process: 999_999_999_999_999_999},
		},
	}
	for i, mode := range []string{"ECB", "CBC"} {
		r.Trials = append(r.Trials, TrialInfo{Index: i, Experiment: "modes",
			Trial: Trial{Subject: Subject{Library: "gmsm", Version: "v0", CallPath: "go", Implementation: "avx2", Environment: "A=b"},
				Case: Case{Algorithm: "SM4", Mode: mode, Operation: "encrypt", Bytes: 64, Parameters: "a=1,b=2"}},
			Loop: "blockmode", Standard: "GB/T 17964", ConstantTime: ConstantTime{Value: "yes", Basis: "AES-NI"}, Note: "n"})
	}
	return r
}

// write writes a run, the samples last but for the end.
func write(w io.Writer, r *Run) error {
	out, err := NewWriter(w, r.Header)
	if err != nil {
		return err
	}
	for _, t := range r.Trials {
		out.Trial(t)
	}
	for _, g := range r.Groups {
		out.Group(g)
	}
	for _, o := range r.Opened {
		out.Opened(o)
	}
	for i, rec := range r.Records {
		if i == 0 {
			rec.Artifacts = r.Artifacts
		}
		out.Record(rec)
	}
	for _, s := range r.Statuses {
		out.Status(s)
	}
	for _, s := range r.Samples {
		out.Sample(s)
	}
	for _, c := range r.Closed {
		out.Closed(c)
	}
	return out.End(End{Partial: true, Reason: "interrupted", Seconds: 1.5, Strain: Strain{StealSeconds: 0.1, Throttled: 3}})
}

func written(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, everyKind()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// lines counts what was read, a line each.
func lines(r *Run) int {
	n := 1 + len(r.Trials) + len(r.Groups) + len(r.Opened) + len(r.Closed) + len(r.Samples) +
		len(r.Statuses) + len(r.Records) + len(r.Artifacts)
	if r.End != nil {
		n++
	}
	return n
}

// oneLine says whether an error is of Read's kinds and fits on a line.
func oneLine(err error) bool {
	known := errors.Is(err, ErrNotRunFile) || errors.Is(err, ErrNewer) || errors.Is(err, ErrDamaged)
	return known && !strings.ContainsAny(err.Error(), "\n\r")
}

func TestRoundTrip(t *testing.T) {
	got, err := Read(bytes.NewReader(written(t)))
	if err != nil {
		t.Fatal(err)
	}
	want := everyKind()
	want.End = got.End // its checksum is the writer's business
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read\n%+v\nwrote\n%+v", got, want)
	}
	if e := got.End; e == nil || e.Samples != 2 || e.Reason != "interrupted" || e.Seconds != 1.5 || e.Strain.Throttled != 3 || e.CRC32 == 0 {
		t.Errorf("end %+v", got.End)
	}
	if !got.Partial() {
		t.Error("an interrupted run is not partial")
	}
}

// oneWrite counts writes: a line in two writes could be torn by a kill between them.
type oneWrite struct {
	bytes.Buffer
	writes int
}

func (w *oneWrite) Write(b []byte) (int, error) {
	w.writes++
	return w.Buffer.Write(b)
}

func TestEachLineIsOneWrite(t *testing.T) {
	var w oneWrite
	if err := write(&w, everyKind()); err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(w.Bytes(), []byte("\n")); n != w.writes {
		t.Errorf("%d lines in %d writes", n, w.writes)
	}
}

// TestCutAnywhere: a kill or a full disk may end the file after any byte. All
// whole lines before the cut are read.
func TestCutAnywhere(t *testing.T) {
	file := written(t)
	for n := range len(file) {
		cut := file[:n]
		whole := bytes.Count(cut, []byte("\n"))
		run, err := Read(bytes.NewReader(cut))
		switch {
		case whole == 0:
			if !errors.Is(err, ErrNotRunFile) || !oneLine(err) {
				t.Errorf("cut after %d bytes: %v, want not a run file", n, err)
			}
		case err != nil:
			t.Errorf("cut after %d bytes: %v", n, err)
		case lines(run) != whole || !run.Partial() || run.End != nil:
			t.Errorf("cut after %d bytes: %d lines read of %d, partial %v", n, lines(run), whole, run.Partial())
		}
	}
}

// TestCutInALongLine crosses the buffer's boundary with a picture.
func TestCutInALongLine(t *testing.T) {
	r := everyKind()
	r.Artifacts[0].Data = bytes.Repeat([]byte{7}, 200_000)
	var b bytes.Buffer
	if err := write(&b, r); err != nil {
		t.Fatal(err)
	}
	got, err := Read(bytes.NewReader(b.Bytes()))
	if err != nil || len(got.Artifacts) != 1 || len(got.Artifacts[0].Data) != 200_000 {
		t.Fatalf("a long artifact: %v", err)
	}
	at := bytes.Index(b.Bytes(), []byte(`{"artifact"`))
	for _, n := range []int{at + 1<<16 - 1, at + 1<<16, at + 1<<16 + 1, at + 2<<16} {
		got, err := Read(bytes.NewReader(b.Bytes()[:n]))
		if err != nil || len(got.Artifacts) != 0 || len(got.Records) != 1 {
			t.Errorf("cut at %d: %v", n, err)
		}
	}
}

// TestBitFlips: in a file that was finished no flipped bit before its end
// line goes unseen. In the end line itself a flip may change what it says of the
// run's length, and never a sample.
func TestBitFlips(t *testing.T) {
	file := written(t)
	end := bytes.LastIndex(file, []byte(`{"end"`))
	for i := range file {
		if testing.Short() && i%7 > 0 {
			continue
		}
		for _, bit := range []int{0, 2, 5} { // other digits, other letters, other case
			damaged := bytes.Clone(file)
			damaged[i] ^= 1 << bit
			run, err := Read(bytes.NewReader(damaged))
			switch {
			case err != nil && !oneLine(err):
				t.Errorf("bit %d of byte %d: %q", bit, i, err)
			case err == nil && i < end:
				t.Errorf("bit %d of byte %d (%q) was not noticed", bit, i, file[i])
			case err == nil && len(run.Samples) != 2:
				t.Errorf("bit %d of byte %d of the end line changed the samples", bit, i)
			}
		}
	}
}

func TestDamagedAndForeignFiles(t *testing.T) {
	file := string(written(t))
	all := strings.SplitAfter(strings.TrimSuffix(file, "\n"), "\n")
	header, end := all[0], all[len(all)-1]+"\n"
	sample := func(fields string) string { return header + all[1] + `{"s":[` + fields + "]}\n" }
	tests := []struct {
		name, file string
		want       error
		says       string
	}{
		{"empty", "", ErrNotRunFile, "no header"},
		{"a newline", "\n", ErrNotRunFile, ""},
		{"binary", "\x7fELF\x02\x01\x01\x00\n\x00\xff\xfe\n", ErrNotRunFile, ""},
		{"text", "hello\nworld\n", ErrNotRunFile, ""},
		{"other JSON", `{"a":1}` + "\n", ErrNotRunFile, ""},
		{"a JSON report", `{"schema":"cryptogauge.report/1"}` + "\n", ErrNotRunFile, ""},
		{"header of another program", `{"header":{"schema":"other/1"}}` + "\n", ErrNotRunFile, `"other/1"`},
		{"header without schema", `{"header":{}}` + "\n", ErrNotRunFile, ""},
		{"null header", `{"header":null}` + "\n", ErrNotRunFile, ""},
		{"a newer schema", strings.Replace(file, "cryptogauge.run/1", "cryptogauge.run/2", 1), ErrNewer, `"cryptogauge.run/2"`},
		{"a newer schema of other fields", `{"header":{"schema":"cryptogauge.run/9","seed":"words"}}` + "\n", ErrNewer, ""},
		{"header with a wrong type", `{"header":{"schema":"cryptogauge.run/1","seed":"x"}}` + "\n", ErrDamaged, "line 1"},
		{"header followed by more", strings.Replace(header, "\n", "x\n", 1), ErrDamaged, "line 1"},

		{"garbage", header + "garbage\n", ErrDamaged, "line 2"},
		{"an empty line", header + "\n", ErrDamaged, "line 2"},
		{"a number", header + "1\n", ErrDamaged, "line 2"},
		{"an unknown kind", header + `{"novel":{}}` + "\n", ErrDamaged, "novel"},
		{"no kind", header + "{}\n", ErrDamaged, "nothing known"},
		{"a null kind", header + `{"trial":null}` + "\n", ErrDamaged, "nothing known"},
		{"two lines in one", header + strings.TrimSuffix(all[1], "\n") + " " + all[2], ErrDamaged, "line 2"},
		{"a second header", header + header, ErrDamaged, "line 2"},
		{"trials out of order", header + all[2], ErrDamaged, "out of order"},

		{"too few fields", sample("0,0,0,1,1,1,1,-1,1,1,0,0"), ErrDamaged, "fields"},
		{"too many fields", sample("0,0,0,1,1,1,1,-1,1,1,0,0,0,0"), ErrDamaged, "fields"},
		{"no field", sample(""), ErrDamaged, "not a number"},
		{"an empty field", sample("0,0,,1,1,1,1,-1,1,1,0,0,0"), ErrDamaged, "not a number"},
		{"a fraction", sample("0,0,0,1.5,1,1,1,-1,1,1,0,0,0"), ErrDamaged, ""},
		{"a lone sign", sample("0,0,0,-,1,1,1,-1,1,1,0,0,0"), ErrDamaged, "not a number"},
		{"more than 64 bits", sample("0,0,0,9223372036854775808,1,1,1,-1,1,1,0,0,0"), ErrDamaged, ""},
		{"20 digits", sample("0,0,0,10000000000000000000,1,1,1,-1,1,1,0,0,0"), ErrDamaged, ""},
		{"a round of more than 32 bits", sample("0,0,4294967296,1,1,1,1,-1,1,1,0,0,0"), ErrDamaged, ""},
		{"a trial of more than 32 bits", sample("4294967296,0,0,1,1,1,1,-1,1,1,0,0,0"), ErrDamaged, "out of range"},
		{"a sample that goes on", header + all[1] + `{"s":[0,0,0,1,1,1,1,-1,1,1,0,0,0],"t":1}` + "\n", ErrDamaged, "end where"},
		{"a sample of an undeclared trial", header + `{"s":[0,0,0,1,1,1,1,-1,1,1,0,0,0]}` + "\n", ErrDamaged, "trial 0, which is not declared"},
		{"a sample of trial -1", sample("-1,0,0,1,1,1,1,-1,1,1,0,0,0"), ErrDamaged, "trial -1"},
		{"a group of an undeclared trial", header + `{"group":{"index":0,"experiment":"","name":"","trials":[0]}}` + "\n", ErrDamaged, "trial 0"},
		{"a pair of an undeclared trial", header + `{"group":{"index":0,"trials":[],"pairs":[{"base":0,"other":7}]}}` + "\n", ErrDamaged, "trial 0"},
		{"opened of an undeclared trial", header + `{"opened":{"trial":3}}` + "\n", ErrDamaged, "trial 3"},
		{"closed of an undeclared trial", header + `{"closed":{"trial":3}}` + "\n", ErrDamaged, "trial 3"},
		{"status of an undeclared trial", header + `{"status":{"trial":3}}` + "\n", ErrDamaged, "trial 3"},
		{"record of an undeclared trial", header + `{"record":{"trial":3}}` + "\n", ErrDamaged, "trial 3"},

		{"a line after the end", file + all[1], ErrDamaged, "after its end"},
		{"a second end", file + end, ErrDamaged, "after its end"},
		{"more in the end line", strings.TrimSuffix(file, "\n") + "x\n", ErrDamaged, ""},
		{"another checksum", strings.Replace(file, `"crc32":`, `"crc32":1`, 1), ErrDamaged, ""},
		{"another count", strings.Replace(file, `"samples":2`, `"samples":3`, 1), ErrDamaged, "not what was written"},
		{"a line is missing", strings.Replace(file, all[3], "", 1), ErrDamaged, ""},
		{"two lines change places", header + all[2] + all[1] + strings.Join(all[3:], "") + "\n", ErrDamaged, ""},
	}
	for _, test := range tests {
		_, err := Read(strings.NewReader(test.file))
		if !errors.Is(err, test.want) || !oneLine(err) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v, want %v with %q in it", test.name, err, test.want, test.says)
		}
	}
}

// endless is /dev/zero, or a video someone took for a run.
type endless struct{ read int }

func (e *endless) Read(b []byte) (int, error) {
	if e.read += len(b); e.read > 16<<20 {
		return 0, errors.New("more than 16 MiB were read")
	}
	clear(b)
	return len(b), nil
}

func TestAForeignFileIsRefusedByItsFirstBytes(t *testing.T) {
	if _, err := Read(&endless{}); !errors.Is(err, ErrNotRunFile) {
		t.Error(err)
	}
}

func TestReadErrorIsPassedOn(t *testing.T) {
	broken := errors.New("input/output error")
	file := written(t)
	for _, n := range []int{0, 10, len(file) / 2} {
		_, err := Read(io.MultiReader(bytes.NewReader(file[:n]), failing{broken}))
		if !errors.Is(err, broken) {
			t.Errorf("after %d bytes: %v", n, err)
		}
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// disk is full after so many bytes, and the last write on it is torn.
type disk struct {
	bytes.Buffer
	room int
}

var errFull = errors.New("no space left on device")

func (d *disk) Write(b []byte) (int, error) {
	n := min(len(b), d.room-d.Len())
	d.Buffer.Write(b[:n])
	if n < len(b) {
		return n, errFull
	}
	return n, nil
}

// TestFullDisk: whatever the disk's room, the writer says so to the end, writes
// nothing after the torn line, and what stands on the disk reads.
func TestFullDisk(t *testing.T) {
	file := written(t)
	for room := range len(file) {
		d := &disk{room: room}
		if err := write(d, everyKind()); !errors.Is(err, errFull) {
			t.Fatalf("room for %d bytes: %v", room, err)
		}
		if !bytes.Equal(d.Bytes(), file[:room]) {
			t.Fatalf("room for %d bytes: the disk holds something else", room)
		}
		run, err := Read(bytes.NewReader(d.Bytes()))
		if whole := bytes.Count(d.Bytes(), []byte("\n")); whole > 0 && (err != nil || lines(run) != whole) {
			t.Errorf("room for %d bytes: %v", room, err)
		}
	}
}

func TestErrorsStick(t *testing.T) {
	d := &disk{room: 1 << 20}
	w, err := NewWriter(d, Header{})
	if err != nil {
		t.Fatal(err)
	}
	d.room = d.Len()
	first := w.Sample(Sample{})
	d.room = 1 << 20 // room again: a line now would follow a gap
	calls := map[string]error{
		"trial": w.Trial(TrialInfo{}), "group": w.Group(Group{}), "opened": w.Opened(Opened{}), "closed": w.Closed(Closed{}),
		"status": w.Status(StatusChange{}), "record": w.Record(Record{Artifacts: []Artifact{{}}}),
		"sample": w.Sample(Sample{}), "end": w.End(End{}), "Err": w.Err(),
	}
	for name, err := range calls {
		if err == nil || err != first || !errors.Is(err, errFull) {
			t.Errorf("%s after an error: %v", name, err)
		}
	}
	if n := bytes.Count(d.Bytes(), []byte("\n")); n != 1 {
		t.Errorf("%d lines on the disk, want the header alone", n)
	}
}

// many is a run of n samples as a stream, so that the test holds none of it.
func many(t testing.TB, n int) io.Reader {
	var head, one bytes.Buffer
	w, err := NewWriter(&head, Header{})
	if err != nil {
		t.Fatal(err)
	}
	w.Trial(TrialInfo{})
	w.w = &one
	w.Sample(Sample{Block: 14, Round: 6, Calls: 240, Thread: 1998123, Process: 1999001, Wall: 2000456,
		Cycles: 6123456, SpinBefore: 40110, SpinAfter: 40098})
	return io.MultiReader(&head, io.LimitReader(&repeat{line: one.Bytes()}, int64(n*one.Len())))
}

type repeat struct {
	line []byte
	at   int
}

func (r *repeat) Read(b []byte) (n int, err error) {
	for n < len(b) {
		m := copy(b[n:], r.line[r.at:])
		n, r.at = n+m, (r.at+m)%len(r.line)
	}
	return n, nil
}

// TestAMillionSamples bounds what reading them allocates: nothing a sample, and
// with the growth of the slice less than the 500 MB that reading and reporting
// may take together.
func TestAMillionSamples(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	const n = 1_000_000
	src := many(t, n)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	run, err := Read(src)
	runtime.ReadMemStats(&after)
	if err != nil || len(run.Samples) != n {
		t.Fatalf("%v", err)
	}
	if objects := after.Mallocs - before.Mallocs; objects > 1000 {
		t.Errorf("%d objects for %d samples", objects, n)
	}
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 600<<20 {
		t.Errorf("%d MiB allocated in all", allocated>>20)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if live := int64(after.HeapAlloc) - int64(before.HeapAlloc); live > 150<<20 {
		t.Errorf("%d MiB held", live>>20)
	}
	runtime.KeepAlive(run)
}

func TestWritingASampleAllocatesNothing(t *testing.T) {
	w, err := NewWriter(io.Discard, Header{})
	if err != nil {
		t.Fatal(err)
	}
	s := everyKind().Samples[1]
	w.Sample(s)
	if n := testing.AllocsPerRun(100, func() { w.Sample(s) }); n != 0 {
		t.Errorf("%g objects a sample", n)
	}
}

func BenchmarkRead(b *testing.B) {
	const n = 1_000_000
	b.ReportAllocs()
	for b.Loop() {
		if run, err := Read(many(b, n)); err != nil || len(run.Samples) != n {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/sample")
}

func BenchmarkWriteSample(b *testing.B) {
	w, err := NewWriter(io.Discard, Header{})
	if err != nil {
		b.Fatal(err)
	}
	s := everyKind().Samples[0]
	for b.Loop() {
		w.Sample(s)
	}
}

// FuzzRead: whatever the bytes, Read answers with a run whose lines name what
// they may name, or with one line that says what is wrong. A run that reads,
// also reads when it is cut.
func FuzzRead(f *testing.F) {
	file := written(f)
	f.Add(file)
	for n := 0; n < len(file); n += 97 {
		f.Add(file[:n])
		damaged := bytes.Clone(file)
		damaged[n] ^= 0x20
		f.Add(damaged)
	}
	f.Add([]byte(`{"header":{"schema":"cryptogauge.run/1"},"header":null}` + "\n")) // once a nil header
	f.Fuzz(func(t *testing.T, b []byte) {
		run, err := Read(bytes.NewReader(b))
		if err != nil {
			if !oneLine(err) {
				t.Errorf("%q", err)
			}
			return
		}
		if got, want := lines(run), bytes.Count(b, []byte("\n")); got != want {
			t.Errorf("%d lines read of %d", got, want)
		}
		for _, s := range run.Samples {
			if s.Trial < 0 || int(s.Trial) >= len(run.Trials) {
				t.Errorf("a sample of trial %d of %d", s.Trial, len(run.Trials))
			}
		}
		first := bytes.IndexByte(b, '\n') + 1
		for _, n := range []int{first, (first + len(b)) / 2, len(b) - 1} {
			if n < first {
				continue // the header itself is cut
			}
			if _, err := Read(bytes.NewReader(b[:n])); err != nil {
				t.Errorf("cut after %d of %d bytes: %v", n, len(b), err)
			}
		}
	})
}

func ExampleRead() {
	var file bytes.Buffer
	w, _ := NewWriter(&file, Header{Suite: "modes"})
	w.Trial(TrialInfo{Trial: Trial{Case: Case{Algorithm: "SM4", Mode: "CBC"}}})
	w.Sample(Sample{Calls: 10, Thread: 2500})
	// Here the program is killed: there is no end line.
	run, err := Read(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	s := run.Samples[0]
	fmt.Println(run.Trials[s.Trial].Case.Name(), s.Thread/s.Calls, "ns a call; partial:", run.Partial())
	// Output: SM4-CBC 250 ns a call; partial: true
}

// TestEndLine: a changed end is found, bit by bit; the end of a file that was written
// before it had a sum of its own is read.
func TestEndLine(t *testing.T) {
	whole := written(t)
	at := bytes.LastIndex(whole[:len(whole)-1], []byte("\n")) + 1
	for i := at; i < len(whole)-1; i++ {
		for bit := range 8 {
			changed := bytes.Clone(whole)
			changed[i] ^= 1 << bit
			if run, err := Read(bytes.NewReader(changed)); err == nil && changed[i] != '\n' {
				t.Errorf("byte %d, bit %d: %q reads as %+v", i-at, bit, changed[at:], run.End)
			}
		}
	}
	i := bytes.LastIndex(whole, []byte(`,"line_crc32"`))
	if i < at {
		t.Fatalf("no sum in %q", whole[at:])
	}
	old := append(bytes.Clone(whole[:i]), "}}\n"...)
	run, err := Read(bytes.NewReader(old))
	if err != nil || run.End == nil || run.End.Seconds != 1.5 || run.End.LineCRC32 != 0 {
		t.Errorf("an end without a sum: %+v, %v", run, err)
	}
}

// TestLongNames: a table has no room for a name as long as a book.
func TestLongNames(t *testing.T) {
	for _, n := range []int{1 << 10, 1<<10 + 1} {
		var b bytes.Buffer
		w, err := NewWriter(&b, Header{})
		if err != nil {
			t.Fatal(err)
		}
		w.Trial(TrialInfo{Trial: Trial{Subject: Subject{Library: strings.Repeat("b", n)}}})
		if err := w.End(End{}); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(&b); (err != nil) != (n > 1<<10) {
			t.Errorf("a name of %d bytes: %v", n, err)
		}
	}
}
