//go:build linux && (amd64 || arm64)

package botan

import (
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// handing is how a message is handed over: in calls of at most so many bytes, by one
// of the ways of the catalog or coalesced.
type handing struct {
	call int // 0: all at once
	way  string
}

// handings are what the workarounds do with a whole message. Small writes are taken
// to be of 64 bytes, since those of a whole message have none to be coalesced.
var handings = map[string]handing{
	"":              {0, byUpdate},
	aroundFinal:     {0, byFinal},
	aroundBlocks:    {0, byBlocks},
	aroundOneshot:   {0, byOneshot},
	aroundCoalesced: {smallWrite, aroundCoalesced},
}

const smallWrite = 64

// handingOf reads the parameters call=N,way=W of a case as an implementation has
// them. To a workaround a message is given as to update, and it makes the best of it;
// its own way is the same.
func handingOf(c result.Case, implementation string) (h handing, err error) {
	h = handings[implementation]
	if c.Parameters == "" {
		return h, nil
	}
	p, err := result.ParseParameters(c.Parameters)
	if err != nil {
		return h, err
	}
	if h.call, err = strconv.Atoi(p["call"]); err != nil || h.call < 1 || len(p) != 2 {
		return h, provider.Absent("a message is handed over with call=BYTES,way=WAY, not with %q", c.Parameters)
	}
	switch way := p["way"]; {
	case way == h.way || implementation != "" && way == byUpdate:
	case implementation == "" && (way == byFinal || way == byOneshot || way == byBlocks):
		h.way = way
	default:
		return h, provider.Absent("Botan is called by update, final, oneshot or blocks, and by %q not here", way)
	}
	switch {
	case h.way == byFinal && !isKeyStream(c.Algorithm, c.Mode):
		return h, provider.Absent("the flag FINAL ends a message of %s: it can't be set in every call", c.Name())
	case h.way == byBlocks && c.Mode != "CTR" && c.Mode != "ECB":
		return h, provider.Absent("%s is not made of the block function here: %s", c.Name(), whyNotBlocks(c))
	case h.way == byOneshot && int64(h.call) < c.Bytes:
		return h, provider.Absent("one call for all of a message of %d bytes can't be one of %d", c.Bytes, h.call)
	case (h.way == byUpdate || h.way == byOneshot) && c.Mode == "ECB":
		return h, provider.Absent("Botan has no ECB but the block function")
	}
	return h, nil
}

func whyNotBlocks(c result.Case) string {
	switch c.Mode {
	case "GCM":
		return "the caller would have to compute GHASH"
	case "CBC", "CFB", "OFB":
		return "each block waits for the one before"
	}
	return "its interface has no block function of it"
}
