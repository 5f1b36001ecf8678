package decide

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/result"
)

func TestKept(t *testing.T) {
	w, err := Parse("w.yaml", []byte(service), noSizes)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := w.Keep()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Kept(result.Header{Workload: kept})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(again, w) {
		t.Errorf("kept as %+v, was %+v", again, w)
	}
}

func TestKeptRefuses(t *testing.T) {
	const step = `{"name":"a","need":"sign","per":1}`
	for _, c := range []struct{ name, header, want string }{
		{"no workload", ``, "holds no workload"},
		{"no object", `[]`, "can't be read"},
		{"a field of the future", `{"steps":[` + step + `],"color":1}`, "can't be read"},
		{"no step", `{"steps":[]}`, "makes no sense"},
		{"a step among others that does nothing", `{"steps":[` + step + `,{"name":"b","need":"dance","per":1}]}`, "makes no sense"},
		{"never", `{"steps":[{"name":"a","need":"sign","per":0}]}`, "makes no sense"},
		{"a name of two lines", `{"steps":[{"name":"a\nb","need":"sign","per":1}]}`, "makes no sense"},
		{"a size that is none", `{"steps":[{"name":"a","need":"seal","per":1,"sizes":[{"bytes":-1,"weight":1}]}]}`, "makes no sense"},
		{"a weight that is none", `{"steps":[{"name":"a","need":"seal","per":1,"sizes":[{"bytes":1,"weight":0}]}]}`, "makes no sense"},
		{"what nothing meets", `{"steps":[{"name":"a","need":"sign","per":1,"require":["standard:gb","post-quantum"]}]}`, "no candidate"},
		{"a limit without a rate", `{"steps":[` + step + `],"limits":{"p99_ns":5}}`, "needs a rate"},
	} {
		_, err := Kept(result.Header{Workload: json.RawMessage(c.header)})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
			continue
		}
		if said := language.Of(err); said.ZH == said.EN {
			t.Errorf("%s is not said in Chinese", c.name)
		}
	}
}

func TestWants(t *testing.T) {
	w, err := Parse("w.yaml", []byte(service), noSizes)
	if err != nil {
		t.Fatal(err)
	}
	sign := result.Case{Algorithm: "Ed25519", Operation: "sign"}
	busy := sign
	busy.Parameters = parameter.Busy.Is(8)
	resumed := result.Case{Algorithm: algorithm.TLS13, Mode: algorithm.HandshakeMode(algorithm.X25519, algorithm.ECDSA256),
		Operation: algorithm.Handshake, Parameters: meetingParameters(parameter.Yes)}
	for _, c := range []struct {
		of   result.Case
		want bool
	}{
		{sign, true}, {busy, true},
		{result.Case{Algorithm: "Ed25519", Operation: "verify"}, true}, // of clients' certificates
		{result.Case{Algorithm: "Ed25519", Operation: "generate"}, false},
		{result.Case{Algorithm: "AES-128", Mode: "GCM", Operation: "encrypt", Bytes: 4096}, true},
		{result.Case{Algorithm: "AES-128", Mode: "GCM", Operation: "encrypt", Bytes: 1 << 20}, false},
		{resumed, true},
		{result.Case{Algorithm: "X25519", Operation: "session"}, true},
	} {
		if got := w.Wants(c.of); got != c.want {
			t.Errorf("%+v: %v", c.of, got)
		}
	}
}
