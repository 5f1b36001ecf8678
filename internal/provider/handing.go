package provider

import (
	"strconv"

	"github.com/cryptogauge/cryptogauge/result"
)

// How a message is handed over to a library, as parameters of a case say it:
//
//	call=N,way=W  in calls of at most N bytes, by one of the ways that its interface offers
//	batch=N       with others, N messages in one crossing; the case's bytes are those of all
//
// It changes the time and not the output.

// Handed is the case of a single message, without those parameters; and how many such
// messages one operation takes.
func Handed(c result.Case) (alone result.Case, messages int64) {
	p, err := result.ParseParameters(c.Parameters)
	if err != nil {
		return c, 1
	}
	switch n, err := strconv.ParseInt(p["batch"], 10, 32); {
	case len(p) == 2 && p["call"] != "" && p["way"] != "":
		c.Parameters = ""
	case len(p) == 1 && err == nil && n > 0 && c.Bytes%n == 0:
		c.Parameters, c.Bytes = "", c.Bytes/n
		return c, n
	}
	return c, 1
}
