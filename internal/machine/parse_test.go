package machine

import (
	"math"
	"slices"
	"testing"
)

func TestParseList(t *testing.T) {
	for text, want := range map[string][]int{
		"":          nil,
		"0":         {0},
		"0-3":       {0, 1, 2, 3},
		"0-1,8":     {0, 1, 8},
		"3,1,1-2":   {1, 2, 3},
		"3-1":       nil,
		"-1":        nil,
		"a":         nil,
		"1,":        nil,
		"0-9999999": nil,
	} {
		if got := parseList(text); !slices.Equal(got, want) {
			t.Errorf("parseList(%q) = %v, want %v", text, got, want)
		}
	}
	for _, text := range []string{"", "0", "0-3", "0-1,8", "1,3,5-6"} {
		if got := formatList(parseList(text)); got != text {
			t.Errorf("%q comes back as %q", text, got)
		}
	}
}

func TestBinarySize(t *testing.T) {
	for text, want := range map[string]int64{
		"":                      0,
		"48K":                   48 << 10,
		"64M":                   64 << 20,
		"1G":                    1 << 30,
		"24684092 kB":           24684092 << 10,
		"7":                     7,
		"-1":                    0,
		"K":                     0,
		"9223372036854775807":   math.MaxInt64,
		"9223372036854775807 G": 0,
		"9999999999999999999":   0,
	} {
		if got := binarySize(text); got != want {
			t.Errorf("binarySize(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestCounterText(t *testing.T) {
	for text, want := range map[string]int64{
		"nr_throttled 7":                       7,
		"nr_periods 1\nnr_throttled 12\nx 3\n": 12,
		"not_nr_throttled 5\nnr_throttled 6":   6,
		"nr_throttled_more 5":                  -1,
		"nr_throttled ":                        -1,
		"nr_throttled -3":                      -1,
		"nr_throttled 9999999999999999999":     -1,
		"":                                     -1,
	} {
		got, ok := counter([]byte(text))
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("counter(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestUnescape(t *testing.T) {
	for text, want := range map[string]string{
		`/a\040b`:   "/a b",
		`/a\134b`:   `/a\b`,
		`/plain`:    "/plain",
		`\04`:       `\04`,
		`\999`:      `\999`,
		`x\011\012`: "x\t\n",
	} {
		if got := unescape(text); got != want {
			t.Errorf("unescape(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestSlug(t *testing.T) {
	for text, want := range map[string]string{
		"":                     "unknown",
		"®":                    "unknown",
		"Intel(R) Xeon(R) CPU": "intel.r.xeon.r.cpu",
		"part 0xd03 + FTC662":  "part.0xd03.ftc662",
		"0123456789012345678901234567890123456789more": "0123456789012345678901234567890123456789",
	} {
		if got := slug(text); got != want {
			t.Errorf("slug(%q) = %q, want %q", text, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("0-3,8")
	f.Add("12:cpu,cpuacct:/a/../..\n0::/x")
	f.Add("31 23 0:28 /r /p\\040 rw - cgroup cgroup rw,cpu")
	f.Fuzz(func(t *testing.T, text string) {
		if list := parseList(text); !slices.IsSorted(list) || !slices.Equal(parseList(formatList(list)), list) {
			t.Errorf("parseList(%q) = %v", text, list)
		}
		if n := binarySize(text); n < 0 {
			t.Errorf("binarySize(%q) = %d", text, n)
		}
		unescape(text)
		fsys := oneFileForAll(text)
		ReadFrom(fsys, program("amd64"))
		ReadStateFrom(fsys)
	})
}
