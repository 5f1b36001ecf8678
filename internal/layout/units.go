package layout

import (
	"math"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// The functions of this file print quantities as people read them: three
// significant figures and SI prefixes (1 kB is 1000 B, 1 KiB is 1024 B). They are
// the same in every language.

// FormatTime prints a time given in nanoseconds: "840 ns", "1.27 µs", "2.50 s".
func FormatTime(ns float64) string { return FormatSI(ns, "ns", "µs", "ms", "s") }

// FormatRate prints a rate given in bytes per second: "97.3 MB/s", "1.17 GB/s".
func FormatRate(bytesPerSecond float64) string {
	return FormatSI(bytesPerSecond, "B/s", "kB/s", "MB/s", "GB/s", "TB/s")
}

// FormatRange prints an interval as show prints its ends, with a dash between and the unit once where both have the
// same: "1.20–1.31 ms", "4–6 %".
func FormatRange(low, high float64, dash string, show func(float64) string) string {
	l, h := show(low), show(high)
	if number, unit, ok := strings.Cut(l, " "); ok && strings.HasSuffix(h, " "+unit) {
		l = number
	}
	return l + dash + h
}

func FormatSI(x float64, units ...string) string {
	unit := units[0]
	for _, next := range units[1:] {
		if math.Abs(x) < 999.5 { // 999.5 is printed as 1000
			break
		}
		x, unit = x/1000, next
	}
	return FormatNumber(x) + " " + unit
}

// FormatSize prints a count of bytes exactly: "64 B", "16 KiB", "10 kB".
func FormatSize(bytes int64) string { return language.FormatSize(bytes) }

// FormatShare prints a share in percent, to two figures: "0.21 %".
func FormatShare(x float64) string {
	if x == 0 {
		return "0 %"
	}
	return Fixed(100*x, 9.95, 0.995) + " %"
}

// Fixed prints a number with a decimal more below each of some falling bounds.
func Fixed(x float64, bounds ...float64) string {
	decimals := 0
	for decimals < len(bounds) && !(math.Abs(x) >= bounds[decimals]) {
		decimals++
	}
	return strconv.FormatFloat(x, 'f', decimals, 64)
}

// FormatRatio prints a ratio so that the half percent of the equivalence margin
// can be seen: "1.172", "14.2", "1370".
func FormatRatio(x float64) string {
	return Fixed(x, 99.95, 9.9995, 9.9995) // two decimals more below 10
}

// FormatThousands prints a whole number with its thousands set apart: "1,234,567".
func FormatThousands(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Counted is a number of things, with its thousands apart: "1 run", "1,234 runs".
func Counted(n int, word, zh string) Text {
	if n != 1 {
		word += "s"
	}
	return Say("%s "+word, "%s "+zh, FormatThousands(int64(n)))
}

// FormatNumber prints a number to three significant figures, without exponent
// where it is of a size that people count in.
func FormatNumber(x float64) string {
	a := math.Abs(x)
	switch {
	case a == 0:
		return "0"
	case a < 0.001 || a >= 1e7:
		return strconv.FormatFloat(x, 'g', 3, 64)
	}
	return Fixed(x, 99.95, 9.995, 0.9995)
}

// FormatCount prints a mean count, such as allocations per call: "0", "2", "2.03".
func FormatCount(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e15 {
		return strconv.FormatInt(int64(x), 10)
	}
	return FormatNumber(x)
}
