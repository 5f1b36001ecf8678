package gobench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// benchmark is what a survey found of one.
type benchmark struct {
	Name  string
	First float64      // ns of its first call
	Waits bool         // less than a quarter of its time is CPU time
	Lacks string       // why it can't be measured; "" where it can
	Cause result.Cause // the same, for programs
}

// survey is what a binary has.
type survey struct {
	OnCPU      bool   // the binary can count CPU time
	Package    string // what the binary says that it tests
	Benchmarks []benchmark
}

// mostRestarts is how many benchmarks may end their process before the rest is left alone.
const mostRestarts = 50

// Take finds the benchmarks of a binary that match, by calling each once, and keeps what it found in the
// file t.Survey where that is named. Sub-benchmarks can't be found in another way.
func (t Tests) Take(ctx context.Context) error {
	s, err := t.take(ctx)
	if err != nil || t.Survey == "" {
		return err
	}
	return t.keep(s)
}

func (t Tests) keep(s survey) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return os.WriteFile(t.Survey, text, 0o600)
}

// Agree has several binaries measure what they have in common on one clock: on the wall's, where a benchmark waits
// in one of them. Their surveys lie in the files that they name.
func Agree(all []Tests) error {
	surveys, waits := make([]survey, len(all)), map[string]bool{}
	for i, t := range all {
		var err error
		if surveys[i], err = t.surveyed(context.Background()); err != nil {
			return err
		}
		for _, b := range surveys[i].Benchmarks {
			waits[b.Name] = waits[b.Name] || b.Waits
		}
	}
	for i, t := range all {
		for j := range surveys[i].Benchmarks {
			b := &surveys[i].Benchmarks[j]
			b.Waits = waits[b.Name]
		}
		if err := t.keep(surveys[i]); err != nil {
			return err
		}
	}
	return nil
}

// surveyed is what was kept, or what is found now.
func (t Tests) surveyed(ctx context.Context) (s survey, err error) {
	if t.Survey != "" {
		text, err := os.ReadFile(t.Survey)
		if err != nil {
			return s, err
		}
		return s, json.Unmarshal(text, &s)
	}
	return t.take(ctx)
}

func (t Tests) take(ctx context.Context) (s survey, err error) {
	binary, err := os.ReadFile(t.Binary)
	if err != nil {
		return s, err
	}
	s.OnCPU = bytes.Contains(binary, []byte(ClockVariable))
	for range mostRestarts {
		if done, err := t.pass(ctx, &s); err != nil {
			return s, err
		} else if done {
			break
		}
	}
	if len(s.Benchmarks) == 0 {
		return s, language.Errorf("no benchmark of %s matches --bench %s; there are: %s",
			"%s 没有与 --bench %s 匹配的基准测试；现有：%s", t.Library, t.Pattern, t.list(ctx))
	}
	slices.SortStableFunc(s.Benchmarks, func(a, b benchmark) int { return strings.Compare(a.Name, b.Name) })
	for i := range s.Benchmarks {
		if b := &s.Benchmarks[i]; b.Lacks == "" && ctx.Err() == nil {
			b.Waits = t.waits(b)
		}
	}
	return s, ctx.Err()
}

const (
	waitingLeast = float64(50 * time.Microsecond) // a shorter call may look as if it waited
	waitingShare = 0.25                           // of its time that one computes at least which does not wait
	deniedShare  = 0.75                           // of its time that a process computes or would, where it does not wait
)

// waitingTimes are those of the looks at a benchmark: first one at which most are known to compute, then some
// beside which the start of a process is short.
var waitingTimes = []time.Duration{50 * time.Millisecond, 200 * time.Millisecond, 200 * time.Millisecond}

// waits says whether a benchmark waits for something else than a CPU, and more than it computes.
func (t Tests) waits(b *benchmark) bool {
	if b.First < waitingLeast {
		return false
	}
	denied := 0
	for _, time := range waitingTimes {
		calls := 1 + int64(float64(time)/b.First)
		r, err := t.watched(watchQueue, b.Name, calls, onWall, 2*longestCall)
		if err != nil || float64(r.cpu) > waitingShare*r.Ns*float64(r.Calls) {
			return false
		}
		if float64(r.cpu+r.queued) > deniedShare*float64(r.wall) {
			denied++
		}
	}
	return denied < len(waitingTimes)-1
}

// list names the benchmarks that there are.
func (t Tests) list(ctx context.Context) string {
	out, _ := t.command(ctx, onWall, []string{"-test.list=^Benchmark"}).Output()
	var names []string
	for line := range strings.Lines(string(out)) {
		if name := strings.TrimSpace(line); strings.HasPrefix(name, "Benchmark") {
			names = append(names, name)
		}
	}
	const some = 5
	switch n := len(names); {
	case n == 0:
		return "-"
	case n > some:
		return strings.Join(names[:some], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}

// pass calls once what was not called yet, until one ends the process or takes too long. It is done where
// the process came to its end.
func (t Tests) pass(ctx context.Context, s *survey) (done bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := t.command(ctx, onWall, append(once(t.Pattern, 1), s.skip()...))
	var said lastOutput
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		return false, err
	}
	if err := cmd.Start(); err != nil {
		return false, language.Errorf("%s can't be run: %w", "无法运行 %s：%s", filepath.Base(t.Binary), err)
	}
	w := watch{}
	hung := w.read(out, cmd.Process.Pid, cancel)
	ended := cmd.Wait()
	switch last := w.now; {
	case last == nil && hung:
		return false, language.Errorf("the tests of %s do nothing for %s before the first benchmark", "%s 的测试在首个基准测试之前 %s 内毫无动静", t.Library, startingUp)
	case last == nil && ended != nil && len(s.Benchmarks) == 0:
		return false, unstarted(t, w.before.String()+said.String(), ended)
	case hung:
		last.why = reason.New("bench-slow", longestCall)
	case last != nil && !last.closed: // it may have ended the process, even without an error
		last.why = whyNot(last.text.String(), said.String(), ended)
	default:
		done = true
	}
	w.into(s)
	if _, after, is := strings.Cut("\n"+w.before.String(), "\npkg: "); is {
		s.Package, _, _ = strings.Cut(after, "\n")
	}
	return done, nil
}

// unstarted says why a binary came to no benchmark at all.
func unstarted(t Tests, said string, ended error) error {
	line, _, _ := strings.Cut(strings.TrimSpace(said), "\n")
	if line == "" {
		line = ended.Error()
	}
	return language.Errorf("the tests of %s end before the first benchmark: %s", "%s 的测试在首个基准测试之前结束：%s", t.Library, line)
}

// skip is a pattern of all that need not be called again.
func (s *survey) skip() []string {
	if len(s.Benchmarks) == 0 {
		return nil
	}
	var names []string
	for _, b := range s.Benchmarks {
		names = append(names, exactly(b.Name))
	}
	return []string{"-test.skip=" + strings.Join(names, "|")}
}

// parent says whether there are benchmarks below this one, which then is none itself.
func (s *survey) parent(name string) bool {
	return slices.ContainsFunc(s.Benchmarks, func(b benchmark) bool { return strings.HasPrefix(b.Name, name+"/") })
}

// watch follows what a binary prints.
type watch struct {
	all    []*printed
	now    *printed // the benchmark that is called; nil before the first
	before lastOutput
}

// printed is what stands between the name of a benchmark and the next name.
type printed struct {
	name   string
	text   lastOutput
	first  float64
	closed bool // it gave its figure, failed or skipped itself
	why    error
}

// startingUp is how long a binary may take to its first benchmark.
const startingUp = 5 * time.Second

// read follows the binary until it ends or is silent for too long, and then ends it.
func (w *watch) read(out io.Reader, pid int, end func()) (hung bool) {
	lines, stop := make(chan string), make(chan struct{})
	defer close(stop)
	go func() {
		defer close(lines)
		for r := bufio.NewReader(out); ; {
			line, err := r.ReadString('\n')
			select {
			case lines <- strings.TrimRight(line, "\n"):
			case <-stop:
				return
			}
			if err != nil {
				return
			}
		}
	}()
	patience := startingUp
	var over *worker.Overtime // where it has had that
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for {
		select {
		case line, open := <-lines:
			if !open {
				return hung
			}
			if w.line(line) && !hung {
				patience, over = longestCall, nil
				timer.Reset(patience)
			}
		case <-timer.C:
			if hung { // a process that it started holds its output
				return true
			}
			if over == nil {
				over = worker.NewOvertime(pid, patience)
			}
			if !over.Up() {
				timer.Reset(worker.OvertimeLook)
				continue
			}
			hung = true
			end()
			timer.Reset(time.Second)
		}
	}
}

// line takes a line, and says whether it tells of progress.
func (w *watch) line(line string) bool {
	for _, head := range []string{"FAIL", "SKIP"} {
		if name, is := headed(line, head); is {
			w.of(name)
			w.now.text.WriteString(line + "\n")
			w.now.closed = true
			return true
		}
	}
	name, rest, is := named(line)
	switch {
	case is:
		w.of(name)
	case w.now == nil:
		w.before.WriteString(line + "\n")
		return false
	default:
		rest = line
	}
	w.now.text.WriteString(line + "\n")
	if f, ok := figureOf(rest); ok && f.Calls == 1 {
		w.now.first, w.now.closed = f.Ns, true
		return true
	}
	return is
}

// of turns to a benchmark.
func (w *watch) of(name string) {
	if w.now != nil && w.now.name == name {
		return
	}
	if i := slices.IndexFunc(w.all, func(p *printed) bool { return p.name == name }); i >= 0 {
		w.now = w.all[i]
		return
	}
	w.now = &printed{name: name, first: -1}
	w.all = append(w.all, w.now)
}

// into adds what was seen. Those below others are added first, for they tell what is none itself.
func (w *watch) into(s *survey) {
	for _, p := range slices.Backward(w.all) {
		known := slices.ContainsFunc(s.Benchmarks, func(b benchmark) bool { return b.Name == p.name })
		if known || p.first < 0 && s.parent(p.name) {
			continue
		}
		b := benchmark{Name: p.name, First: p.first}
		if p.first < 0 && p.why == nil {
			p.why = whyNot(p.text.String(), "", nil)
		}
		if p.why != nil {
			b.Lacks, b.Cause = p.why.Error(), reason.Of(p.why)
		}
		s.Benchmarks = append(s.Benchmarks, b)
	}
}
