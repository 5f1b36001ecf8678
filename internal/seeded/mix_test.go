package seeded

import (
	"math"
	"slices"
	"testing"

	"github.com/cryptogauge/cryptogauge/result"
)

// traffic is short messages, some of 1350 bytes, and a few long ones.
var traffic = []result.SizeShare{{Bytes: 1350, Weight: 30}, {Bytes: 16384, Weight: 0.5}, {Bytes: 64, Weight: 60}, {Bytes: 0, Weight: 9.5}}

func TestDrawMixFollowsTheSeed(t *testing.T) {
	a := DrawMix(7, traffic, 1000)
	if !slices.Equal(a, DrawMix(7, traffic, 1000)) {
		t.Error("the same seed draws another sequence")
	}
	shuffled := []result.SizeShare{traffic[2], traffic[0], traffic[3], traffic[1]}
	if !slices.Equal(a, DrawMix(7, shuffled, 1000)) {
		t.Error("the order of the histogram's lines changes the sequence")
	}
	if slices.Equal(a, DrawMix(8, traffic, 1000)) {
		t.Error("another seed draws the same sequence")
	}
	if want := []int{64, 64, 1350, 64, 0, 64, 1350, 1350, 64, 64}; !slices.Equal(DrawMix(7, traffic, 10), want) {
		t.Errorf("the first ten of seed 7 are %v, and were %v in earlier versions", DrawMix(7, traffic, 10), want)
	}
}

// TestDrawMixHoldsTheShares: within a message or two, at every length.
func TestDrawMixHoldsTheShares(t *testing.T) {
	for _, n := range []int{1, 2, 10, 1000, 4096} {
		count := map[int]int{}
		for _, size := range DrawMix(3, traffic, n) {
			count[size]++
		}
		for _, s := range traffic {
			want := s.Weight / 100 * float64(n)
			if got := float64(count[int(s.Bytes)]); got < math.Floor(want)-1 || got > math.Ceil(want)+1 {
				t.Errorf("of %d messages %v have %d bytes, want about %v", n, got, s.Bytes, want)
			}
		}
	}
}

// TestDrawMixIsUnbiased: over many seeds the mean is the histogram's, also where
// the sequence is too short to hold every size.
func TestDrawMixIsUnbiased(t *testing.T) {
	const seeds, n = 4000, 20
	var sum float64
	for seed := range uint64(seeds) {
		for _, size := range DrawMix(seed, traffic, n) {
			sum += float64(size)
		}
	}
	// 0.5 % of 16384 bytes in 20 draws is there in one sequence of ten: a standard
	// error of about 4 bytes.
	want := 0.3*1350 + 0.005*16384 + 0.6*64
	if got := sum / seeds / n; math.Abs(got-want) > 16 {
		t.Errorf("the mean over %d seeds is %.1f bytes, want %.1f", seeds, got, want)
	}
}

func TestDrawMixAtTheEnds(t *testing.T) {
	if got := DrawMix(1, nil, 5); len(got) != 0 {
		t.Errorf("an empty histogram gives %v", got)
	}
	if got := DrawMix(1, traffic, 0); len(got) != 0 {
		t.Errorf("no messages are %v", got)
	}
	one := []result.SizeShare{{Bytes: 1 << 30, Weight: 1e-300}}
	if got := DrawMix(1, one, 3); !slices.Equal(got, []int{1 << 30, 1 << 30, 1 << 30}) {
		t.Errorf("one size gives %v", got)
	}
}

func TestMixParameters(t *testing.T) {
	for _, test := range []struct{ parameters, with string }{
		{"", "messages=256,sizes=mix"},
		{"padding=pkcs7", "messages=256,padding=pkcs7,sizes=mix"},
		{"workers=2", "messages=256,sizes=mix,workers=2"},
	} {
		with := MixParameters(test.parameters, 256)
		n, rest := MixOf(result.Case{Parameters: with})
		if with != test.with || n != 256 || rest != test.parameters {
			t.Errorf("%q becomes %q, read back as %d and %q", test.parameters, with, n, rest)
		}
	}
	for _, parameters := range []string{"", "padding=pkcs7", "messages=3", "sizes=mix", "messages=0,sizes=mix", "messages=x,sizes=mix"} {
		if n, rest := MixOf(result.Case{Parameters: parameters}); n != 0 || rest != parameters {
			t.Errorf("%q is read as %d messages, and %q", parameters, n, rest)
		}
	}
}
