package bulkhash

import (
	"crypto/md5"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// fixed hands out one vector for every case.
type fixed struct{ v *provider.Vector }

func (f fixed) Vector(result.Case) (*provider.Vector, error) { return f.v, nil }

const testMessages, testSize = 1000, 48

// material is a vector whose digests crypto/md5 computed; that they are right is not
// what is tested here.
func material() *provider.Vector {
	v := &provider.Vector{Plaintext: make([]byte, testMessages*testSize)}
	for i := range v.Plaintext {
		v.Plaintext[i] = byte(i * i >> 7)
		if i%testSize < 2 {
			v.Plaintext[i] = byte(i / testSize >> (8 * (i % testSize)))
		}
	}
	for i := range testMessages {
		d := md5.Sum(v.Plaintext[i*testSize : (i+1)*testSize])
		v.Digest = append(v.Digest, d[:]...)
	}
	return v
}

func sums(digests [][md5.Size]byte, messages [][]byte) {
	for i, m := range messages {
		digests[i] = md5.Sum(m)
	}
}

// shapes are all ways that several goroutines have, and one of one.
func shapes() []Shape {
	return []Shape{{Way: parameter.Sum}, {Way: parameter.Spawn}, {Way: parameter.Split, Workers: 3}, {Way: parameter.Counter, Workers: 3},
		{Way: parameter.Channel, Workers: 3, Batch: 1}, {Way: parameter.Channel, Workers: 3, Batch: 64}, {Way: parameter.Channel, Workers: 2, Batch: 4096}}
}

func (s Shape) testCase() result.Case {
	s.Messages = testMessages
	return result.Case{Algorithm: "MD5", Operation: algorithm.HashMany, Bytes: testMessages * testSize, Parameters: s.Parameters()}
}

func open(t *testing.T, s Shape, loop Loop[[md5.Size]byte]) provider.Operation {
	t.Helper()
	op, err := Open(s.testCase(), fixed{material()}, new(Shared), Sums(loop), func(result.Case) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = op.Close() })
	return op
}

// TestPlantedErrorsAreFound: whichever way the messages are handed out, one wrong bit
// of one digest, two digests in each other's place, one that is left out, and one that
// is computed of the message before are found, and a sentence says which.
func TestPlantedErrorsAreFound(t *testing.T) {
	at := func(message []byte) int { return int(message[0]) | int(message[1])<<8 } // which one it is
	const victim = 700
	for _, s := range shapes() {
		v := material()
		for name, plant := range map[string]struct {
			loop Loop[[md5.Size]byte]
			want string
		}{
			"nothing": {sums, ""},
			"a bit": {func(digests [][md5.Size]byte, messages [][]byte) {
				sums(digests, messages)
				for i, m := range messages {
					if at(m) == victim {
						digests[i][15] ^= 1
					}
				}
			}, "of 1000 digests 1 are wrong; the first, of message 701, is wrong"},
			"left out": {func(digests [][md5.Size]byte, messages [][]byte) {
				for i, m := range messages {
					if at(m) != victim {
						digests[i] = md5.Sum(m)
					}
				}
			}, "of 1000 digests 1 are wrong; the first, of message 701, is wrong"},
			"in another's place": {func(digests [][md5.Size]byte, messages [][]byte) {
				for i, m := range messages {
					switch at(m) {
					case victim:
						m = v.Plaintext[(victim+1)*testSize : (victim+2)*testSize]
					case victim + 1:
						m = v.Plaintext[victim*testSize : (victim+1)*testSize]
					}
					digests[i] = md5.Sum(m)
				}
			}, "of 1000 digests 2 are wrong; the first, of message 701, is that of message 702"},
			"all one late": {func(digests [][md5.Size]byte, messages [][]byte) {
				for i, m := range messages {
					before := (at(m) + testMessages - 1) % testMessages
					digests[i] = md5.Sum(v.Plaintext[before*testSize : (before+1)*testSize])
				}
			}, "of 1000 digests 1000 are wrong; the first, of message 1, is that of message 1000"},
			"nothing done": {func([][md5.Size]byte, [][]byte) {}, "of 1000 digests 1000 are wrong; the first, of message 1, is wrong"},
		} {
			op := open(t, s, plant.loop)
			if err := op.Check(); err == nil {
				t.Errorf("%+v, %s: a check before any run passes", s, name)
			}
			if err := op.Run(2); err != nil {
				t.Fatal(err)
			}
			err := op.Check()
			if plant.want == "" && err != nil || plant.want != "" && (err == nil || err.Error() != plant.want) {
				t.Errorf("%+v, %s: %v, want %q", s, name, err, plant.want)
			}
		}
	}
}

// TestShortDigests: a digest that is the beginning of the right one, or goes on behind it, is found.
func TestShortDigests(t *testing.T) {
	digests := material().Digest
	for _, test := range []struct{ got, want, size int }{{20, 32, 20}, {32, 20, 20}, {16, 32, 16}, {32, 16, 16}, {0, 16, 16}} {
		if Judge(digests[:test.got:test.got], digests[:test.want:test.want], test.size) == nil {
			t.Errorf("%d bytes are taken for %d", test.got, test.want)
		}
	}
}

// TestNothingPassesTwice: what one run left is spoilt by the check, so that a later
// run that leaves one message out is found.
func TestNothingPassesTwice(t *testing.T) {
	lazy := false
	for _, s := range shapes() {
		lazy = false
		op := open(t, s, func(digests [][md5.Size]byte, messages [][]byte) {
			if !lazy {
				sums(digests, messages)
			}
		})
		if err := errors.Join(op.Run(1), op.Check()); err != nil {
			t.Errorf("%+v: %v", s, err)
		}
		lazy = true
		if err := op.Run(1); err != nil {
			t.Fatal(err)
		}
		if err := op.Check(); err == nil {
			t.Errorf("%+v: a run that did nothing passes", s)
		}
	}
}

func TestShapes(t *testing.T) {
	for _, s := range shapes() {
		c := s.testCase()
		got, err := ShapeOf(c)
		if err != nil || got.Parameters() != c.Parameters || got.Size() != testSize {
			t.Errorf("%s: %+v, %v", c.Parameters, got, err)
		}
		if Note(c) == "" {
			t.Errorf("%s: no note", c.Parameters)
		}
	}
	for parameters, absent := range map[string]bool{
		"": true, "way=sum": true, "messages=4": true, "messages=04,way=sum": true, "messages=4,way=best": true,
		"messages=4,way=sum,workers=2": true, "messages=4,way=split": true, "messages=4,way=split,workers=0": true,
		"batch=2,messages=4,way=split,workers=2": true, "messages=4,way=channel,workers=2": true,
		"messages=4,way=spawn,workers=2": true, "messages=4,way=split,workers=4097": true, "messages=10000001,way=sum": true,
		"messages=3,way=sum": false, "messages=101,way=sum": false,
	} {
		_, err := ShapeOf(result.Case{Algorithm: "MD5", Operation: algorithm.HashMany, Bytes: 100, Parameters: parameters})
		if !errors.Is(err, errors.ErrUnsupported) || errors.Is(err, provider.ErrAbsent) != absent {
			t.Errorf("%q: %v; absent: %v", parameters, err, absent)
		}
	}
}

// TestMessagesAreShared: operations of one vector have its messages in common, and
// give them back.
func TestMessagesAreShared(t *testing.T) {
	v := material()
	var shared Shared
	first, second := shared.cut(v, testMessages), shared.cut(v, testMessages)
	if first != second || len(shared.of) == 0 {
		t.Error("the messages were cut twice")
	}
	_ = shared.release(v)
	_ = shared.release(v)
	if _, held := shared.of[v]; held {
		t.Error("nobody has the messages, and they are held")
	}
}

// TestWaysDontAllocate: what a call allocates is what the library allocates in it, but
// for the goroutines that a way starts.
func TestWaysDontAllocate(t *testing.T) {
	for _, s := range shapes() {
		op := open(t, s, sums)
		if err := op.Run(1); err != nil {
			t.Fatal(err)
		}
		most := 0.0
		switch {
		case s.Way == parameter.Spawn:
			most = 1.5 * testMessages
		case s.Parallel(): // what the runtime makes for goroutines that wait
			most = 16
		}
		if n := testing.AllocsPerRun(5, func() { _ = op.Run(1) }); n > most && !race {
			t.Errorf("%+v: %v allocations a call", s, n)
		}
	}
}

// TestFileBuffers: a buffer on the stack is there, and one that is made for each call is
// not; no file is left behind.
func TestFileBuffers(t *testing.T) {
	dir := t.TempDir()
	content := make([]byte, 100_001)
	for i := range content {
		content[i] = byte(i * 7)
	}
	digest := md5.Sum(content)
	var shared Shared
	vectors := placed{fixed{&provider.Vector{Plaintext: content, Digest: digest[:]}}, dir}
	for _, test := range []struct {
		buffer parameter.Reading
		chunk  int64
		allocs float64
	}{{parameter.OnStack, 4 << 10, 0}, {parameter.OnStack, 16 << 10, 0}, {parameter.OnStack, 64 << 10, 0},
		{parameter.OnStack, 128 << 10, 0}, {parameter.PerFile, 64 << 10, 1}, {parameter.FromPool, 64 << 10, 0}} {
		c := FileShape{Bytes: int64(len(content)), Buffer: test.buffer, Chunk: test.chunk}.testCase()
		op, err := OpenFile(c, vectors, &shared)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(op.Run(2), op.Check()); err != nil {
			t.Errorf("%s: %v", c.Parameters, err)
		}
		if n := testing.AllocsPerRun(5, func() { _ = op.Run(1) }); n != test.allocs && !(test.buffer == parameter.FromPool && n <= 2) && !race { // a collection empties pools
			t.Errorf("%s: %v allocations a file, want %v", c.Parameters, n, test.allocs)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
			t.Errorf("files with names: %v, %v", left, err)
		}
		if err := op.Close(); err != nil {
			t.Error(err)
		}
	}
	if len(shared.of) != 0 {
		t.Error("a file is still open")
	}
	vectors.v.Digest[3] ^= 1
	op, err := OpenFile(FileShape{Bytes: int64(len(content)), Buffer: parameter.FromPool, Chunk: 4096}.testCase(), vectors, &shared)
	if err != nil {
		t.Fatal(err)
	}
	defer op.Close()
	if err := op.Run(1); err != nil {
		t.Fatal(err)
	}
	if err := op.Check(); err == nil || !strings.Contains(err.Error(), "and should be") {
		t.Errorf("a wrong digest: %v", err)
	}
	if _, err := OpenFile(FileShape{Bytes: 5, Buffer: parameter.FromPool, Chunk: 4096}.testCase(), placed{fixed{material()}, dir + "/nowhere"}, &shared); err == nil {
		t.Error("a file was made in a directory that is not there")
	}
}

func (s FileShape) testCase() result.Case {
	return result.Case{Algorithm: "MD5", Operation: algorithm.HashFile, Bytes: s.Bytes,
		Parameters: parameter.Join(parameter.Buffer.Is(s.Buffer), parameter.Chunk.Is(s.Chunk))}
}

// placed is fixed in a directory.
type placed struct {
	fixed
	dir string
}

func (p placed) Setting() provider.Setting { return provider.Setting{Dir: p.dir} }

// TestGoroutineThatDidNotRun: one of them that has not begun is found.
func TestGoroutineThatDidNotRun(t *testing.T) {
	b := &burst{count: 3, asked: []int64{1, 2, 3}, ran: []int64{4, -1, 5}, done: true}
	if err := b.Check(); err == nil || err.Error() != "of 3 goroutines 1 did not run" {
		t.Errorf("%v", err)
	}
	b = &burst{count: 2, asked: []int64{1, 2}, ran: []int64{4, 5}, done: true}
	if err := b.Check(); err != nil {
		t.Error(err)
	}
}
