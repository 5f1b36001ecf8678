//go:build linux && (amd64 || arm64)

package botan_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/judge"
	"github.com/cryptogauge/cryptogauge/internal/library/native/botan"
	"github.com/cryptogauge/cryptogauge/internal/library/native/object"
	"github.com/cryptogauge/cryptogauge/internal/library/native/planted"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/provider/providertest"
	"github.com/cryptogauge/cryptogauge/result"
)

// plant opens a library with a fault.
func plant(t *testing.T, macros ...string) *object.Object {
	t.Helper()
	o, err := object.Open(planted.Botan(t, macros...))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// TestPlanted: a library that does not take what it is given is not spun on; one that
// gives wrong bytes is found; and a workaround that does not hold is not offered.
func TestPlanted(t *testing.T) {
	const right = ""
	whole := result.Case{Algorithm: "AES-128", Mode: "CTR", Operation: "encrypt", Bytes: 5000}
	chunked := whole
	chunked.Parameters = "call=64,way=update"
	for fault, want := range map[string]map[string]string{ // what is wrong, by implementation
		"SOUND": {"": right, "final": right, "ctr-bypass": right, "coalesced": right},
		"STUCK": {"": right, "final": right, "ctr-bypass": right, "coalesced": right},
		"LIAR":  {"": "says that it took", "final": "says that it took", "ctr-bypass": "says that it took", "coalesced": "says that it took"},
		"WRONG": {"": "the output is wrong from byte 0 on"},
		"RESTART": {"": right, "ctr-bypass": right, "final": "by final is not offered, since it does not do what update does",
			"coalesced": "by coalesced is not offered, since it does not do what update does"},
		"ALONE": {"": right, "final": right, "ctr-bypass": "has no function botan_block_cipher_init", "coalesced": right},
		"COUNT_ZERO": {"": "says that it wrote 0 bytes, and it had to be ", "final": "is not offered: ",
			"coalesced": "is not offered: ", "ctr-bypass": "is not offered: "},
		"COUNT_LESS": {"": "says that it wrote ", "final": "is not offered: "},
		"COUNT_MORE": {"": "says that it wrote ", "final": "is not offered: "},
		"OVERRUN=8":  {"": "it wrote 8 bytes past the end of its output of 5000 bytes", "final": "is not offered: "},
		"UNDERRUN=8": {"": "it wrote 8 bytes before the start of its output of 5000 bytes", "final": "is not offered: "},
		"CODE=-20":   {"": "botan_cipher_update returned -20 ("},
	} {
		if testing.Short() && fault != "WRONG" && fault != "OVERRUN=8" {
			continue
		}
		t.Run(fault, func(t *testing.T) {
			o, judge := plant(t, fault), judge.New(provider.Setting{Seed: 1})
			for _, pick := range picks(t, o) {
				p := pick(judge)
				says, asked := want[p.Subject().Implementation]
				if !asked {
					continue
				}
				for _, c := range []result.Case{whole, chunked} {
					err := providertest.Verify(p, c)
					if says == right && err != nil || says != right && (err == nil || !strings.Contains(err.Error(), says)) {
						t.Errorf("%s %s %q: %v, want %q", p.Subject().CallPath, p.Subject().Implementation, c.Parameters, err, says)
					}
					if strings.Contains(says, "not offered") && !errors.Is(err, errors.ErrUnsupported) {
						t.Errorf("%s: %v is no refusal", p.Subject().Implementation, err)
					}
				}
			}
		})
	}
}

// TestNoBotan: another library is none, and is told by what it lacks.
func TestNoBotan(t *testing.T) {
	o, err := object.Open(planted.Compile(t, "libnone.so", ""))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := botan.Open(o, nil); err == nil || !strings.Contains(err.Error(), "it is not Botan") {
		t.Error(err)
	}
}
