package statement

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// units are how quantities are written. Letters' case tells nothing but in the table.
var units = []struct {
	suffix string
	unit   Unit
	factor float64
}{
	{"ns", Nanoseconds, 1}, {"us", Nanoseconds, 1e3}, {"µs", Nanoseconds, 1e3}, {"μs", Nanoseconds, 1e3},
	{"ms", Nanoseconds, 1e6}, {"s", Nanoseconds, 1e9}, {"min", Nanoseconds, 60e9},
	{"B", Bytes, 1}, {"kB", Bytes, 1e3}, {"KB", Bytes, 1e3}, {"MB", Bytes, 1e6}, {"GB", Bytes, 1e9}, {"TB", Bytes, 1e12},
	{"KiB", Bytes, 1 << 10}, {"MiB", Bytes, 1 << 20}, {"GiB", Bytes, 1 << 30}, {"TiB", Bytes, 1 << 40},
	{"B/s", BytesPerSecond, 1}, {"kB/s", BytesPerSecond, 1e3}, {"KB/s", BytesPerSecond, 1e3}, {"MB/s", BytesPerSecond, 1e6},
	{"GB/s", BytesPerSecond, 1e9}, {"TB/s", BytesPerSecond, 1e12},
	{"KiB/s", BytesPerSecond, 1 << 10}, {"MiB/s", BytesPerSecond, 1 << 20}, {"GiB/s", BytesPerSecond, 1 << 30},
	{"/s", PerSecond, 1}, {"%", Share, 0.01}, {"", Number, 1},
}

// quantity is a number and the letters behind it.
var quantity = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)\s*([^\d\s]*)$`)
})

// measured reads a quantity; bare says that it has no unit.
func measured(text string) (value float64, unit Unit, bare, ok bool) {
	parts := quantity().FindStringSubmatch(strings.TrimSpace(text))
	if parts == nil {
		return 0, "", false, false
	}
	v, err := strconv.ParseFloat(parts[1], 64)
	if err != nil {
		return 0, "", false, false
	}
	for _, u := range units {
		if u.suffix == parts[2] && !math.IsInf(v*u.factor, 1) {
			return v * u.factor, u.unit, u.suffix == "", true
		}
	}
	return 0, "", false, false
}

// example is a range of each unit.
var example = map[Unit]string{Nanoseconds: "..100us", Bytes: "..64MiB", BytesPerSecond: "100MB/s..", PerSecond: "3000/s..", Number: "1.10..1.20"}

// ParseRange reads a range "LOW..HIGH", of which either end may be left out, in one of some
// units (none: any). A unit at the high end alone counts for both.
func ParseRange(text string, allowed ...Unit) (r Range, err error) {
	var examples []string
	for _, u := range allowed {
		examples = append(examples, example[u])
	}
	if len(allowed) == 0 {
		examples = []string{"..100us", "3000/s..", "1.10..1.20"}
	}
	like := language.Text{EN: strings.Join(examples, " or "), ZH: strings.Join(examples, " 或 ")}
	nonsense := language.Errorf("%q is no range; write it as %s", "%q 不是范围；写法如 %s", text, like)
	if bare := strings.ReplaceAll(text, " ", ""); strings.HasPrefix(bare, "-") || strings.Contains(bare, "..-") {
		nonsense = language.Errorf("%q is no range: nothing that is measured is negative; write it as %s", "%q 不是范围：测得值都不为负；写法如 %s", text, like)
	}
	low, high, isRange := strings.Cut(text, "..")
	low, high = strings.TrimSpace(low), strings.TrimSpace(high)
	if !isRange || low == "" && high == "" {
		return r, nonsense
	}
	r = Range{0, math.Inf(1), ""}
	bareLow := false
	if low != "" {
		var ok bool
		if r.Low, r.Unit, bareLow, ok = measured(low); !ok {
			return r, nonsense
		}
	}
	if high != "" {
		v, unit, _, ok := measured(high)
		if bareLow && ok && unit != Number { // 90..110us, 5..10%
			r.Low, r.Unit, _, _ = measured(low + suffixOf(high))
		}
		if !ok || low != "" && unit != r.Unit {
			return r, nonsense
		}
		r.High, r.Unit = v, unit
	}
	switch {
	case len(allowed) > 0 && !slices.Contains(allowed, r.Unit):
		return r, language.Errorf("%q has the wrong unit; write it as %s", "%q 的单位在此处不适用；写法如 %s", text, like)
	case r.Low > r.High:
		return r, language.Errorf("%q ends before it begins: write the lower end first", "%q 的下限大于上限：请先写下限", text)
	case r.Low == 0 && math.IsInf(r.High, 1):
		return r, language.Errorf("%q holds whatever is measured: give an end that can be missed", "%q 对任何测得值都成立：请给出有约束的界限", text)
	}
	return r, nil
}

// suffixOf is the unit of a quantity that was read, as it was written.
func suffixOf(text string) string {
	return quantity().FindStringSubmatch(strings.TrimSpace(text))[2]
}

// ParseArrivals reads a rate of arrivals, such as 10000/s.
func ParseArrivals(text string) (int64, error) {
	v, unit, _, ok := measured(text)
	if !ok || unit != PerSecond || v < 1 || v != math.Trunc(v) || v > 1e9 {
		return 0, language.Errorf("%q is no rate of arrivals; write a whole number, as 10000/s", "%q 不是到达速率；请写整数，如 10000/s", text)
	}
	return int64(v), nil
}
