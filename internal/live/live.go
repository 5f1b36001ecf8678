// Package live is what a run says of itself while it goes on: a small file in a folder of this user's, which whoever
// wants to follow the run reads. Nothing waits for it, and a run that can't write it goes on without.
//
// The file is written between samples, when the worker waits, and once a second at most; it is put in its place whole.
// It goes with the run. What a killed run left names a process that is no more, and counts for nothing.
package live

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/store"
)

// State is how far a run is.
type State struct {
	Schema   string        `json:"schema"`
	PID      int           `json:"pid"`
	Born     string        `json:"born"` // when the process began, in ticks since the machine did; empty where that is not known
	Verb     string        `json:"verb"`
	Suite    string        `json:"suite"`
	Started  time.Time     `json:"started"`
	Updated  time.Time     `json:"updated"`
	Expected float64       `json:"expected_seconds"` // of all; 0 where it is not known
	Done     float64       `json:"done"`             // share, 0 to 1
	Doing    language.Text `json:"doing"`
}

// Schema names the file's form.
const Schema = "cryptogauge.live/1"

const (
	often    = time.Second     // between two writes
	silent   = 2 * time.Minute // after which a process that can't be looked for counts as ended
	mostFile = 64 << 10        // bytes
	mostRuns = 32              // that are shown
)

// Left is how long the run goes on, as far as that is known; below 0 where it is not.
func (s State) Left(now time.Time) time.Duration {
	const told = 0.05 // of a run, after which it says itself how long it takes
	spent := now.Sub(s.Started)
	switch {
	case s.Done >= told:
		return max(0, time.Duration(float64(spent)/s.Done)-spent)
	case s.Expected > 0:
		return max(0, time.Duration(s.Expected*float64(time.Second))-spent)
	}
	return -1
}

// Run is one that goes on. A nil Run says nothing.
type Run struct {
	path  string
	state State
}

// Begin says that a run has begun. It is nil where nothing can be written.
func Begin(verb, suite string, expected time.Duration) *Run {
	pid, now := os.Getpid(), time.Now()
	for _, folder := range folders() {
		if os.MkdirAll(folder, 0o700) != nil {
			continue
		}
		tidy(folder, now)
		r := &Run{filepath.Join(folder, strconv.Itoa(pid)+suffix),
			State{Schema: Schema, PID: pid, Born: born(pid), Verb: verb, Suite: suite, Started: now.UTC(),
				Expected: expected.Seconds()}}
		if r.write() == nil {
			return r
		}
	}
	return nil
}

// At says how far the run is, and what it does; doing is asked where that is written.
func (r *Run) At(done float64, doing func() language.Text) {
	if r == nil || time.Since(r.state.Updated) < often {
		return
	}
	r.state.Done = done
	if said := doing(); said != (language.Text{}) { // else what was last said stays
		r.state.Doing = said
	}
	_ = r.write() // the run goes on
}

// Next begins a part of the run that takes so long from now on, of which shares are told next.
func (r *Run) Next(expected time.Duration) {
	if r == nil {
		return
	}
	r.state.Started, r.state.Expected, r.state.Done = time.Now().UTC(), expected.Seconds(), 0
	_ = r.write()
}

// End says that the run has ended.
func (r *Run) End() {
	if r != nil {
		_ = os.Remove(r.path)
	}
}

func (r *Run) write() error {
	r.state.Updated = time.Now().UTC()
	text, err := json.Marshal(r.state)
	if err != nil {
		return err
	}
	return store.Replace(r.path, text)
}

// suffix is how names of such files end.
const suffix = ".live.json"

// folders are where such files are: below $XDG_RUNTIME_DIR, which goes when the user logs out, or in the cache.
func folders() (list []string) {
	if dir := os.Getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) {
		list = append(list, filepath.Join(dir, "cryptogauge"))
	}
	if dir, err := os.UserCacheDir(); err == nil {
		list = append(list, filepath.Join(dir, "cryptogauge", "live"))
	}
	return list
}

// Runs are those that go on, as this user's folders say, the one that began first first.
func Runs(now time.Time) (list []State) {
	for _, folder := range folders() {
		for _, path := range files(folder) {
			if s, ok := read(path); ok && s.goesOn(now) && len(list) < mostRuns {
				list = append(list, s)
			}
		}
	}
	slices.SortFunc(list, func(a, b State) int { return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.PID, b.PID)) })
	return list
}

func files(folder string) (paths []string) {
	entries, _ := os.ReadDir(folder) // where there is none, there is no run
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), suffix) && e.Type().IsRegular() {
			paths = append(paths, filepath.Join(folder, e.Name()))
		}
	}
	return paths
}

func read(path string) (s State, ok bool) {
	info, err := os.Stat(path)
	if err != nil || info.Size() > mostFile {
		return s, false
	}
	text, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(text, &s) != nil || s.Schema != Schema || s.PID <= 0 {
		return s, false
	}
	s.Done = max(0, min(1, s.Done))
	return s, true
}

// goesOn says whether the process that a state is of is still there: the same one, and not a later one of its number.
func (s State) goesOn(now time.Time) bool {
	if s.Born != "" {
		return born(s.PID) == s.Born
	}
	return now.Sub(s.Updated) < silent
}

// tidy removes what killed runs left.
func tidy(folder string, now time.Time) {
	for _, path := range files(folder) {
		if s, ok := read(path); !ok || !s.goesOn(now) {
			_ = os.Remove(path)
		}
	}
}

// born is when a process began, as Linux counts (proc(5), stat, field 22); empty where that is not known.
func born(pid int) string {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return ""
	}
	end := strings.LastIndex(string(text), ") ") // of the name, which may hold anything
	const field = 22 - 2                         // this bracket ends the second
	if fields := strings.Fields(string(text)[end+1:]); len(fields) >= field {
		return fields[field-1]
	}
	return ""
}
