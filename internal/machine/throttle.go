package machine

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"strconv"
)

// Throttle is how often, and for how long, the cgroup's quota has stopped this
// process's group, since the group was made.
type Throttle struct {
	Known   bool    `json:"known"`     // false where no group counts it
	Periods int64   `json:"periods"`   // of the quota that have passed
	Count   int64   `json:"throttled"` // periods in which the group was stopped
	Seconds float64 `json:"seconds"`   // stopped, summed over CPUs
}

func (t Throttle) Sub(earlier Throttle) Throttle {
	return Throttle{t.Known && earlier.Known, t.Periods - earlier.Periods, t.Count - earlier.Count, t.Seconds - earlier.Seconds}
}

func (s source) throttled() Throttle {
	var t Throttle
	for _, file := range s.throttleFiles() {
		text := s.text(file)
		count, ok := parseInt(field(text, "nr_throttled", " "))
		if !ok {
			continue
		}
		periods, _ := parseInt(field(text, "nr_periods", " "))
		micros, _ := parseInt(field(text, "throttled_usec", " ")) // version 2
		nanos, _ := parseInt(field(text, "throttled_time", " "))  // version 1
		t.Known = true
		t.Periods += periods
		t.Count += count
		t.Seconds += float64(micros)*1e-6 + float64(nanos)*1e-9
	}
	return t
}

// throttleFiles are the counts to be summed. A group counts its own quota only,
// so every group above that has one matters; without any, the own group stands
// for all, should it be given a quota later.
func (s source) throttleFiles() []string {
	g, ok := s.group("cpu")
	if !ok {
		return nil
	}
	var files []string
	for _, dir := range g.dirs {
		if s.quota(g.version, dir) > 0 {
			files = append(files, dir+"/cpu.stat")
		}
	}
	if len(files) == 0 {
		files = append(files, g.dirs[0]+"/cpu.stat")
	}
	return files
}

// ThrottleCounter reads the number of throttled periods around every sample:
// the files stay open and nothing is allocated. One goroutine may use it.
type ThrottleCounter struct {
	files []throttleFile
	buf   [4096]byte // larger than any cpu.stat
}

type throttleFile interface {
	fs.File
	io.ReaderAt
}

// OpenThrottleCounter opens the counter of this process's groups. Where there
// is none, the counter reads 0.
func OpenThrottleCounter() *ThrottleCounter { return source{root()}.throttleCounter() }

func (s source) throttleCounter() *ThrottleCounter {
	c := &ThrottleCounter{}
	for _, name := range s.throttleFiles() {
		opened, err := s.fsys.Open(name)
		if err != nil {
			continue
		}
		file, ok := opened.(throttleFile)
		if ok {
			_, ok = c.readFile(file)
		}
		if !ok { // the root group of version 2 has no quota to count
			opened.Close()
			continue
		}
		c.files = append(c.files, file)
	}
	return c
}

// Read returns the number of throttled periods so far, summed over the groups.
func (c *ThrottleCounter) Read() int64 {
	var sum int64
	for _, f := range c.files {
		n, _ := c.readFile(f)
		sum += n
	}
	return sum
}

func (c *ThrottleCounter) Close() error {
	var errs []error
	for _, f := range c.files {
		errs = append(errs, f.Close())
	}
	c.files = nil
	return errors.Join(errs...)
}

func (c *ThrottleCounter) readFile(f io.ReaderAt) (int64, bool) {
	n, err := f.ReadAt(c.buf[:], 0)
	if err != nil && err != io.EOF {
		return 0, false
	}
	return counter(c.buf[:n], "nr_throttled ")
}

func counter(text []byte, key string) (int64, bool) {
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte{'\n'})
		if len(line) > len(key) && string(line[:len(key)]) == key {
			n, err := strconv.ParseUint(string(line[len(key):]), 10, 63)
			return int64(n), err == nil
		}
		text = rest
	}
	return 0, false
}
