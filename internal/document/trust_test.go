package document

import (
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
	"github.com/cryptogauge/cryptogauge/result"
)

func TestTrust(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*result.Run)
		level  string
		reason string
	}{
		{"a quiet machine", func(*result.Run) {}, "good", ""},
		{"a little steal", func(r *result.Run) { r.End.Strain.StealSeconds = 3 }, "fair", "2.6 % of the CPU time"},
		{"much steal", func(r *result.Run) { r.End.Strain.StealSeconds = 10 }, "poor", "8.6 % of the CPU time"},
		{"throttled", func(r *result.Run) { r.End.Strain.Throttled = 4 }, "fair", "throttled the run 4 times"},
		{"busy before", func(r *result.Run) { r.End.Strain.LoadBefore = 1.8 }, "fair", "load 1.80 on 2 CPUs"},
		{"cut short", func(r *result.Run) { r.End = nil }, "fair", "cut short"},
		{"no twins", func(r *result.Run) { r.Groups = nil }, "fair", "no A/A pair"},
		{"twins not measured", func(r *result.Run) {
			r.Statuses = append(r.Statuses, result.StatusChange{Trial: 1, Status: result.Crashed})
		}, "fair", "was not measured"},
		{"contention", func(r *result.Run) {
			for i := range r.Samples {
				r.Samples[i].Wall *= 2
			}
		}, "poor", "contention: in 100 %"},
		{"a moving clock", func(r *result.Run) {
			for i := range r.Samples {
				if i%4 == 0 {
					r.Samples[i].SpinAfter *= 2
				}
			}
		}, "fair", "changed by more than 3 % during 25 %"},
		{"one row unstable", func(r *result.Run) { r.Closed = r.Closed[:len(r.Closed)-1-3*11] }, "poor", "rows have no reliable number"},
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
	reasons := 0
	for _, r := range doc.Trust.Reasons {
		if strings.Contains(r.EN, noteProcess.EN) && strings.Contains(r.ZH, noteProcess.ZH) {
			reasons++
		}
	}
	if reasons != 1 {
		t.Errorf("it is said %d times of the run: %q", reasons, doc.Trust.Reasons)
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
