package gobinding

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/service"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// Services offers requests of an HTTP service whose answers a library protects in some ways.
func Services(m service.Maker, modes ...algorithm.Mode) Offer {
	return Offer{
		Has: func(c result.Case) bool {
			_, ok := service.ShapeOf(c)
			return ok && slices.Contains(modes, c.Mode)
		},
		Open: m.Open, OpenScenario: m.OpenScenario,
		Kernel: Always("net/http"),
		Timing: Always(reason.Timing("unknown", "service-parts")),
		Note:   service.Note,
	}
}
