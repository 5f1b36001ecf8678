package decide

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

func TestParseUse(t *testing.T) {
	for _, test := range []struct {
		text  string
		needs []Need
		want  map[Need]Use
	}{
		{"tjfoc/SM4-CBC", []Need{Seal}, map[Need]Use{Seal: {Library: "tjfoc", Algorithm: "SM4", Mode: "CBC", Operation: "encrypt"}}},
		{"TJFOC/sm4/cbc", []Need{Sign, Open}, map[Need]Use{Open: {Library: "tjfoc", Algorithm: "SM4", Mode: "CBC", Operation: "decrypt"}}},
		{"go/AES-128-GCM", []Need{Seal, Open}, map[Need]Use{Seal: {Library: "go", Algorithm: "AES-128", Mode: "GCM", Operation: "encrypt"},
			Open: {Library: "go", Algorithm: "AES-128", Mode: "GCM", Operation: "decrypt"}}},
		{"go/RSA-2048-PSS", []Need{Sign}, map[Need]Use{Sign: {Library: "go", Algorithm: "RSA-2048", Mode: "PSS-SHA-256", Operation: "sign"}}},
		{"go/rsa2048 pkcs1v15", []Need{Verify}, map[Need]Use{Verify: {Library: "go", Algorithm: "RSA-2048", Mode: "PKCS1v15-SHA-256", Operation: "verify"}}},
		{"gmsm/SM2", []Need{Sign}, map[Need]Use{Sign: {Library: "gmsm", Algorithm: "SM2", Operation: "sign"}}},
		{"xcrypto/ChaCha20-Poly1305", []Need{Seal}, map[Need]Use{Seal: {Library: "xcrypto", Algorithm: "ChaCha20-Poly1305", Operation: "encrypt"}}},
		{"go/MD5", []Need{Hash}, map[Need]Use{Hash: {Library: "go", Algorithm: "MD5", Operation: "hash"}}},
		{"go/HMAC-SHA-256", []Need{MAC}, map[Need]Use{MAC: {Library: "go", Algorithm: "HMAC-SHA-256", Operation: "mac"}}},
		{"go/X25519", []Need{Exchange}, map[Need]Use{Exchange: {Library: "go", Algorithm: "X25519", Operation: "session"}}},
		{"go/RSA-2048-OAEP", []Need{Envelope}, map[Need]Use{Envelope: {Library: "go", Algorithm: "Envelope", Mode: "RSA-2048-OAEP+AES-256-GCM", Operation: "seal"}}},
		{"go/X25519+ECDSA-P-256", []Need{Handshake}, map[Need]Use{Handshake: {Library: "go", Algorithm: "TLS 1.3", Mode: "X25519+ECDSA-P-256", Operation: "handshake"}}},
	} {
		got, err := ParseUse(test.text, test.needs)
		if err != nil || len(got) != len(test.want) {
			t.Errorf("%s for %v: %v, %v", test.text, test.needs, got, err)
			continue
		}
		for need, want := range test.want {
			if got[need] == nil || *got[need] != want {
				t.Errorf("%s for %s: %+v, want %+v", test.text, need, got[need], want)
			}
		}
	}
}

// TestUseErrors: one line that says what was meant, in both languages.
func TestUseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":              `give library and algorithm, e\.g\. tjfoc/SM4-CBC`,
		"SM4-CBC":       `give library and algorithm`,
		"/SM4-CBC":      `give library and algorithm`,
		"tjfoc/":        `give library and algorithm`,
		"tjfco/SM4-CBC": `unknown library "tjfco"; nearest: tjfoc`,
		"nope/SM4-CBC":  `unknown library "nope"; there are: go, `,
		"tjfoc/SM4-CBD": `unknown algorithm "SM4-CBD"; nearest: SM4-(ECB|CBC)`,
		"tjfoc/SM4":     `SM4 says too little; there are: SM4-ECB, SM4-CBC, `,
		"go/RSA-2048":   `RSA-2048 says too little; there are: RSA-2048-`,
		"go/Ed25519":    `Ed25519 goes with --sign or --verify`,
		"go/加密":         `unknown algorithm "加密"`,
	} {
		_, err := ParseUse(text, []Need{Seal})
		if err == nil {
			t.Errorf("%q is read", text)
			continue
		}
		said := language.Of(err)
		if !regexp.MustCompile(want).MatchString(said.EN) || strings.ContainsAny(said.EN+said.ZH, "\n\r") || !regexp.MustCompile(`\p{Han}`).MatchString(said.ZH) {
			t.Errorf("%q:\n %s\n %s\n want %s", text, said.EN, said.ZH, want)
		}
	}
}

// TestEveryCandidateCanBeInUse: what is proposed for a need can be said to run today, by the name
// that it is first called.
func TestEveryCandidateCanBeInUse(t *testing.T) {
	for _, need := range Needs {
		for _, c := range need.cases() {
			u := Use{Algorithm: c.Algorithm, Mode: c.Mode, Operation: c.Operation}
			if got, ok := need.called(u.names()[0]); !ok || got != u || got.of() != c {
				t.Errorf("%s: %s is %+v, want %+v", need, u.names()[0], got, u)
			}
		}
	}
}

// TestUseOfFiles: a workload file says the mode of what runs today, as reports do or without RSA's hash.
func TestUseOfFiles(t *testing.T) {
	for text, want := range map[string]string{
		"library: go, algorithm: RSA-2048, mode: PSS, operation: sign":            algorithm.PSS,
		"library: go, algorithm: rsa2048, mode: pss-sha-256, operation: sign":     algorithm.PSS,
		"library: go, algorithm: Envelope, mode: HPKE-X25519, operation: seal":    algorithm.X25519Envelope,
		"library: gmsm, algorithm: SM4, mode: cbc+hmac-sm3, operation: encrypt":   algorithm.CBCHMACSM3,
		"library: xcrypto, algorithm: ChaCha20-Poly1305, operation: encrypt":      "",
		"library: gmsm, algorithm: SM2, operation: sign":                          "",
		"library: tjfoc, algorithm: SM4, mode: CBC, operation: encrypt, bytes: 9": algorithm.CBC,
	} {
		w := workload(t, "steps: [{use: {"+text+"}}]")
		if got := w.Steps[0].Use.Mode; got != want {
			t.Errorf("%s: mode %q, want %q", text, got, want)
		}
	}
}

// TestPadded: what takes whole blocks is measured on what a caller pads to.
func TestPadded(t *testing.T) {
	s := Step{Need: Seal, Sizes: []result.SizeShare{{Bytes: 1000, Weight: 1}}}
	for mode, want := range map[string]int64{algorithm.CBC: 1008, algorithm.ECB: 1008, algorithm.CTR: 1000, algorithm.GCM: 1000} {
		if got := s.over(result.Case{Algorithm: algorithm.SM4, Mode: mode, Operation: algorithm.Encrypt}).main().Bytes; got != want {
			t.Errorf("%s: %d bytes, want %d", mode, got, want)
		}
	}
}

// TestOffered: what no library does, or another, is said before anything is measured.
func TestOffered(t *testing.T) {
	by := func(library string, c result.Case) result.Trial {
		return result.Trial{Subject: result.Subject{Library: library}, Case: c}
	}
	w := workload(t, "steps: [{name: old, use: {library: tjfoc, algorithm: SM4, mode: CBC, operation: encrypt, bytes: 64}}]")
	cbc := result.Case{Algorithm: "SM4", Mode: "CBC", Operation: "encrypt", Bytes: 64}
	if err := w.Offered([]result.Trial{by("gmsm", cbc), by("tjfoc", cbc)}); err != nil {
		t.Error(err)
	}
	for want, trials := range map[string][]result.Trial{
		`step "old": SM4-CBC encrypt of tjfoc is not offered here; it is by gmsm`:                                {by("gmsm", cbc)},
		`step "old": SM4-CBC encrypt of tjfoc is not offered here, nor by another library; see cryptogauge list`: nil,
	} {
		if err := w.Offered(trials); err == nil || err.Error() != want || strings.Contains(language.Of(err).ZH, "%!") {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestTodayBesideChosen: what runs today is set beside the chosen one; where it is that one, or has no row, the
// plan says so. A requirement that only it meets is met by it.
func TestTodayBesideChosen(t *testing.T) {
	doc := signed("")
	said := func(use string, require ...Requirement) (*Choice, string) {
		uses, err := ParseUse(use, []Need{Sign})
		if err != nil {
			t.Fatal(err)
		}
		s := NewStep(Sign)
		s.Use, s.Require = uses[Sign], require
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		d := Make(&Workload{Rate: 3000, Steps: []Step{s}}, nil, doc)
		var all []string
		for _, a := range d.sentences() {
			all = append(all, a.Text.EN)
		}
		return d.Steps[0], strings.Join(all, "\n")
	}
	if c, text := said("go/RSA-2048-PSS"); c.Today == nil || c.Today.name() != "RSA-2048 PSS" || !strings.Contains(text, "go RSA-2048 PSS") {
		t.Errorf("today %+v:\n%s", c.Today, text)
	}
	if c, text := said("gmsm/SM2", StandardGB); c.Today != c.Chosen || !strings.Contains(text, "as today") {
		t.Errorf("today %+v:\n%s", c.Today, text)
	}
	if c, text := said("go/RSA-3072-PSS"); c.Today != nil || c.Chosen == nil || !strings.Contains(text, "(go RSA-3072-PSS) has no row here") {
		t.Errorf("today %+v:\n%s", c.Today, text)
	}
}

// TestWithoutRate: a plan chooses without one, counts CPUs for a thousand a second and says so, and its
// JSON gives no number that follows from a rate.
func TestWithoutRate(t *testing.T) {
	doc := signed("")
	w := workload(t, "steps: [{sign: }, {sign: , per: 2}]")
	d := Make(w, nil, doc)
	if d.VCPU == nil || d.VCPU.Median < 0.053 || d.VCPU.Median > 0.055 || d.Extrapolates() {
		t.Fatalf("%+v, want 3000 × 18 µs", d.VCPU)
	}
	if line := d.Headline(); !strings.Contains(line.EN, "for every 1000/s (no rate was given)") || !strings.Contains(line.ZH, "未指定速率") {
		t.Errorf("%q", line)
	}
	var out bytes.Buffer
	if err := d.WriteJSON(&out, doc, nil); err != nil {
		t.Fatal(err)
	}
	var report struct {
		Rate  *float64 `json:"rate"`
		VCPU  any      `json:"vcpu"`
		Steps []struct {
			Rate       *float64
			Candidates []struct {
				VCPU any `json:"vcpu"`
				Busy any `json:"busy_cpu_ns"`
			}
		}
		Per1000 struct{ Median float64 } `json:"vcpu_per_1000"`
	}
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatal(err)
	}
	if report.Rate != nil || report.VCPU != nil || report.Per1000.Median != d.VCPU.Median || len(report.Steps) != 2 || report.Steps[0].Rate != nil {
		t.Errorf("%+v", report)
	}
	for _, c := range report.Steps[0].Candidates {
		if c.VCPU != nil || c.Busy == nil {
			t.Errorf("%+v", c)
		}
	}
	if !strings.Contains(out.String(), `"vcpu": null`) {
		t.Error("the name vcpu is gone")
	}
}

// TestRunsC: a library in C is asked where it runs today, and not otherwise.
func TestRunsC(t *testing.T) {
	for use, want := range map[string]bool{"openssl/SM4-CBC": true, "tjfoc/SM4-CBC": false} {
		uses, err := ParseUse(use, []Need{Seal})
		if err != nil {
			t.Fatal(err)
		}
		s := NewStep(Seal)
		s.Use = uses[Seal]
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		if got := (&Workload{Steps: []Step{NewStep(Sign), s}}).Experiment(2).Beyond; got != want {
			t.Errorf("%s: %v", use, got)
		}
	}
}

// TestEveryLibraryIsKnown: of each that can be chosen, whether it is maintained and has a FIPS 140-3 module, with a basis.
func TestEveryLibraryIsKnown(t *testing.T) {
	for _, name := range subject.Libraries() {
		if known := knownOf(name); known.Basis == (language.Text{}) && name != subject.PKCS11 { // a token is its maker's
			t.Errorf("%s: nothing is known of it: add a line to Libraries in knowledge.go", name)
		}
	}
	lacks := func(library string) string { return ruleOf(Maintained).lackOf(library).EN }
	if a, b := lacks(subject.Tjfoc), lacks("a user's own"); a != "no longer maintained" || b != "not known to be maintained" {
		t.Errorf("%q, %q", a, b)
	}
}
