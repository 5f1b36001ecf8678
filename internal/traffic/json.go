package traffic

import (
	"io"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/arrival"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// Schema is that of a report in JSON.
const Schema = "cryptogauge.load/1"

// Report is all that one call of the verb measured.
type Report struct {
	Started time.Time
	Seed    uint64
	Targets []*Target
	Results []*Result // of the targets in turn; none for a search
	Turns   *Turns
	Highest *Highest
	Stopped bool
}

type reportJSON struct {
	Schema      string         `json:"schema"`
	Started     time.Time      `json:"started"`
	Seed        *uint64        `json:"seed"`
	Interrupted bool           `json:"interrupted"`
	Targets     []targetJSON   `json:"targets"`
	Comparisons []comparedJSON `json:"comparisons"`
	Highest     *highestJSON   `json:"highest_rate"`
}

type targetJSON struct {
	URL      string      `json:"url"`
	HTTP     Protocol    `json:"http"`
	Connect  Connect     `json:"connect"`
	Measured *resultJSON `json:"measured"`
}

type resultJSON struct {
	RateAsked          *float64      `json:"rate_asked"` // null: a closed loop
	Connections        int           `json:"connections"`
	Dialled            int64         `json:"connections_made"`
	Seconds            float64       `json:"seconds"`
	Due                int64         `json:"requests"`
	Right              int64         `json:"right"`
	PerSecond          float64       `json:"right_per_second"`
	Bytes              int64         `json:"body_bytes"`
	Errors             []failureJSON `json:"errors"`
	Latency            *latencyJSON  `json:"latency_ns"` // null: the schedule wasn't kept, the rate not reached, or nothing was right
	LatencyFrom        string        `json:"latency_from"`
	Schedule           *scheduleJSON `json:"schedule"`
	GeneratorCPUs      float64       `json:"generator_cpus"`
	GoroutinesWaitedNs int64         `json:"goroutines_waited_ns"`
}

type failureJSON struct {
	Kind    Failure       `json:"kind"`
	Text    language.Text `json:"text"`
	Count   int64         `json:"count"`
	Example string        `json:"example,omitempty"`
}

// latencyJSON has null for a percentile that may be the generator's own and those above, and then for maximum and mean;
// and for one that takes more requests.
type latencyJSON struct {
	P50  *int64   `json:"p50"`
	P90  *int64   `json:"p90"`
	P95  *int64   `json:"p95"`
	P99  *int64   `json:"p99"`
	P999 *int64   `json:"p999"`
	Max  *int64   `json:"max"`
	Mean *float64 `json:"mean"`
	N    int64    `json:"count"`
}

type scheduleJSON struct {
	Kept   bool         `json:"kept"`
	Over   bool         `json:"overloaded"` // the rate was more than the server, the connections or the generator could do
	Doubt  bool         `json:"doubtful"`   // latencies may be the generator's own
	Behind float64      `json:"behind"`
	Late   *latencyJSON `json:"late_ns"`
	Waited int64        `json:"waited_for_a_connection"`
}

type comparedJSON struct {
	Metric  Metric   `json:"metric"`
	Speed   *float64 `json:"speed_ratio"` // the second's over the first's; null without a verdict
	Low     *float64 `json:"low"`
	High    *float64 `json:"high"`
	Level   float64  `json:"level"`
	Blocks  int      `json:"blocks"`
	Verdict string   `json:"verdict"`
}

type highestJSON struct {
	Rate      *float64    `json:"rate"`
	LimitedBy *Limit      `json:"limited_by"`
	MostLate  int64       `json:"late_p99_ns_at_most"`
	At        *resultJSON `json:"at"`
	Above     *resultJSON `json:"above"`
}

// WriteJSON writes a report for programs: [Schema].
func (r *Report) WriteJSON(w io.Writer) error {
	out := reportJSON{Schema: Schema, Started: r.Started.UTC(), Interrupted: r.Stopped, Targets: []targetJSON{}, Comparisons: []comparedJSON{}}
	for i, t := range r.Targets {
		of := targetJSON{URL: t.Name(), HTTP: t.Protocol, Connect: t.Connect}
		if i < len(r.Results) {
			of.Measured = r.Results[i].json()
		}
		out.Targets = append(out.Targets, of)
	}
	if r.Turns != nil {
		out.Seed = &r.Seed
		for _, c := range r.Turns.Compared {
			out.Comparisons = append(out.Comparisons, c.json())
		}
	}
	if r.Highest != nil {
		out.Highest = r.Highest.json()
	}
	return layout.WriteJSON(w, "  ", out)
}

func (r *Result) json() *resultJSON {
	out := &resultJSON{Connections: r.Plan.Connections, Dialled: r.Dialled, Seconds: r.Took.Seconds(), Due: r.Due, Right: r.Right,
		PerSecond: r.PerSecond(), Bytes: r.Bytes, Errors: []failureJSON{}, LatencyFrom: "sent", GeneratorCPUs: r.cpus(),
		GoroutinesWaitedNs: int64(r.Starved)}
	for _, kind := range Failures {
		if n := r.Failures[kind]; n > 0 {
			out.Errors = append(out.Errors, failureJSON{kind, kind.Text(), n, r.Examples[kind].EN})
		}
	}
	if r.Measured() {
		out.Latency = latency(r.Latency, r.mostShown())
		if r.leastOwn() > 0 {
			out.Latency.Max, out.Latency.Mean = nil, nil
		}
	}
	if r.Plan.Rate > 0 {
		out.RateAsked, out.LatencyFrom = &r.Plan.Rate, "due"
		out.Schedule = &scheduleJSON{Kept: r.Kept(), Over: r.Overloaded(), Doubt: r.Doubtful(), Behind: r.Behind(), Late: latency(r.Late, 100), Waited: r.Waited}
	}
	return out
}

// latency has the percentiles that so many values carry, up to one; nil of an empty histogram.
func latency(h arrival.Histogram, most float64) *latencyJSON {
	if h.TotalCount() == 0 {
		return nil
	}
	at := func(percent float64) *int64 {
		if percent > most || !carries(h.TotalCount(), percent) {
			return nil
		}
		value := h.ValueAtQuantile(percent)
		return &value
	}
	longest, mean := h.Max(), h.Mean()
	return &latencyJSON{P50: at(50), P90: at(90), P95: at(95), P99: at(99), P999: at(99.9), Max: &longest, Mean: &mean, N: h.TotalCount()}
}

func (c Compared) json() comparedJSON {
	out := comparedJSON{Metric: c.Metric, Level: c.Level, Blocks: c.Blocks, Verdict: string(c.Verdict)}
	if c.OK {
		out.Speed, out.Low, out.High = &c.Ratio, &c.Low, &c.High
	}
	return out
}

func (h *Highest) json() *highestJSON {
	out := &highestJSON{MostLate: int64(MostLate)}
	if h.Rate > 0 {
		out.Rate, out.At = &h.Rate, h.At.json()
	}
	if h.Above != nil {
		out.LimitedBy, out.Above = &h.Limit, h.Above.json()
	}
	return out
}
