package provider

import (
	"testing"

	"github.com/cryptogauge/cryptogauge/result"
)

func TestHanded(t *testing.T) {
	for _, test := range []struct {
		parameters      string
		bytes, messages int64
		left            string
	}{
		{"", 4096, 1, ""},
		{"call=64,way=update", 4096, 1, ""},
		{"batch=64", 64, 64, ""},
		{"batch=0", 4096, 1, "batch=0"},
		{"batch=7", 4096, 1, "batch=7"}, // which do not come out even
		{"batch=64,messages=100", 4096, 1, "batch=64,messages=100"},
		{"call=64", 4096, 1, "call=64"},
		{"nonsense", 4096, 1, "nonsense"},
	} {
		c, n := Handed(result.Case{Algorithm: "SM4", Mode: "CTR", Operation: "encrypt", Bytes: 4096, Parameters: test.parameters})
		if c.Bytes != test.bytes || n != test.messages || c.Parameters != test.left {
			t.Errorf("%q: %+v, %d messages", test.parameters, c, n)
		}
	}
}
