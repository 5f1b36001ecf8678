package stat

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"
)

// repeat makes eight equal blocks.
func repeat(rounds ...float64) (blocks [][]float64) {
	for range 8 {
		blocks = append(blocks, rounds)
	}
	return blocks
}

func TestCompare(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	one := repeat(1, 1, 1)
	for _, c := range []struct {
		name        string
		base, other [][]float64
		floor       float64
		verdict     Verdict
		ok          bool
		ratio       float64
		blocks      int
		codes       []string
	}{
		{"half the time", one, repeat(0.5, 0.5, 0.5), 0, Faster, true, 2, 8, []string{CodeTies}},
		{"twice the time", one, repeat(2, 2, 2), 0, Slower, true, 0.5, 8, []string{CodeTies}},
		{"itself", one, one, 0, Same, true, 1, 8, []string{CodeTies}},
		{"itself, floor of the margin", one, one, Margin, Same, true, 1, 8, []string{CodeTies}},
		{"itself, floor above the margin", one, one, 0.006, Inconclusive, true, 1, 8, []string{CodeTies}},
		{"floor reaches the margin", one, repeat(1/1.01, 1/1.01, 1/1.01), 0.006, Inconclusive, true, 1.01, 8, []string{CodeTies}},
		{"discarded on either side", repeat(1, nan, 1), repeat(0.5, 0.5, nan), 0, Faster, true, 2, 8, []string{CodeDiscarded, CodeTies}},
		{"a round without partner", repeat(1, 1, 1), repeat(0.5, 0.5), 0, Faster, true, 2, 8, []string{CodeUnpaired, CodeTies}},
		{"a block without partner", append(repeat(1), []float64{1}), repeat(0.5), 0, Faster, true, 2, 8, []string{CodeUnpaired, CodeTies}},
		{"seven blocks", one[:7], repeat(0.5, 0.5, 0.5)[:7], 0, Inconclusive, false, 2, 7, []string{CodeFewBlocks}},
		{"nothing", nil, nil, 0, Inconclusive, false, 0, 0, []string{CodeFewBlocks}},
		{"nothing left", repeat(nan), repeat(1), 0, Inconclusive, false, 0, 0, []string{CodeDiscarded, CodeFewBlocks}},
		{"zero", one, repeat(1, 0, 1), 0, Inconclusive, false, 0, 0, []string{CodeInvalid}},
		{"negative", repeat(1, -1, 1), one, 0, Inconclusive, false, 0, 0, []string{CodeInvalid}},
		{"infinite", one, repeat(1, 1, inf), 0, Inconclusive, false, 0, 0, []string{CodeInvalid}},
		{"ratio overflows", repeat(1e300), repeat(1e-300), 0, Inconclusive, false, 0, 0, []string{CodeInvalid}},
		{"interval overflows", repeat(1e300), repeat(1e-8), 9, Inconclusive, false, 0, 0, []string{CodeInvalid}},
		{"floor NaN", one, one, nan, Inconclusive, false, 0, 0, []string{CodeInvalid}},
	} {
		got := Compare(c.base, c.other, 0.99, c.floor)
		if got.Verdict != c.verdict || got.OK != c.ok || math.Abs(got.Ratio-c.ratio) > 1e-12 || got.Blocks != c.blocks {
			t.Errorf("%s: %+v, want %v %v %v %v", c.name, got, c.verdict, c.ok, c.ratio, c.blocks)
		}
		if !slices.Equal(codes(got.Warnings), c.codes) {
			t.Errorf("%s: warnings %v, want %v", c.name, got.Warnings, c.codes)
		}
	}
}

func TestJudge(t *testing.T) {
	const slow, fast = 1 / (1 + Margin), 1 + Margin
	up, down := func(x float64) float64 { return math.Nextafter(x, 2) }, func(x float64) float64 { return math.Nextafter(x, 0) }
	for _, c := range []struct {
		low, high float64
		want      Verdict
	}{
		{slow, fast, Same}, {down(slow), fast, Inconclusive}, {slow, up(fast), Inconclusive},
		{fast, 2, Inconclusive}, {up(fast), 2, Faster},
		{0.5, slow, Inconclusive}, {0.5, down(slow), Slower}, {0.5, 2, Inconclusive},
	} {
		if got := judge(c.low, c.high); got != c.want {
			t.Errorf("judge(%v, %v) = %v, want %v", c.low, c.high, got, c.want)
		}
	}
}

func TestSidesAreEqual(t *testing.T) {
	rng := seeded(6)
	opposite := map[Verdict]Verdict{Faster: Slower, Slower: Faster, Same: Same, Inconclusive: Inconclusive}
	for range 200 {
		base, other := busy.pair(rng, 14, 6, 1+0.02*rng.NormFloat64()) // even counts interpolate
		c, d := Compare(base, other, 0.99, 0.002), Compare(other, base, 0.99, 0.002)
		if d.Verdict != opposite[c.Verdict] || math.Abs(c.Ratio*d.Ratio-1) > 1e-12 || math.Abs(c.Low*d.High-1) > 1e-12 {
			t.Fatalf("%+v turned round is %+v", c, d)
		}
	}
}

// What moves both sides of a round leaves no trace in the ratio.
func TestSharedDriftCancels(t *testing.T) {
	still, moving := busy, busy
	still.drift, moving.drift = 0, 2
	b0, o0 := still.pair(seeded(7), 15, 7, 1.01)
	b1, o1 := moving.pair(seeded(7), 15, 7, 1.01)
	c, d := Compare(b0, o0, 0.99, 0), Compare(b1, o1, 0.99, 0)
	if math.Abs(c.Low-d.Low) > 1e-12 || math.Abs(c.High-d.High) > 1e-12 || math.Abs(c.Ratio-d.Ratio) > 1e-12 {
		t.Errorf("still %+v, moving %+v", c, d)
	}
}

func TestNoiseFloor(t *testing.T) {
	one := repeat(1, 1)
	for _, c := range []struct {
		name string
		a, b [][]float64
		want float64
	}{
		{"no pair", nil, nil, MinFloor},
		{"equal", one, one, MinFloor},
		{"2 % in every block", one, repeat(1.02, 1.02), 0.02},
		{"2 % the other way", repeat(1.02, 1.02), one, 0.02},
		{"2 % in too few blocks to tell", one[:5], repeat(1.02, 1.02)[:5], 0.02},
		{"2 % in most, with one the other way", column(1, 1, 1, 1, 1, 1), column(1.02, 1.02, 1.02, 0.98, 1.02, 1.02), MinFloor},
		{"no clock", one, repeat(0, 1), math.NaN()},
	} {
		got := NoiseFloor(c.a, c.b)
		if math.Abs(got-c.want) > 1e-12 || math.IsNaN(got) != math.IsNaN(c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// floats reads a fuzzer's bytes as numbers, and so meets NaN, ±Inf, −0 and
// subnormals; small bytes become ordinary times.
func floats(data []byte) (xs []float64) {
	for len(data) > 0 {
		if data[0] >= 200 && len(data) >= 9 {
			xs = append(xs, math.Float64frombits(binary.LittleEndian.Uint64(data[1:])))
			data = data[9:]
			continue
		}
		xs = append(xs, 1e-9*float64(data[0]))
		data = data[1:]
	}
	return xs
}

func finite(xs ...float64) bool {
	for _, x := range xs {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}

func FuzzCompare(f *testing.F) {
	f.Add([]byte{100, 101, 102, 103, 104, 105, 106, 107}, []byte{99, 98, 97, 96, 95, 94, 93, 92}, uint8(1), 0.99, 0.002)
	f.Add([]byte{0, 1}, []byte{1, 255, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f}, uint8(3), 0.5, 0.0)
	f.Fuzz(func(t *testing.T, x, y []byte, rounds uint8, level, floor float64) {
		size := int(rounds)%9 + 1
		base, other := slices.Collect(slices.Chunk(floats(x), size)), slices.Collect(slices.Chunk(floats(y), size))
		c := Compare(base, other, level, floor)
		if !finite(c.Ratio, c.Low, c.High, c.Level) || c.OK && !(0 < c.Low && c.Low <= c.High && c.Level >= level) {
			t.Errorf("%+v", c)
		}
		if !c.OK && (c.Verdict != Inconclusive || len(c.Warnings) == 0) {
			t.Errorf("no interval, and no word of it: %+v", c)
		}
		s := Summarize(base, level, floor)
		if !finite(s.Median, s.Low, s.High, s.Level) || s.OK && !(s.Low <= s.Median && s.Median <= s.High) || !s.OK && len(s.Warnings) == 0 {
			t.Errorf("%+v", s)
		}
		if n := NoiseFloor(base, other); n < MinFloor || math.IsInf(n, 0) {
			t.Errorf("noise floor %v", n)
		}
	})
}

func BenchmarkCompareMillion(b *testing.B) {
	base, other := busy.pair(seeded(5), 15, 66_667, 1) // a million on each side
	b.ReportAllocs()
	for b.Loop() {
		Compare(base, other, 0.99, MinFloor)
	}
}
