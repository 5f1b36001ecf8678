package envelope

import (
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// Question is what the reports need to know of the question.
var Question = answer.Question{Name: "envelope", Narrowing: []string{"--modes", "--sizes", "--operations"}, Layout: layOut,
	Asks: layout.Text{EN: "Which digital envelope, and from which message size is key wrapping negligible?",
		ZH: "选用哪种数字信封？消息多长时密钥封装的开销可以忽略？"}}

// layOut lays out what digital envelopes cost, what they add, and from which
// size of message on the wrapped key stops mattering.
func layOut(v *answer.View) layout.Layout {
	e := newEnvelopeView(v)
	return layout.Layout{
		Experiment: "envelope",
		Title:      layout.Text{EN: "Digital envelopes (hybrid encryption)", ZH: "数字信封（混合加密）"},
		Answers:    e.answers(),
		Headline:   e.headlineTables(),
		Tables:     e.tables(),
		Charts:     e.charts(),
		Next: []layout.Next{
			{Command: "cryptogauge run envelope --sizes 200,8KiB,4MiB", Why: layout.Text{EN: "your own message sizes", ZH: "自定消息长度"}},
			{Command: "cryptogauge run envelope", Why: layout.Text{EN: "every envelope, from 100 B to 16 MiB", ZH: "全部信封，100 B 至 16 MiB"}},
		},
	}
}

// envelopeView is the view with what all parts of this layout need.
type envelopeView struct {
	*answer.View
	sizes []int64 // measured, rising
	at    int64   // at which envelopes are compared with each other
	modes []string
}

func newEnvelopeView(v *answer.View) *envelopeView {
	e := &envelopeView{View: v}
	all := func(*document.Row) bool { return true }
	e.sizes = answer.Values(v.Rows, answer.BytesOf, all)
	slices.Sort(e.sizes)
	e.modes = answer.Values(v.Rows, func(r *document.Row) string { return r.Mode }, wraps)
	if e.at = e.sizes[0]; slices.Contains(e.sizes, 1<<10) {
		e.at = 1 << 10
	}
	return e
}

// wraps says whether a row's envelope has a key of its own in it.
func wraps(r *document.Row) bool { return r.Parameter("key") == "" }

// The operations of an envelope.
var waysShown = []struct {
	operation string
	name      layout.Text
}{
	{algorithm.Seal, layout.Text{EN: "sealing", ZH: "加密"}},
	{"open", layout.Text{EN: "opening", ZH: "解密"}},
}

func (e *envelopeView) rowAt(mode, operation string, size int64) *document.Row {
	for _, r := range e.Rows {
		if r.Mode == mode && r.Operation == operation && r.Bytes == size {
			return r
		}
	}
	return nil
}

// payload is the row of an envelope's payload alone, under a reused key.
func (e *envelopeView) payload(r *document.Row) *document.Row {
	if r == nil {
		return nil
	}
	for _, c := range e.Doc.Comparisons {
		if other := e.ByID[c.Other]; c.Base == r.ID && other != nil && !wraps(other) {
			return other
		}
	}
	return nil
}

// share is the part of an envelope's time that its payload alone does not take,
// with its interval.
type share struct {
	value, low, high float64
	id               string
}

func (e *envelopeView) share(r *document.Row) (share, bool) {
	c := e.Compare(r, e.payload(r))
	if c == nil {
		return share{}, false
	}
	return share{1 - 1/c.Ratio, 1 - 1/(*c.Low), 1 - 1/(*c.High), c.ID}, true
}

func (s share) text() string {
	if s.low > 0.99 { // in whole percent the interval would be 100–100 %
		return "> 99 %"
	}
	return partText(s.value) + " (" + strings.TrimSuffix(partText(s.low), " %") + "–" + partText(s.high) + ")"
}

// partText prints a part of the time; one below nothing is noise about nothing.
func partText(x float64) string { return layout.FormatShare(max(x, 0)) }

// reach is what is known of the size from which an envelope adds less than a part
// of its time: shown at one measured size, and shown not to be at the one before.
type reach struct {
	from, above int64 // 0: at no size measured, or there is none before
	evidence    []string
}

// reaches looks for the least measured size from which on, at all sizes measured,
// the whole interval of what the envelope adds lies below a limit.
func (e *envelopeView) reaches(mode, operation string, limit float64) (out reach, ok bool) {
	for _, size := range slices.Backward(e.sizes) {
		s, known := e.share(e.rowAt(mode, operation, size))
		if !known {
			continue
		}
		ok = true
		out.evidence = append(out.evidence, s.id)
		if s.high < limit {
			out.from = size
			continue
		}
		if s.low > limit {
			out.above = size
		}
		break
	}
	return out, ok
}

// text says it as a table does.
func (r reach) text() layout.Text {
	switch {
	case r.from == 0 && r.above == 0:
		return layout.Text{EN: "inconclusive", ZH: "无法判定"}
	case r.from == 0:
		return layout.Say("above %s", "%s 以上", answer.SizeText(r.above))
	case r.above == 0:
		return layout.Say("≤ %s", "≤ %s", answer.SizeText(r.from))
	}
	return layout.Same(answer.SizeText(r.above) + " – " + answer.SizeText(r.from))
}

// shortName leaves out what all envelopes of a kind share.
func shortName(mode string) string {
	wrap, payload, _ := strings.Cut(mode, "+")
	if payload == algorithm.AES256GCM && wrap != mode {
		return wrap
	}
	return mode
}

// overhead is how many bytes an envelope adds to its message, as was measured.
func (e *envelopeView) overhead(mode string) (bytes int64, row *document.Row) {
	for _, r := range e.Rows {
		if m, ok := answer.Metric(r, "overhead_bytes"); ok && r.Mode == mode {
			return int64(m.Value), r
		}
	}
	return 0, nil
}
