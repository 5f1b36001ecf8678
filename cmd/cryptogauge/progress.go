package main

import (
	"cmp"
	"fmt"
	"sync"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/measure"
	"github.com/cryptogauge/cryptogauge/internal/render"
	"github.com/cryptogauge/cryptogauge/internal/subject"
)

// progress is the line on the terminal while something long runs: how far it is,
// how long it will take, and what it is at. It is redrawn a few times a second
// and otherwise sleeps, so as not to disturb what is measured.
//
// It is written here because the libraries for it build tables of character
// widths when a program starts, 25 ms each time, and this program starts itself
// again for every worker of every block.
type progress struct {
	streams
	begun    time.Time
	expected time.Duration

	mu    sync.Mutex
	share float64 // done, 0 to 1
	what  string
	first string // what is done before anything is measured
	halt  func()
}

// progress begins a line; it is nil, on which all methods do nothing, where nobody would
// see one.
func (s streams) progress(expected time.Duration) *progress {
	if s.Quiet || !command.IsTerminal(s.Err) {
		return nil
	}
	p := &progress{streams: s, begun: time.Now(), expected: expected}
	p.halt = command.Redrawn(func() { fmt.Fprint(p.Err, "\r"+p.line()+command.EraseEnd) })
	return p
}

// update leaves what was last said where there is nothing to say.
func (p *progress) update(share float64, what language.Text) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.share = share
	if what != (language.Text{}) {
		p.what = what.In(p.Lang)
	}
}

// sample names the round that it is of, where there are several. A sample of the noise floor
// leaves what was last said of a library: that has a number.
func (p *progress) sample(round *language.Text, m measure.Progress) {
	if p != nil {
		p.update(m.Done, sampleText(round, m))
	}
}

// sampleText says what was measured last; nothing of the laboratory's own.
func sampleText(round *language.Text, m measure.Progress) language.Text {
	if m.Trial.Subject.Library == subject.Harness {
		return language.Text{}
	}
	c := m.Trial.Case
	value := layout.FormatTime(m.NsPerCall)
	if c.Bytes > 0 {
		value = layout.FormatSize(c.Bytes) + " " + layout.FormatRate(float64(c.Bytes)/m.NsPerCall*1e9)
	}
	what := language.Say("last sample: %s %s %s %s", "最近采样：%s %s %s %s", m.Trial.Subject.Library, c.Name(), c.Operation, value)
	if round != nil {
		what = language.Say("%s: %s", "%s：%s", *round, what)
	}
	return what
}

// asking tells that a library is asked what it offers, before anything is measured.
func (p *progress) asking(library string, answered, of int) {
	p.doing(language.Say("looking up what the libraries offer: %d of %d answered, last %s",
		"正在查询各密码库提供哪些运算：%d/%d，最近为 %s", answered, of, library))
}

func (p *progress) doing(what language.Text) {
	if p == nil {
		return
	}
	p.mu.Lock()
	p.first = what.In(p.Lang)
	p.mu.Unlock()
}

func (p *progress) clear() {
	if p != nil {
		fmt.Fprint(p.Err, "\r"+command.EraseEnd)
	}
}

func (p *progress) stop() {
	if p != nil {
		p.halt()
		p.clear()
	}
}

func (p *progress) line() string {
	p.mu.Lock()
	share, what, first := p.share, p.what, p.first
	p.mu.Unlock()
	line := cmp.Or(first, language.Text{EN: "starting workers", ZH: "正在启动工作进程"}.In(p.Lang))
	if what != "" {
		line = language.Say("%3.0f%% %s %s left  %s", "%3.0f%% %s 剩余 %s  %s", 100*share, command.Bar(share), p.left(share), what).In(p.Lang)
	}
	return fitted(line, p.Err)
}

func fitted(line string, w any) string {
	const usual = 100 // where the terminal does not tell its width
	return render.Prefix(line, cmp.Or(command.TerminalWidth(w), usual)-1)
}

func (p *progress) left(share float64) time.Duration {
	spent := time.Since(p.begun)
	if share < 0.05 {
		return max(0, p.expected-spent).Round(time.Second)
	}
	return (time.Duration(float64(spent)/share) - spent).Round(time.Second)
}
