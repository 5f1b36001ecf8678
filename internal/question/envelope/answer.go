package envelope

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
)

// Question is what the reports need to know of the question.
var Question = answer.Question{Name: "envelope", Narrowing: []string{"--modes", "--sizes", "--operations"},
	Layout: layOut,
	Asks: layout.Text{EN: "Which digital envelope, and from which message size is key wrapping negligible?",
		ZH: "选用哪种数字信封？消息多长时密钥封装的开销可以忽略？"}}

// layOut lays out what digital envelopes cost, what they add, and from which
// size of message on the wrapped key stops mattering.
func layOut(v *answer.View) layout.Layout {
	e := newEnvelopeView(v)
	line, chosen := e.Chosen(e.advice()...)
	return layout.Layout{
		Line:     answer.FirstSaid(line),
		Title:    layout.Text{EN: "Digital envelopes (hybrid encryption)", ZH: "数字信封（混合加密）"},
		Answers:  answer.Said(append(chosen, e.answers()...)...),
		Headline: answer.NonEmpty(e.headline()),
		Tables:   e.tables(),
		Charts:   e.charts(),
		Next: []layout.Next{
			{Command: "cryptogauge run envelope --sizes 200,8KiB,4MiB",
				Why: layout.Text{EN: "your own message sizes", ZH: "自定义消息长度"}},
			{Command: "cryptogauge run envelope",
				Why: layout.Text{EN: "every envelope, from 100 B to 16 MiB", ZH: "全部信封，100 B 至 16 MiB"}},
		},
	}
}

// advice is which envelope to open messages from, else to seal them into: one that
// withstands quantum computers, since what is sent today can be kept until there are some.
func (e *envelopeView) advice() (all []answer.Advice) {
	quantum := func(r *document.Row) bool {
		return r.Mode == algorithm.HybridEnvelope || r.Mode == algorithm.MLKEM768Envelope
	}
	for _, op := range []string{algorithm.Open, algorithm.Seal} {
		all = append(all, answer.Advice{Job: layout.Say("%s %s", "%s %s 消息", wayName(op), answer.SizeText(e.at)),
			Rows:   e.Select(func(r *document.Row) bool { return r.Operation == op && r.Bytes == e.at && whole(r) }),
			Name:   func(r *document.Row) layout.Text { return layout.Same(shortName(r.Mode)) },
			Secure: layout.Text{EN: "an envelope with a key of its own", ZH: "每条消息各用内容密钥的信封"},
			Rank:   func(r *document.Row) int { return slices.Index([]bool{quantum(r), true}, true) },
			Gains: func(best, other *document.Row) layout.Text {
				if quantum(best) && !quantum(other) {
					return layout.Text{EN: "quantum computers cannot break it", ZH: "可抵御量子计算机"}
				}
				return layout.Text{}
			},
			Usual: func(r *document.Row) bool { return r.Mode == algorithm.RSA2048Envelope },
			Costs: func(best *document.Row) layout.Text {
				n, r := e.overhead(best.Mode)
				if r == nil {
					return layout.Text{}
				}
				return layout.Say("it adds %d bytes", "增加 %d 字节", n)
			}})
	}
	return all
}

// envelopeView is the view with what all parts of this layout need.
type envelopeView struct {
	*answer.View
	sizes []int64 // measured, rising
	at    int64   // at which envelopes are compared with each other
	modes []string
}

func newEnvelopeView(v *answer.View) *envelopeView {
	e := &envelopeView{View: v, sizes: answer.Values(v.Rows, answer.BytesOf, nil),
		modes: answer.Values(v.Rows, answer.ModeOf, whole)}
	slices.Sort(e.sizes)
	e.at = plan.UsualSize(e.sizes)
	return e
}

// whole says whether a row's envelope has a key of its own in it.
func whole(r *document.Row) bool { return !parameter.ContentKey.Has(r.Parameters) }

// wayName names an operation.
func wayName(operation string) layout.Text {
	if operation == algorithm.Seal {
		return layout.Text{EN: "sealing", ZH: "加密"}
	}
	return layout.Text{EN: "opening", ZH: "解密"}
}

func (e *envelopeView) rowAt(mode, operation string, size int64) *document.Row {
	return e.First(func(r *document.Row) bool { return r.Mode == mode && r.Operation == operation && r.Bytes == size })
}

// payload is the row of an envelope's payload alone, under a reused key.
func (e *envelopeView) payload(r *document.Row) *document.Row {
	for _, c := range e.Doc.Comparisons {
		if other := e.ByID[c.Other]; r != nil && c.Base == r.ID && other != nil && !whole(other) {
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
	return partText(s.value) + " (" + answer.Span(s.low, s.high, partText) + ")"
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
	if e, known := algorithm.EnvelopeOf(mode); known {
		return e.Wrapping
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
