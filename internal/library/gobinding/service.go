package gobinding

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/service"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// Services offers requests of an HTTP service whose answers a library protects in some ways.
func Services(m service.Maker, allowed func(result.Case) error, modes ...algorithm.Mode) Offer {
	offered := func(c result.Case) error {
		switch {
		case !slices.Contains(modes, c.Mode):
			return provider.Absent("not-offered", m.Library, c.Name()+" "+c.Operation)
		case allowed != nil:
			return allowed(c)
		}
		return nil
	}
	return Offer{
		Has: func(c result.Case) bool {
			_, ok := service.ShapeOf(c)
			return ok && slices.Contains(modes, c.Mode)
		},
		Open: func(c result.Case, vs provider.Vectors) (provider.Operation, error) {
			if err := offered(c); err != nil {
				return nil, err
			}
			return m.Open(c, vs)
		},
		OpenScenario: func(c result.Case, vs provider.Vectors) (provider.Scenario, error) {
			if s, _ := service.ShapeOf(c); s.Load == 0 {
				return nil, provider.Absent("not-offered", m.Library, c.Name()+" "+c.Operation)
			}
			if err := offered(c); err != nil {
				return nil, err
			}
			return m.OpenScenario(c, vs)
		},
		Kernel: Always("net/http"),
		Timing: Always(reason.Timing("unknown", "service-parts")),
		Note:   service.Note,
	}
}
