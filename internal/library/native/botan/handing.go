//go:build linux && (amd64 || arm64)

package botan

import (
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
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
		return h, provider.Absent("parameters", c.Name(), "call=BYTES,way=WAY", c.Parameters)
	}
	switch way := p["way"]; {
	case way == h.way || implementation != "" && way == byUpdate:
	case implementation == "" && (way == byFinal || way == byOneshot || way == byBlocks):
		h.way = way
	default:
		return h, provider.Absent("not-offered", "botan", "way="+way)
	}
	switch {
	case h.way == byFinal && !isKeyStream(c.Algorithm, c.Mode):
		return h, provider.Absent("final-ends", c.Name())
	case h.way == byBlocks && c.Mode != "CTR" && c.Mode != "ECB":
		return h, provider.Absent("not-blocks", c.Name(), whyNotBlocks(c))
	case h.way == byOneshot && int64(h.call) < c.Bytes:
		return h, provider.Absent("oneshot-bytes", c.Bytes, h.call)
	case (h.way == byUpdate || h.way == byOneshot) && c.Mode == "ECB":
		return h, provider.Absent("not-offered", "botan", c.Name()+" "+c.Parameters)
	}
	return h, nil
}

func whyNotBlocks(c result.Case) result.Cause {
	switch c.Mode {
	case "GCM":
		return reason.Cause("ghash")
	case "CBC", "CFB", "OFB":
		return reason.Cause("chained")
	}
	return reason.Cause("no-block-function")
}
