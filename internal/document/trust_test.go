package document

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/result"
)

// wall makes samples last so many percent of their CPU time.
func wall(percent int64) func(*result.Run) {
	return func(r *result.Run) {
		for i := range r.Samples {
			r.Samples[i].Wall = r.Samples[i].Thread * percent / 100
		}
	}
}

// benchmarks makes trials those of a user's benchmarks.
func benchmarks(r *result.Run, clock result.Clock) {
	for i := range r.Trials {
		r.Trials[i].Case.Operation, r.Trials[i].Clock = algorithm.Bench, clock
	}
}

func TestTrust(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*result.Run)
		level  string
		reason string
	}{
		{"a quiet machine", func(*result.Run) {}, "good", ""},
		{"a busy one", wall(105), "fair", "other programs took 4.8 % of the run's CPU time: close them and run again"},
		{"a very busy one", wall(200), "low", "other programs took 50 % of the run's CPU time"},
		{"a client that is waited for", func(r *result.Run) {
			wall(200)(r)
			for i := range r.Trials {
				r.Trials[i].Case.Parameters = parameter.Sessions.Is(8)
			}
		}, "good", ""},
		{"a benchmark that sleeps", func(r *result.Run) { wall(200)(r); benchmarks(r, result.WallClock) }, "good", ""},
		{"a benchmark that computes", func(r *result.Run) { wall(200)(r); benchmarks(r, result.ProcessClock) }, "low", "took 50 % of the run's CPU time"},
		{"samples taken again", func(r *result.Run) { // the first of each counts
			for _, s := range slices.Clone(r.Samples) {
				s.Wall *= 2
				r.Samples = append(r.Samples, s)
			}
			slices.SortStableFunc(r.Samples, func(a, b result.Sample) int {
				return cmp.Or(cmp.Compare(a.Block, b.Block), cmp.Compare(a.Round, b.Round), cmp.Compare(a.Trial, b.Trial))
			})
		}, "good", ""},
		{"others on the other CPU", func(r *result.Run) { r.End.Strain.UsedSeconds, r.End.Strain.OwnSeconds = 54, 40 },
			"fair", "other programs used 12 % of all CPUs"},
		{"few others", func(r *result.Run) { r.End.Strain.UsedSeconds, r.End.Strain.OwnSeconds = 50, 40 }, "good", ""},
		{"others unknown", func(r *result.Run) { r.End.Strain.UsedSeconds = 54 }, "good", ""},
		{"steal that shows", func(r *result.Run) { wall(111)(r); r.End.Strain.StealSeconds = 20 }, "low", "the hypervisor gave 9.9 % of the run's CPU time"},
		{"steal that does not", func(r *result.Run) { r.End.Strain.StealSeconds = 20 }, "good", ""},
		{"throttling that shows", func(r *result.Run) { wall(105)(r); r.End.Strain.Throttled = 4 }, "fair", "the CPU quota stopped the program 4 times"},
		{"throttling that does not", func(r *result.Run) { r.End.Strain.Throttled = 4 }, "good", ""},
		{"busy before", func(r *result.Run) { r.End.Strain.LoadBefore = 1.8 }, "good", ""},
		{"cut short", func(r *result.Run) { r.End = nil }, "fair", "cut short"},
		{"no twins", func(r *result.Run) { r.Groups = nil }, "fair", "no code was measured twice"},
		{"twins not measured", func(r *result.Run) {
			r.Statuses = append(r.Statuses, result.StatusChange{Trial: 1, Status: result.Crashed})
		}, "fair", "was not measured"},
		{"a moving clock", func(r *result.Run) {
			for i := range r.Samples {
				if i%4 == 0 {
					r.Samples[i].SpinAfter = r.Samples[i].SpinBefore * 105 / 100
				}
			}
		}, "good", ""},
		{"no row has a number", func(r *result.Run) { r.Closed = r.Closed[:len(r.Closed)-1-3*11] }, "low", "3 of 3 rows have no reliable number"},
	} {
		f := documenttest.NewFixture(15, 7)
		a := f.Trial("modes", documenttest.SM4("CBC", 1024), documenttest.GMSM, documenttest.Plan{NS: 5000})
		b := f.Trial("modes", documenttest.SM4("CBC", 1024), documenttest.GMSM, documenttest.Plan{NS: 5000})
		d := f.Trial("modes", documenttest.SM4("ECB", 1024), documenttest.GMSM, documenttest.Plan{NS: 900})
		f.Group("modes", "A/A", result.KindNoise, []int{a, b})
		f.Group("modes", "SM4", "", []int{d})
		run := f.End()
		c.change(run)
		got := Build(run).Trust
		var reasons []string
		for _, r := range got.Reasons {
			if r.ZH == "" {
				t.Errorf("%s: %q is not in Chinese", c.name, r.EN)
			}
			reasons = append(reasons, r.EN)
		}
		if all := strings.Join(reasons, "; "); got.Level != c.level || !strings.Contains(all, c.reason) || c.reason == "" && all != "" {
			t.Errorf("%s: %s because %q, want %s because %q", c.name, got.Level, all, c.level, c.reason)
		}
	}
}

// A doubt of most rows is said once, of the run.
func TestDoubtOfMostRows(t *testing.T) {
	f := documenttest.NewFixture(15, 7)
	for i := range 6 {
		f.Trial("modes", documenttest.SM4("GCM", 1024), documenttest.GMSM, documenttest.Plan{NS: 5000, Change: func(s *result.Sample) {
			s.Process = s.Thread * 3 / 2
			if i == 0 {
				s.Migrated = 1
			}
		}})
	}
	doc := Build(f.End())
	for i, r := range doc.Rows {
		if slices.Contains(r.Notes, noteProcess) || slices.Contains(r.Notes, noteMigrated) != (i == 0) {
			t.Errorf("row %d has the notes %q", i, r.Notes)
		}
		if !strings.Contains(r.Warnings[0], "process CPU time") {
			t.Errorf("row %d lost its warning: %q", i, r.Warnings)
		}
	}
	if len(doc.Notes) != 1 || !strings.Contains(doc.Notes[0].EN, noteProcess.EN) || !strings.Contains(doc.Notes[0].ZH, noteProcess.ZH) {
		t.Errorf("of the run it is said: %q", doc.Notes)
	}
}

// A run is held to closer limits than each of its experiments, which have fewer samples, and each is
// judged by what happened while it ran.
func TestTrustOfExperiments(t *testing.T) {
	f := documenttest.NewFixture(15, 7)
	for i, experiment := range []string{"modes", "rsa", "bulkhash"} {
		slower := func(s *result.Sample) { s.Wall = s.Thread * 102 / 100 }
		if i == 1 {
			slower = func(s *result.Sample) { s.Wall = s.Thread * 104 / 100 }
		}
		a := f.Trial(experiment, documenttest.SM4("CBC", 1024), documenttest.GMSM, documenttest.Plan{NS: 5000, Change: slower})
		b := f.Trial(experiment, documenttest.SM4("CBC", 1024), documenttest.GMSM, documenttest.Plan{NS: 5000, Change: slower})
		d := f.Trial(experiment, documenttest.SM4("ECB", 1024), documenttest.GMSM, documenttest.Plan{NS: 900, Change: slower})
		if experiment == "bulkhash" { // whose goroutines wait for each other
			f.Run.Trials[b].Clock, f.Run.Trials[d].Clock = result.WallClock, result.WallClock
		}
		f.Group(experiment, "A/A", result.KindNoise, []int{a, b})
		f.Group(experiment, "SM4", "", []int{b, d}, result.Pair{Base: b, Other: d, Headline: true})
		f.Run.Groups[len(f.Run.Groups)-1].EveryCPU = experiment == "bulkhash"
	}
	run := f.End()
	run.End.Experiments = []result.ExperimentEnd{
		{Experiment: "modes", Strain: result.Strain{CPUSeconds: 100, UsedSeconds: 40, OwnSeconds: 39}},
		{Experiment: "bulkhash", Strain: result.Strain{CPUSeconds: 100, UsedSeconds: 70, OwnSeconds: 50}},
	}
	doc := Build(run)
	want := map[string]string{"modes": "good", "rsa": "fair", "bulkhash": "fair"}
	for _, e := range doc.Trust.Experiments {
		if e.Level != want[e.Experiment] || e.Taken == nil || (e.Others == nil) != (e.Experiment == "rsa") {
			t.Errorf("%+v, want %s", e, want[e.Experiment])
		}
	}
	if why := doc.Trust.Reasons; len(doc.Trust.Experiments) != 3 || doc.Trust.Level != "fair" || len(why) != 2 ||
		!strings.Contains(why[0].EN, "took 2.6 %") || !strings.HasPrefix(why[1].EN, "no verdicts on what uses every CPU (bulkhash): other programs were using them") {
		t.Errorf("%+v", doc.Trust)
	}
	for _, c := range doc.Comparisons {
		if ranked := !strings.HasPrefix(c.Base, "bulkhash"); (c.Verdict == "faster") != ranked || c.Low == nil ||
			ranked == strings.Contains(strings.Join(c.Warnings, ""), "needs all CPUs, and other programs used 20 % of them") {
			t.Errorf("%s: %s, %q", c.ID, c.Verdict, c.Warnings)
		}
	}
	if doc.Trust.Typical == nil || *doc.Trust.Typical <= 0 || *doc.Trust.Typical > 0.01 {
		t.Errorf("a typical interval of %v", doc.Trust.Typical)
	}
}

func TestStandardsAndSecurity(t *testing.T) {
	for _, c := range []struct {
		algorithm, mode, operation, parameters string
		standard, note                         string
	}{
		{"SM4", "ECB", "encrypt", "", "GB/T 32907-2016 (ISO/IEC 18033-3:2010/Amd 1:2021); GB/T 17964-2021", "ECB reveals"},
		{"SM4", "CBC", "decrypt", "", "GB/T 32907-2016 (ISO/IEC 18033-3:2010/Amd 1:2021); GB/T 17964-2021", "no integrity"},
		{"SM4", "GCM", "encrypt", "", "GB/T 32907-2016 (ISO/IEC 18033-3:2010/Amd 1:2021); GB/T 36624-2018; RFC 8998", ""},
		{"AES-256", "CTR", "encrypt", "", "FIPS 197 (ISO/IEC 18033-3); NIST SP 800-38A", "no integrity"},
		{"AES-128", "GCM", "encrypt", "", "FIPS 197 (ISO/IEC 18033-3); NIST SP 800-38D", ""},
		{"AES-128", "CCM", "encrypt", "", "FIPS 197 (ISO/IEC 18033-3); NIST SP 800-38C", "data twice"},
		{"SM4", "CCM", "decrypt", "", "GB/T 32907-2016 (ISO/IEC 18033-3:2010/Amd 1:2021); GB/T 36624-2018; RFC 8998", "data twice"},
		{"AES-128", "CBC+HMAC-SHA-256", "encrypt", "", "FIPS 197 (ISO/IEC 18033-3); NIST SP 800-38A; RFC 2104; FIPS 180-4", ""},
		{"SM4", "CBC+HMAC-SM3", "encrypt", "", "GB/T 32907-2016 (ISO/IEC 18033-3:2010/Amd 1:2021); GB/T 17964-2021; GB/T 15852.2-2024; GB/T 32905-2016", ""},
		{"ChaCha20-Poly1305", "", "encrypt", "", "RFC 8439", ""},
		{"SM3", "", "hash", "", "GB/T 32905-2016", ""},
		{"MD5", "", "hash", "", "RFC 1321", "MD5 is broken"},
		{"SHA-1", "", "hash", "", "FIPS 180-4", "SHA-1 is broken"},
		{"RSA-1024", "OAEP", "encrypt", "", "RFC 8017 §7.1; NIST SP 800-56B rev. 2", "1024 bits"},
		{"RSA-2048", "PKCS1v15", "decrypt", "", "RFC 8017 §7.2", "Bleichenbacher"},
		{"RSA-2048", "PKCS1v15-SHA-256", "encrypt", "", "RFC 8017 §7.2", "Bleichenbacher"},
		{"RSA-2048", "PKCS1v15-SHA-256", "sign", "", "RFC 8017; FIPS 186-5", ""},
		{"SM2", "", "verify", "", "GB/T 32918.2-2016; GB/T 32918.5-2017", ""},
		{"SM2", "", "decrypt", "", "GB/T 32918.4-2016; GB/T 32918.5-2017", ""},
		{"ChaCha20", "", "encrypt", "", "RFC 8439", "no integrity"},
		{"SM4", "block", "encrypt", "", "GB/T 32907-2016 (ISO/IEC 18033-3:2010/Amd 1:2021)", ""},
		{"AES-128", "", "schedule", "", "FIPS 197 (ISO/IEC 18033-3)", ""},
		{"SM4", "XYZ", "encrypt", "", "", ""},
		{"empty", "", "block", "", "", ""},
	} {
		got := result.Case{Algorithm: c.algorithm, Mode: c.mode, Operation: c.operation, Parameters: c.parameters}
		if s := algorithm.Standard(got.Algorithm, got.Mode, got.Operation); s != c.standard {
			t.Errorf("%s: standard %q, want %q", got.Name(), s, c.standard)
		}
		notes := securityOf(got)
		if c.note == "" && len(notes) > 0 || c.note != "" && (len(notes) != 1 || !strings.Contains(notes[0].EN, c.note) || notes[0].ZH == "") {
			t.Errorf("%s %s: notes %q, want %q", got.Name(), got.Operation, notes, c.note)
		}
	}
}
