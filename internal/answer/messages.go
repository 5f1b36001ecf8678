package answer

import (
	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
)

// What the answers about messages have in common: how many a call takes, and what is done to them.

// MessagesOf is how many messages a call of a row takes: 1, but for a mix or a batch.
func MessagesOf(r *document.Row) int64 { return max(parameter.Messages.In(r.Parameters), 1) }

// MessageSize is how many bytes each of them has, in the mean.
func MessageSize(r *document.Row) int64 { return r.Bytes / MessagesOf(r) }

// MessageTime is what each of them takes, without what is said of its security, which stands beside its name.
func MessageTime(r *document.Row) layout.Cell {
	c := TimeCell(r)
	if ns, ok := Nanoseconds(r); ok {
		c.Text, c.Footnotes = layout.Same(layout.FormatTime(ns/float64(MessagesOf(r)))), Doubts(r)
	}
	return c
}

// Authenticated is what to measure where no secure cipher was.
var Authenticated = layout.Text{EN: "an authenticated cipher", ZH: "认证加密"}

// CipherText names a row's cipher, without its library.
func CipherText(r *document.Row) layout.Text { return layout.Same(CaseName(r.Algorithm, r.Mode)) }

// Direction names what is done to a message: sealing, unless it is opened.
func Direction(op string) layout.Text {
	if op == algorithm.Decrypt || op == algorithm.Open {
		return layout.Text{EN: "opening", ZH: "解密"}
	}
	return layout.Text{EN: "sealing", ZH: "加密"}
}

// DirectionColumn is a column of it.
var DirectionColumn = Told("", "", func(r *document.Row) layout.Text { return Direction(r.Operation) })
