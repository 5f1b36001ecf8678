package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/measure"
	"github.com/cryptogauge/cryptogauge/internal/render"
)

// progress is the line on the terminal while something long runs: how far it is,
// how long it will take, and what it is at. It is redrawn a few times a second
// and otherwise sleeps, so as not to disturb what is measured.
//
// It is written here because the libraries for it build tables of character
// widths when a program starts, 25 ms each time, and this program starts itself
// again for every worker of every block.
type progress struct {
	w        io.Writer
	lang     language.Lang
	begun    time.Time
	expected time.Duration

	mu    sync.Mutex
	share float64 // done, 0 to 1
	what  string
	first string // what is done before anything is measured
	done  chan struct{}
	ended sync.WaitGroup
}

const (
	redraw   = 400 * time.Millisecond
	barWidth = 24
	eraseEnd = "\x1b[K" // to the end of the line
)

func newProgress(s streams, expected time.Duration) *progress {
	p := &progress{w: s.err, lang: s.lang, begun: time.Now(), expected: expected, done: make(chan struct{})}
	p.ended.Go(func() {
		tick := time.NewTicker(redraw)
		defer tick.Stop()
		for {
			select {
			case <-p.done:
				p.clear()
				return
			case <-tick.C:
				fmt.Fprint(p.w, "\r"+p.line()+eraseEnd)
			}
		}
	})
	return p
}

// update tells how much is done and what was done last.
func (p *progress) update(share float64, what language.Text) {
	p.mu.Lock()
	p.share, p.what = share, what.In(p.lang)
	p.mu.Unlock()
}

// prepare tells what is done before anything is measured.
func (p *progress) prepare(what language.Text) {
	p.mu.Lock()
	p.first = what.In(p.lang)
	p.mu.Unlock()
}

// clear takes the line away, until it is drawn again.
func (p *progress) clear() { fmt.Fprint(p.w, "\r"+eraseEnd) }

func (p *progress) stop() {
	close(p.done)
	p.ended.Wait()
}

// usualWidth keeps the line on one row where the terminal does not tell its width.
const usualWidth = 100

func (p *progress) line() string {
	p.mu.Lock()
	share, what, first := p.share, p.what, p.first
	p.mu.Unlock()
	line := cmp.Or(first, language.Text{EN: "starting workers", ZH: "正在启动工作进程"}.In(p.lang))
	if what != "" {
		full := int(share * barWidth)
		bar := strings.Repeat("━", full) + strings.Repeat("─", barWidth-full)
		line = language.Say("%3.0f%% %s %s left  %s", "%3.0f%% %s 剩余 %s  %s", 100*share, bar, p.left(share), what).In(p.lang)
	}
	most := cmp.Or(terminalWidth(p.w), usualWidth) - 1
	for r := []rune(line); render.Width(line) > most; line = string(r) {
		r = r[:len(r)-1]
	}
	return line
}

func (p *progress) left(share float64) time.Duration {
	spent := time.Since(p.begun)
	if share < 0.05 {
		return max(0, p.expected-spent).Round(time.Second)
	}
	return (time.Duration(float64(spent)/share) - spent).Round(time.Second)
}

// number is the sample just taken: provisional, and said to be.
func number(m measure.Progress) language.Text {
	c := m.Trial.Case
	value := layout.FormatTime(m.NsPerCall)
	if c.Bytes > 0 {
		value = layout.FormatRate(float64(c.Bytes) / m.NsPerCall * 1e9)
	}
	return language.Say("last sample: %s %s %s %s %s", "最近采样：%s %s %s %s %s",
		m.Trial.Subject.Library, c.Name(), c.Operation, layout.FormatSize(c.Bytes), value)
}

// asking is what stands on the line while a library is asked what it offers.
func asking(library string, answered, of int) language.Text {
	return language.Say("asking the libraries what they offer: %d of %d answers, last %s",
		"正在询问各密码库支持的项目：已应答 %d / %d，最近为 %s", answered, of, library)
}
