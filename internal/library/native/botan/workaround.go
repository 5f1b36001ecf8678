//go:build linux && (amd64 || arm64)

package botan

import (
	"cmp"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/native/cbinding"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// pattern is how a message is handed over: in calls of at most so many bytes, 0 for all
// at once, by a way.
type pattern struct {
	call int
	way  parameter.Manner
}

func (h pattern) size(m *cbinding.Message) int { return cmp.Or(h.call, max(1, len(m.In))) }

const coalesced parameter.Manner = "coalesced"

// workaround is what a caller can do about an update that cuts its data into small
// pieces. None is offered on trust. Before a cipher is first opened by one, it is held
// against update over lengths, splits and a wrap of the counter (proof.go); where
// they differ, the case is unsupported and says so.
type workaround struct {
	name    string // Subject.Implementation
	pattern pattern
	goes    func(mode) bool // whether it is one for a mode
	note    string          // what a reader of a row must know
}

// workarounds, and first what people write who follow the manual. Small writes are taken
// to be of 64 bytes, since those of a whole message have none to be coalesced.
var workarounds = []workaround{
	{"", pattern{0, parameter.Update}, mode.named, noteUpdate},
	{"ctr-bypass", pattern{0, parameter.Blocks}, func(m mode) bool { return m.mode == algorithm.CTR },
		"counters, the block function and XOR by the caller"},
	// Nothing says that a key stream goes on after FINAL, and it does.
	{"final", pattern{0, parameter.Final}, mode.keyStream, "update with the flag FINAL in every call"},
	{"oneshot", pattern{0, parameter.Oneshot}, mode.aead, noteOneshot},
	{"coalesced", pattern{64, coalesced}, mode.named, "small writes copied together into 4 KiB, then handed over"},
}

func workaroundOf(name string) *workaround {
	for i := range workarounds {
		if workarounds[i].name == name {
			return &workarounds[i]
		}
	}
	panic("botan: internal error: no workaround " + name)
}

func WorkaroundNames() (names []string) {
	for _, w := range workarounds[1:] {
		names = append(names, w.name)
	}
	return names
}

// goesAround says whether a mode has a workaround. CCM has none: the everyday way is all in one call with FINAL, since
// what update of 2.19.3 takes of it is lost.
func (m mode) goesAround(w *workaround) bool {
	return m.named() && m.mode != algorithm.CCM && w.goes(m)
}

// patternOf reads the parameters call=N,way=W of a case as an implementation has them. To
// a workaround a message is given as to update, and it makes the best of it; its own way
// is the same.
func (w *workaround) patternOf(c result.Case) (pattern, error) {
	h, size, way := w.pattern, parameter.Call.In(c.Parameters), parameter.Way.In(c.Parameters)
	if c.Mode == algorithm.CCM {
		h.way = parameter.Oneshot
	}
	if size == 0 {
		return h, nil
	}
	h.call = int(size)
	switch {
	case c.Mode == algorithm.CCM && way != parameter.Oneshot:
		return h, provider.Absent("text-whole", c.Name())
	case way == h.way || w.name != "" && way == parameter.Update:
	case w.name == "" && (way == parameter.Final || way == parameter.Oneshot || way == parameter.Blocks):
		h.way = way
	default:
		return h, provider.Absent("not-offered", "botan", parameter.Way.Is(way))
	}
	switch {
	case h.way == parameter.Final && !modeOf(c).keyStream():
		return h, provider.Absent("final-ends", c.Name())
	case h.way == parameter.Blocks && c.Mode != algorithm.CTR && c.Mode != algorithm.ECB:
		return h, provider.Absent("not-blocks", c.Name(), whyNotBlocks(c))
	case h.way == parameter.Oneshot && size < c.Bytes:
		return h, provider.Absent("oneshot-bytes", c.Bytes, size)
	case (h.way == parameter.Update || h.way == parameter.Oneshot) && c.Mode == algorithm.ECB:
		return h, provider.Absent("not-offered", "botan", c.Name()+" "+c.Parameters)
	}
	return h, nil
}

func whyNotBlocks(c result.Case) result.Cause {
	switch c.Mode {
	case algorithm.GCM:
		return reason.Cause("ghash")
	case algorithm.CCM, algorithm.CBC, algorithm.CFB, algorithm.OFB:
		return reason.Cause("chained")
	}
	return reason.Cause("no-block-function")
}
