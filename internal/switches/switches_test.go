package switches

import (
	"slices"
	"strings"
	"testing"
)

// TestSwitchesAreRead: each switch is read back as the feature that it turns off,
// stands once, and is one variable without a space, which would part it.
func TestSwitchesAreRead(t *testing.T) {
	for _, arch := range []string{"amd64", "arm64"} {
		for _, library := range []string{"go", "xcrypto", "gmsm", "openssl", "botan", "libgcrypt"} {
			seen := map[Feature]bool{}
			for _, s := range Of(library, "3.1", arch) {
				if f, ok := FeatureOf(library, s.Environment); !ok || f != s.Feature {
					t.Errorf("%s: %s is read as %q", library, s.Environment, f)
				}
				if seen[s.Feature] {
					t.Errorf("%s has two switches of %s on %s", library, s.Feature, arch)
				}
				seen[s.Feature] = true
				if name, value, _ := strings.Cut(s.Environment, "="); name == "" || value == "" || strings.Contains(s.Environment, " ") {
					t.Errorf("%s: %q", library, s.Environment)
				}
				if !slices.Contains(Features(), s.Feature) {
					t.Errorf("%s is not listed", s.Feature)
				}
			}
			if arch == "amd64" && !seen[All] {
				t.Errorf("%s can't do without everything", library)
			}
		}
	}
}

func TestNoSwitch(t *testing.T) {
	for _, none := range [][3]string{{"botan", "2.19.3", "amd64"}, {"tjfoc", "v1.4.1", "amd64"}, {"cryptogauge", "dev", "amd64"},
		{"openssl", "1.1.1", "amd64"}, {"xcrypto", "v0.58.0", "arm64"}} {
		if of := Of(none[0], none[1], none[2]); of != nil {
			t.Errorf("%v has switches: %v", none, of)
		}
	}
	if _, ok := FeatureOf("openssl", "GODEBUG=cpu.aes=off"); ok {
		t.Error("OpenSSL heeds GODEBUG")
	}
	if _, ok := FeatureOf("go", ""); ok {
		t.Error("nothing is a switch")
	}
}
