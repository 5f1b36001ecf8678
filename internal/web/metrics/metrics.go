// Package metrics tells a monitoring system what a store of runs holds: the last run of each case, what the last check
// of each machine found and how old it is, and what became slower. It is what cryptogauge serve has at /metrics.
//
// # Names
//
// The names of metrics and labels are an interface: rules and dashboards of others rely on them. All are gauges but for
// the one counter, and machine is the key of a kind of machine, as cryptogauge history has it.
//
//	cryptogauge_info{machine,name,arch,cpu,cpus,hypervisor,product,kernel,go,version}   1; a machine as its last run had it
//	cryptogauge_library_info{machine,library,version}         1; a library whose numbers are below
//	cryptogauge_seconds_per_operation{CASE}                   median, in the last run that measured the case
//	cryptogauge_seconds_per_operation_low{CASE}, …_high{CASE} the ends of its interval, where it has one
//	cryptogauge_bytes_per_second{CASE}                        where the case has bytes
//	cryptogauge_slowdown_ratio{CASE,version_before}           a case that became slower within 14 days: time now over time before
//	cryptogauge_check_status{machine,suite,severity}          1 where the last check of the suite found that: page, ticket, note;
//	                                                          none where it found nothing
//	cryptogauge_check_age_seconds{machine,suite}              since that check began
//	cryptogauge_runs_total{machine}                           a counter
//	cryptogauge_cases_left_out                                cases that have no series, since there are too many
//	cryptogauge_store_up                                      0: the store can't be read, and all else is what was read last
//
// CASE is machine, experiment, algorithm, mode, operation, bytes, parameters, library, version, implementation, call_path,
// runtime and environment. A new version of a library begins new series; where a query shall span it, aggregate without
// (version, implementation).
//
// A case whose output was wrong has no number here, as everywhere. Of a check that found a wrong output and a slowdown, both
// severities are 1: a slowdown does not end because something worse came.
//
// # Cost
//
// A scrape reads memory. Once what was read is older than [Config.MaxAge], the next scrape has the store read again, waits a
// few seconds for that, and else is given what was read before with cryptogauge_store_up 0. It is answered in any case:
// that the store is away is an answer. Changes are searched for only when there are new runs, and a search that takes longer
// than a scrape waits is told of in a later one.
//
//	metrics.go   the handler
//	reader.go    when the store is read
//	reading.go   what is read, and made of it
//	families.go  a reading → metrics
//	opening.go   a store that may have to be opened first
package metrics

import (
	"context"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/cryptogauge/cryptogauge/internal/archive"
)

// Store is what is read of an archive.
type Store interface {
	Machines(ctx context.Context) ([]archive.Machine, error)
	Latest(ctx context.Context, q archive.CellQuery) ([]archive.Cell, error)
	LatestChecks(ctx context.Context) ([]archive.Check, error)
	History(ctx context.Context, f archive.Filter) ([]archive.Series, error)
	Totals(ctx context.Context) (archive.Totals, error)
}

// Config is how a store is told of. Fields that are zero have the values that are named.
type Config struct {
	MaxAge   time.Duration    // for how long a reading is good: 15 s
	MaxCases int              // how many cases have series, the newest first: 5000
	Now      func() time.Time // time.Now
	Failed   func(error)      // called with what keeps the store from being read, each time; nobody
}

// Handler serves the metrics of a store, in the text format of Prometheus or in that of OpenMetrics 1.0, as is asked for.
func Handler(s Store, c Config) http.Handler {
	if c.MaxAge == 0 {
		c.MaxAge = 15 * time.Second
	}
	if c.MaxCases == 0 {
		c.MaxCases = 5000
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return &handler{reader: reader{store: s, config: c}}
}

type handler struct{ reader reader }

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	found, up := h.reader.get(r.Context())
	registry := prometheus.NewRegistry()
	registry.MustRegister(&scrape{found, up, h.reader.config.Now()})
	promhttp.HandlerFor(registry, promhttp.HandlerOpts{EnableOpenMetrics: true}).ServeHTTP(w, r)
}
