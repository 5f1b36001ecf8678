package check

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/machine"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/store"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

const SchemaBaseline = "cryptogauge.baseline/1"

// Baseline is how a machine computed, and how fast, when it was healthy. It is
// written once and never changed; a new one takes its place.
type Baseline struct {
	Schema    string         `json:"schema"`
	Tool      string         `json:"tool"`
	Made      time.Time      `json:"made"`
	Suite     string         `json:"suite"`
	Selection plan.Selection `json:"selection"`
	Seed      uint64         `json:"seed"` // of the data whose outputs the digests are of
	identity
	Runs   []string `json:"runs"`   // folders of the runs it was made from
	Passes int      `json:"passes"` // whose spread the tolerances come from
	// Outputs holds the SHA-256 of the output of every case, by algorithm, operation,
	// bytes and parameters: every library that is right has it, on every machine.
	Outputs map[string]string `json:"outputs"`
	Trials  []BaselineTrial   `json:"trials"`
	// SHA256 is of the file with this field empty and without the space between its tokens: what was cut or edited is
	// refused. It is the last field, whatever else is added: [split] looks for it there.
	SHA256 string `json:"sha256"`
}

type BaselineTrial struct {
	ID      string `json:"id"`
	Control bool   `json:"control,omitempty"` // a reference, held against another
	Exhibit bool   `json:"exhibit,omitempty"` // known to be wrong; nothing else is kept of it

	Clock      result.Clock `json:"clock,omitempty"`      // of its headline, where waiting or other threads are part of it
	Reference  string       `json:"reference,omitempty"`  // the fixed work its speed is held against
	Ratios     []float64    `json:"ratios,omitempty"`     // its time over the reference's, block by block
	Tolerance  float64      `json:"tolerance,omitempty"`  // the slowdown that counts as none, as a share
	Resolution float64      `json:"resolution,omitempty"` // the slowdown that will show
	Coarse     bool         `json:"coarse,omitempty"`     // 15 % could hide in its noise
	Unguarded  string       `json:"unguarded,omitempty"`  // why its speed is not guarded
	Allocs     *float64     `json:"allocs,omitempty"`     // most heap objects per call, of any block
	AllocBytes *float64     `json:"alloc_bytes,omitempty"`
}

func (t BaselineTrial) guarded() bool { return len(t.Ratios) > 0 && t.Unguarded == "" }

func (b *Baseline) find(id string) *BaselineTrial {
	for i := range b.Trials {
		if b.Trials[i].ID == id {
			return &b.Trials[i]
		}
	}
	return nil
}

// ErrBaseline is a baseline that can't be read or compared. It is one line that
// says what to do, in both languages.
type ErrBaseline struct{ error }

func (e *ErrBaseline) Unwrap() error { return e.error }

func refused(en, zh string, args ...any) error { return &ErrBaseline{language.Errorf(en, zh, args...)} }

func noBaseline(path string) error {
	return refused("%s: it is no baseline of cryptogauge; name another with --baseline, or make one with --new-baseline",
		"%s：不是 cryptogauge 的基线；请用 --baseline 指定其他基线，或用 --new-baseline 新建", path)
}

// mostBaseline is many times what the longest baseline takes.
const mostBaseline = 64 << 20

// Load reads a baseline: a regular file of a size that one can have. Of a folder the system says that it is one.
func Load(path string) (*Baseline, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() && (!info.Mode().IsRegular() || info.Size() > mostBaseline) {
		return nil, noBaseline(path)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var known struct{ Schema string }
	switch err := json.Unmarshal(raw, &known); {
	case err != nil || known.Schema == SchemaBaseline:
	case strings.HasPrefix(known.Schema, "cryptogauge.baseline/"):
		return nil, refused("%s: written by a newer cryptogauge (schema %q, this program reads %q); update it, or make another with --new-baseline",
			"%s：由更新版本的 cryptogauge 写成（schema 为 %q，本程序可读 %q）；请升级本程序，或用 --new-baseline 新建基线",
			path, known.Schema, SchemaBaseline)
	default:
		return nil, noBaseline(path)
	}
	var b Baseline
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&b); err != nil || !intact(raw) {
		return nil, refused("%s: the baseline is damaged; make another with --new-baseline, or name one with --baseline",
			"%s：基线已损坏；请用 --new-baseline 新建，或用 --baseline 指定其他基线", path)
	}
	return &b, nil
}

// intact says whether a baseline's file has the checksum that it states. The sum is of what was written, and not of
// what this program would write: a field that it knows and the file lacks would be in that. Space between tokens holds
// nothing, and a checkout may have other ends of lines.
func intact(raw []byte) bool {
	var compact bytes.Buffer
	if json.Compact(&compact, raw) != nil {
		return false
	}
	blank, stated, ok := split(compact.Bytes())
	return ok && sum(blank) == stated
}

// The ends of a compact baseline around its checksum.
const sumBegins, sumEnds = `"sha256":"`, `"}`

// split parts a compact baseline into what its checksum is of and the checksum.
func split(compact []byte) (blank []byte, stated string, ok bool) {
	head, ok := bytes.CutSuffix(compact, []byte(sumEnds))
	at := bytes.LastIndex(head, []byte(sumBegins)) + len(sumBegins)
	if !ok || at < len(sumBegins) {
		return nil, "", false
	}
	return slices.Concat(head[:at], []byte(sumEnds)), string(head[at:]), true
}

func sum(blank []byte) string { return fmt.Sprintf("%x", sha256.Sum256(blank)) }

// Save puts a baseline in its place, whole or not at all.
func (b *Baseline) Save(path string) error {
	b.SHA256 = ""
	raw, err := json.Marshal(b)
	if err == nil {
		b.SHA256 = sum(raw)
		raw, err = json.MarshalIndent(b, "", " ")
	}
	if err == nil {
		err = store.Replace(path, append(raw, '\n'))
	}
	if err != nil {
		return language.Errorf("writing the baseline: %w", "写入基线：%s", err)
	}
	return nil
}

// identity is what must agree before speeds may be compared.
type identity struct {
	Machine   result.Machine   `json:"machine"`
	Libraries []result.Library `json:"libraries"` // that the cases run with; what is not installed has its reason
	// Environment lists the variables, as NAME=value, that were set and change how the code under test runs.
	Environment []string        `json:"environment,omitempty"`
	Dir         string          `json:"dir,omitempty"`    // of temporary files, where not the system's; disks differ
	Own         *result.OwnData `json:"sample,omitempty"` // the user's data that were encrypted; null where all were drawn
}

// versions lists what speeds depend on: Go, and the libraries of others that run, by
// name. Our own is left out: between two builds of it, check is to tell what became
// slower. So are those that are not installed, which have no speed.
func (id identity) versions() []version {
	list := []version{{"Go", id.Machine.GoVersion}}
	for _, l := range id.Libraries {
		if l.Library == "go" || l.Library == ownLibrary || l.Library == subject.Harness || l.Missing != "" {
			continue
		}
		if v := (version{l.Library, l.Version}); !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return list
}

type version struct{ name, number string }

// numbers joins the versions of a name: "3.0.17, 3.2.1".
func numbers(list []version, name string) string {
	var found []string
	for _, v := range list {
		if v.name == name {
			found = append(found, v.number)
		}
	}
	return strings.Join(found, ", ")
}

const ownLibrary = subject.Engine

// stem names the baselines of one question on one kind of machine, whatever the versions
// and the environment.
func (id identity) stem(suite string, s plan.Selection) string {
	raw, _ := json.Marshal(s) // of strings and numbers: it can't fail
	sum := sha256.Sum256(raw)
	return fmt.Sprintf("%s-%s-%x", suite, machine.Key(id.Machine), sum[:3])
}

// surroundings are what was set beside the versions; nothing where all is as usual.
func (id identity) surroundings() []string {
	set := slices.Clone(id.Environment)
	if id.Dir != "" {
		set = append(set, "--dir "+id.Dir)
	}
	if id.Own != nil {
		set = append(set, fmt.Sprintf("--sample (SHA-256 %.12s…)", id.Own.SHA256))
	}
	return set
}

func (id identity) file(suite string, s plan.Selection) string {
	facts := document.Mapped(id.versions(), func(v version) string { return v.name + " " + v.number })
	sum := sha256.Sum256([]byte(strings.Join(append(facts, id.surroundings()...), "\n")))
	return fmt.Sprintf("%s-%x.json", id.stem(suite, s), sum[:4])
}

// differs lists what keeps the speeds of a baseline from being compared with this
// machine's.
func (b *Baseline) differs(id identity, suite string, s plan.Selection) (list []layout.Text) {
	add := func(what layout.Text, there, here string) {
		switch {
		case there == here:
		case here == "":
			list = append(list, layout.Say("%s: %s there, not installed here", "%s：基线为 %s，此处未安装", what, there))
		default:
			list = append(list, layout.Say("%s: %s there, %s here", "%s：基线为 %s，此处为 %s", what, there, here))
		}
	}
	there := b.identity
	there.Libraries = b.ran()
	add(layout.Same("CPU"), there.Machine.CPU.Model, id.Machine.CPU.Model)
	if len(list) == 0 {
		add(layout.Text{EN: "machine", ZH: "机器"}, machine.Key(there.Machine), machine.Key(id.Machine))
	}
	old := there.versions()
	for _, same := range document.Grouped(old, func(v version) string { return v.name }) {
		// A library that the baseline has not is new, and keeps nothing from being compared.
		name := same[0].name
		add(layout.Same(name), numbers(old, name), numbers(id.versions(), name))
	}
	was := strings.Join(missing(there.surroundings(), id.surroundings()), " ")
	switch is := strings.Join(missing(id.surroundings(), there.surroundings()), " "); {
	case was == is:
	case was == "":
		list = append(list, layout.Say("it was made without %s", "建立基线时没有设置 %s", is))
	case is == "":
		list = append(list, layout.Say("it was made with %s, which is not set here", "建立基线时设置了 %s，而现在没有", was))
	default:
		list = append(list, layout.Say("it was made with %s, and here there is %s", "建立基线时为 %s，现在为 %s", was, is))
	}
	add(layout.Text{EN: "suite", ZH: "套件"}, b.Suite, suite)
	if b.Suite == suite && (identity{}).stem("", b.Selection) != (identity{}).stem("", s) {
		list = append(list, layout.Say("selection: another selection of trials there", "选择：基线选择了另外的测试项"))
	}
	return list
}

// ran are the libraries that the baseline's trials name. The list in the file may hold
// others, which were installed and not asked.
func (b *Baseline) ran() []result.Library {
	return slices.DeleteFunc(slices.Clone(b.Libraries), func(l result.Library) bool {
		named := "/" + l.Library + "@" + l.Version + "/"
		return !slices.ContainsFunc(b.Trials, func(t BaselineTrial) bool { return strings.Contains(t.ID, named) })
	})
}

func missing(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(x string) bool { return slices.Contains(b, x) })
}

// lookup finds the baseline for this machine in a directory: the one made with the same
// libraries and environment, else the youngest that can be compared, else the youngest of
// others on this kind of machine, which serves for outputs and is refused for speed. It
// is nil where there is none.
func lookup(dir string, id identity, suite string, s plan.Selection) (*Baseline, string, error) {
	path := filepath.Join(dir, id.file(suite, s))
	b, err := Load(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return b, path, err
	}
	others, _ := filepath.Glob(filepath.Join(dir, id.stem(suite, s)+"-*.json"))
	var found string
	fits := false
	for _, other := range others {
		o, err := Load(other)
		if err != nil {
			continue
		}
		same := len(o.differs(id, suite, s)) == 0
		if b == nil || same && !fits || same == fits && o.Made.After(b.Made) {
			b, found, fits = o, other, same
		}
	}
	return b, found, nil
}

// probe says whether a baseline could be written to a path, before an hour is
// spent on it.
func probe(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return language.Errorf("%s is a directory", "%s 是一个目录", path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return language.Errorf("making the directory of baselines: %w", "创建基线目录：%s", err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".probe-*")
	if err != nil {
		return language.Errorf("the directory of baselines can't be written to: %w", "基线目录不可写：%s", err)
	}
	f.Close()
	return os.Remove(f.Name())
}
