package parameter

import (
	"slices"
	"testing"
)

func TestSteps(t *testing.T) {
	want := []Step{{"go", "Ed25519", "", "sign", 0, "", 1}, {"gmsm", "SM4", "CBC+HMAC-SM3", "encrypt", 1024, "padding=pkcs7,busy=2", 0.25}}
	if got, err := ReadSteps(JoinSteps(want)); err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v %v", got, err)
	}
	for _, bad := range []string{"", "a|b", "go|a||sign|x||1", "go|a||sign|-1||1", "go|a||sign|0||0", "go|a||sign|0||NaN", "go|a||sign|0||1e9"} {
		if got, err := ReadSteps(bad); err == nil {
			t.Errorf("%q is read as %+v", bad, got)
		}
	}
}
