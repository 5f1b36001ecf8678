package metrics

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/cryptogauge/cryptogauge/internal/archive"
)

var ofCase = strings.Fields("machine experiment algorithm mode operation bytes parameters " +
	"library version implementation call_path runtime environment")

// The families, with their labels.
var (
	info = family("info", "A kind of machine, as its last run had it, and the version of cryptogauge that made the run.",
		strings.Fields("machine name arch cpu cpus hypervisor product kernel go version"))
	libraryInfo = family("library_info", "A library whose numbers are here.", strings.Fields("machine library version"))

	seconds     = family("seconds_per_operation", "Median time of an operation, in the last run that measured the case.", ofCase)
	secondsLow  = family("seconds_per_operation_low", "Lower end of the interval of the median time of an operation.", ofCase)
	secondsHigh = family("seconds_per_operation_high", "Upper end of the interval of the median time of an operation.", ofCase)
	rate        = family("bytes_per_second", "Bytes that are processed in a second, in the last run that measured the case.", ofCase)

	slower = family("slowdown_ratio", "A case that became slower within 14 days: its time now over its time before, as cryptogauge history finds it.",
		append(slices.Clone(ofCase), "version_before"))

	checkStatus = family("check_status", "Whether the last check of a suite found that: page, a wrong output; ticket, slower or gone; "+
		"note, undecided or not comparable; none, nothing.", strings.Fields("machine suite severity"))
	checkAge = family("check_age_seconds", "Time since the last check of a suite began.", strings.Fields("machine suite"))

	runs    = family("runs_total", "Runs of a kind of machine that were filed; second looks are counted with the run that they look again at.", strings.Fields("machine"))
	leftOut = family("cases_left_out", "Cases that have no series here, since there are too many or others have the same labels.", nil)
	storeUp = family("store_up", "Whether the store can be read; where it can't, all else is what was read last.", nil)
)

func family(name, help string, labels []string) *prometheus.Desc {
	return prometheus.NewDesc("cryptogauge_"+name, help, labels, nil)
}

// scrape is a reading as it is told at a time.
type scrape struct {
	found *reading // nil where nothing was read yet
	up    bool
	now   time.Time
}

func (s *scrape) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{info, libraryInfo, seconds, secondsLow, secondsHigh, rate, slower, checkStatus, checkAge, runs, leftOut, storeUp} {
		to <- d
	}
}

func (s *scrape) Collect(to chan<- prometheus.Metric) {
	out := sender(to)
	out.gauge(storeUp, bits[s.up])
	if s.found == nil {
		return
	}
	out.gauge(leftOut, float64(s.found.leftOut))
	for _, m := range s.found.machines {
		out.machine(m)
	}
	for _, v := range s.found.versions {
		out.gauge(libraryInfo, 1, v...)
	}
	for _, c := range s.found.cells {
		out.cell(c)
	}
	for _, c := range s.found.checks {
		out.check(c, s.now)
	}
	for _, d := range s.found.slowdowns {
		if s.now.Sub(d.since) < recent {
			out.gauge(slower, d.ratio, d.labels...)
		}
	}
}

type sender chan<- prometheus.Metric

func (to sender) gauge(d *prometheus.Desc, value float64, labels ...string) {
	to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
}

func (to sender) machine(m archive.Machine) {
	to.gauge(info, 1, clean(m.Key, m.Label, m.Arch, m.CPU, strconv.FormatFloat(m.CPUs, 'g', -1, 64), m.Hypervisor, m.Product, m.Kernel, m.Go, m.Tool)...)
	to <- prometheus.MustNewConstMetric(runs, prometheus.CounterValue, float64(m.Runs), clean(m.Key)...)
}

func (to sender) cell(c named) {
	const second = 1e9 // nanoseconds
	to.gauge(seconds, c.NsPerOp.Median/second, c.labels...)
	for _, end := range []struct {
		of    *prometheus.Desc
		value *float64
	}{{secondsLow, c.NsPerOp.Low}, {secondsHigh, c.NsPerOp.High}} {
		if end.value != nil {
			to.gauge(end.of, *end.value/second, c.labels...)
		}
	}
	if c.BytesPerSecond != nil {
		to.gauge(rate, *c.BytesPerSecond, c.labels...)
	}
}

func (to sender) check(c archive.Check, now time.Time) {
	of := clean(c.Machine, c.Suite)
	to.gauge(checkAge, max(0, now.Sub(c.Started).Seconds()), of...)
	page := c.Severity == archive.SeverityPage || c.Wrong > 0
	// Of a check that was interrupted slow trials were not looked at again.
	ticket := c.Severity == archive.SeverityTicket || c.Severity == archive.SeverityPage && c.Slower+c.Failed > 0
	note := c.Severity == archive.SeverityNote
	for _, is := range []struct {
		severity archive.Severity
		found    bool
	}{
		{archive.SeverityPage, page}, {archive.SeverityTicket, ticket}, {archive.SeverityNote, note},
		{archive.SeverityNone, !page && !ticket && !note},
	} {
		to.gauge(checkStatus, bits[is.found], append(slices.Clone(of), string(is.severity))...)
	}
}

// bits is how a format without words says yes.
var bits = map[bool]float64{true: 1}
