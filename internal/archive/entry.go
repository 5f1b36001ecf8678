package archive

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/store"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/internal/userfile"
	"github.com/cryptogauge/cryptogauge/result"
)

// entry is a run as it is filed: the rows that a store keeps of it, and its file.
type entry struct {
	run        Run
	header     string // SHA-256 of the file's first line
	machine    Machine
	condition  condition
	zstd       []byte
	cells      []cell
	metrics    []metric
	pairs      []pair
	histograms []histogram
}

// condition is what may change on a machine from one run to the next, besides the versions of libraries.
type condition struct{ Kernel, Go, Tool, Microcode string }

// track is what has a history: a subject on a case and a machine. The subject's version is empty, for it changes; but
// where a run has several versions of a library side by side, each is a subject of its own.
type track struct {
	Machine    string
	Experiment string
	Case       result.Case
	Subject    result.Subject
	Twin       int // 1, or its number among equal trials of a run
}

type cell struct {
	track   track
	version string
	status  result.Status
	flags   int64
	ns      *document.Estimate
	rate    *float64
	cycles  *float64
	allocs  *float64
	samples int
	blocks  int
	doubts  int

	number, versionNumber int64 // of the track and of the version, in the store
}

// Flags of cells. They are written to stores.
const (
	flagWithheld   = 1 << iota
	flagExhibit    // shown because it is known to be wrong
	flagLaboratory // measures the laboratory itself
	flagUnmeasured // of a run that was cut short before it came to that
)

type metric struct {
	trial int
	name  string
	document.Metric
}

type pair struct {
	base, other int
	*document.Comparison
}

type histogram struct {
	trial   int
	encoded []byte
	document.Distribution
}

// trialBits are how many bits of a cell's number are its trial's.
const trialBits = 20

// mostBytes is how long a compressed run file may be: what both engines hold in one value.
const mostBytes = 512 << 20

// errTooLarge: a run that no store holds.
var errTooLarge = language.Error("the run is too large for a store", "该运行过大，无法存入存储")

// read reads a run file whole and makes its rows.
func read(path string) (*entry, error) {
	file := path
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		file = filepath.Join(path, store.RunFile)
	}
	run, found, err := readFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, language.Errorf("%s: there is no run file; give the run.jsonl that a run wrote, or its folder",
			"%s：没有运行文件；请给出运行生成的 run.jsonl，或其所在目录", path)
	case err != nil:
		return nil, language.Errorf("%s: %w", "%s：%s", path, err)
	}
	if len(run.Trials) >= 1<<trialBits || len(found.zstd) > mostBytes {
		return nil, language.Errorf("%s: %w", "%s：%s", path, errTooLarge)
	}
	e := entryOf(run)
	if len(e.pairs) >= 1<<trialBits {
		return nil, language.Errorf("%s: %w", "%s：%s", path, errTooLarge)
	}
	e.run.ID, e.run.Bytes, e.header, e.zstd = found.id, found.bytes, found.header, found.zstd
	e.run.SecondOf = idOf(filepath.Dir(filepath.Dir(file))) // the run in whose folder this one's lies
	return e, nil
}

// contents are what filing needs of a file besides what it says.
type contents struct {
	id     string
	header string
	bytes  int64
	zstd   []byte
}

// readFile reads a run file once, so that what is hashed, what is kept and what the rows are made of are the same
// bytes, though the file may be growing.
func readFile(path string) (*result.Run, contents, error) {
	f, err := userfile.Open(path)
	if err != nil {
		return nil, contents{}, err
	}
	defer f.Close()
	var kept bytes.Buffer
	packed, err := zstd.NewWriter(&kept, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, contents{}, err
	}
	whole, first := sha256.New(), &firstLine{}
	count := &counter{}
	run, err := result.Read(io.TeeReader(f, io.MultiWriter(whole, first, count, packed)))
	if err != nil {
		return nil, contents{}, err
	}
	if err := packed.Close(); err != nil {
		return nil, contents{}, err
	}
	return run, contents{hexOf(whole.Sum(nil)), first.sum(), count.n, kept.Bytes()}, nil
}

func hexOf(sum []byte) string { return hex.EncodeToString(sum) }

// firstLine keeps the first line of what is written to it.
type firstLine struct {
	line  []byte
	ended bool
}

func (l *firstLine) Write(b []byte) (int, error) {
	if !l.ended {
		line, _, ended := bytes.Cut(b, []byte("\n"))
		l.line, l.ended = append(l.line, line...), ended
	}
	return len(b), nil
}

func (l *firstLine) sum() string {
	sum := sha256.Sum256(l.line)
	return hexOf(sum[:])
}

type counter struct{ n int64 }

func (c *counter) Write(b []byte) (int, error) {
	c.n += int64(len(b))
	return len(b), nil
}

// idOf is the ID of the run in a folder; "" where there is none.
func idOf(folder string) string {
	f, err := userfile.Open(filepath.Join(folder, store.RunFile))
	if err != nil {
		return ""
	}
	defer f.Close()
	whole := sha256.New()
	if _, err := io.Copy(whole, f); err != nil {
		return ""
	}
	return hexOf(whole.Sum(nil))
}

// entryOf makes a run's rows.
func entryOf(run *result.Run) *entry {
	doc := document.Build(run)
	h, m := run.Header, run.Header.Machine
	e := &entry{machine: machineOf(m)}
	e.condition = condition{clean(m.Kernel), clean(m.GoVersion), clean(h.Tool), clean(m.CPU.Microcode)}
	e.run = Run{
		Started: h.Started.UTC().Truncate(time.Microsecond), Suite: clean(h.Suite), Title: clean(h.Title), Note: clean(h.Note), Tool: e.condition.Tool,
		Machine: e.machine.Key, Label: e.machine.Label, Kernel: e.condition.Kernel, Go: e.condition.Go,
		Confidence: doc.Trust.Level, Partial: run.Partial(), Open: run.End == nil, Seconds: doc.Seconds,
	}
	e.addCells(run, doc)
	trials := make(map[string]int, len(doc.Rows))
	for i, row := range doc.Rows {
		trials[row.ID] = i
		e.addMetrics(i, row.Metrics)
	}
	for i := range doc.Comparisons {
		c := &doc.Comparisons[i]
		e.pairs = append(e.pairs, pair{trials[c.Base], trials[c.Other], c})
	}
	e.addDistributions(run, doc.Distributions, trials)
	return e
}

func (e *entry) addCells(run *result.Run, doc *document.Document) {
	versions := map[track]map[string]bool{}
	for _, row := range doc.Rows {
		c := e.cellOf(run, row)
		if e.cells = append(e.cells, c); c.flags&flagLaboratory == 0 {
			e.run.Rows++
		}
		if row.Status == result.Incorrect && !row.Exhibit() {
			e.run.Wrong++
		}
		if versions[c.track] == nil {
			versions[c.track] = map[string]bool{}
		}
		versions[c.track][c.version] = true
	}
	twins := map[track]int{}
	for i := range e.cells {
		c := &e.cells[i]
		if len(versions[c.track]) > 1 {
			c.track.Subject.Version = c.version
		}
		twins[c.track]++
		c.track.Twin = twins[c.track]
	}
}

func (e *entry) cellOf(run *result.Run, row *document.Row) cell {
	s := row.Info.Subject
	c := cell{version: clean(s.Version), status: row.Status, ns: row.NsPerOp, rate: row.BytesPerSecond, cycles: row.CyclesPerByte,
		allocs: row.AllocsPerOp, samples: row.Samples, blocks: row.Blocks, doubts: len(row.Warnings)}
	c.track = track{Machine: e.machine.Key, Experiment: clean(row.Experiment),
		Case: result.Case{Algorithm: clean(row.Algorithm), Mode: clean(row.Mode), Operation: clean(row.Operation), Bytes: row.Bytes,
			Parameters: clean(row.Parameters)},
		Subject: result.Subject{Library: clean(s.Library), Implementation: clean(s.Implementation), CallPath: clean(s.CallPath),
			Runtime: clean(s.Runtime), Environment: clean(s.Environment)}}
	for _, flag := range []struct {
		is  bool
		bit int64
	}{
		{row.Withheld, flagWithheld}, {row.Exhibit(), flagExhibit},
		{s.Library == subject.Harness || row.Group >= 0 && run.Groups[row.Group].Kind != "", flagLaboratory},
		{row.Status == result.Unstable && !row.Withheld && row.Blocks == 0 && run.Partial(), flagUnmeasured},
	} {
		if flag.is {
			c.flags |= flag.bit
		}
	}
	return c
}

func (e *entry) addMetrics(trial int, of map[string]document.Metric) {
	first := len(e.metrics)
	for name, m := range of {
		e.metrics = append(e.metrics, metric{trial, clean(name), m})
	}
	added := e.metrics[first:]
	slices.SortFunc(added, func(a, b metric) int { return strings.Compare(a.name, b.name) })
	e.metrics = e.metrics[:first+len(slices.CompactFunc(added, func(a, b metric) bool { return a.name == b.name }))]
}

func (e *entry) addDistributions(run *result.Run, all []document.Distribution, trials map[string]int) {
	type place struct {
		trial int
		name  string
	}
	buckets := map[place][][2]int64{}
	closed := map[[2]int]bool{}
	for _, c := range run.Closed {
		closed[[2]int{c.Trial, c.Block}] = true
	}
	for _, r := range run.Records {
		if !closed[[2]int{r.Trial, r.Block}] {
			continue // as the document leaves it out
		}
		for _, h := range r.Histograms {
			at := place{r.Trial, h.Name}
			buckets[at] = append(buckets[at], h.Buckets...)
		}
	}
	seen := map[place]bool{}
	for _, d := range all {
		trial := trials[d.RowID]
		encoded := encodeHistogram(buckets[place{trial, d.Name}])
		if d.Name, d.Unit = clean(d.Name), clean(d.Unit); !seen[place{trial, d.Name}] {
			seen[place{trial, d.Name}] = true
			e.histograms = append(e.histograms, histogram{trial, encoded, d})
		}
	}
}

// longestText is how many bytes of a name or a note a list needs.
const longestText = 1 << 10

// clean is a text as both engines hold it: UTF-8 without the NUL that PostgreSQL refuses, and not longer than a list
// has use for. Run files may come from anywhere.
func clean(text string) string {
	text = strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", "\ufffd"), "\ufffd")
	if len(text) <= longestText {
		return text
	}
	cut := longestText
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "…"
}

// keyOf is what identifies a row, in the same few letters however long that is.
func keyOf(identity any) string {
	text, err := json.Marshal(identity)
	if err != nil {
		panic(fmt.Sprintf("archive: internal error: %v", err))
	}
	sum := sha256.Sum256(text)
	return hexOf(sum[:16])
}
