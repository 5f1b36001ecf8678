package hashing

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/treesum/sums"
	"github.com/cryptogauge/cryptogauge/internal/treesum/treehash"
)

// counting shows on a terminal how far hashing is until it is stopped. survey, if it isn't nil, finds out
// meanwhile how much there is to do.
func (v *voice) counting(ctx context.Context, p *treehash.Progress, survey func(context.Context) sums.Total) (stop func()) {
	if !command.IsTerminal(v.Err) {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var total atomic.Pointer[sums.Total]
	if survey != nil {
		go func() {
			if t := survey(ctx); ctx.Err() == nil {
				total.Store(&t)
			}
		}()
	}
	begun := time.Now()
	halt := command.Redrawn(func() { v.draw(v.hashLine(time.Since(begun), p.Files.Load(), p.Bytes.Load(), total.Load())) })
	return func() {
		cancel()
		halt()
		v.draw("")
	}
}

func (v *voice) draw(line string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	fmt.Fprint(v.Err, "\r"+line+command.EraseEnd)
	v.line = line != ""
}

// perFile is what opening a file takes, in bytes that could be hashed meanwhile.
const perFile = 16 << 10

// hashLine is the line of progress. Without a total it leaves out what nobody can know.
func (v *voice) hashLine(spent time.Duration, files, bytes int64, total *sums.Total) string {
	rate := layout.FormatRate(float64(bytes) / spent.Seconds())
	if total == nil {
		return language.Say("%d files  %s  %s", "%d 个文件  %s  %s", files, layout.FormatSize(bytes), rate).In(v.Lang)
	}
	share := min(1, float64(bytes+files*perFile)/float64(max(1, total.Bytes+total.Files*perFile)))
	left := language.Same("…")
	if share > 0.005 {
		left = language.Say("%s left", "剩余 %s", time.Duration(float64(spent)*(1/share-1)).Round(time.Second))
	}
	return language.Say("%3.0f%% %s %s  %d of %d files  %s of %s  %s", "%3.0f%% %s %s  文件 %d/%d  %s/%s  %s", 100*share, command.Bar(share), left,
		files, total.Files, layout.FormatSize(bytes), layout.FormatSize(total.Bytes), rate).In(v.Lang)
}
