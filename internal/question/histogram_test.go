package question

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
)

func TestReadHistogram(t *testing.T) {
	for _, text := range []string{
		"bytes,weight\n64,60\n1350,30.5\n0,1e1\n",
		"bytes,weight\r\n64,60\r\n1350,30.5\r\n0,10\r\n",
		"\xef\xbb\xbfbytes,weight\n1350,30.5\n64,60\n0,10", // as spreadsheets write it; no line end at the end
		"\"bytes\",\"weight\"\n\"64\",\"60\"\n\n1350, 30.5\n 0 ,10\n",
		"bytes,weight\n64,20\n1350,30.5\n64,40\n0,10\n", // lines of a size add up
	} {
		got, err := plan.ReadHistogram("sizes.csv", strings.NewReader(text))
		want := []result.SizeShare{{Bytes: 0, Weight: 10}, {Bytes: 64, Weight: 60}, {Bytes: 1350, Weight: 30.5}}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q is read as %v, %v", text, got, err)
		}
	}
}

func TestReadHistogramRefuses(t *testing.T) {
	tooMany := "bytes,weight\n" + strings.Repeat("1,1\n", plan.MaxHistogramRows+1)
	for text, says := range map[string]string{
		"":                                          `sizes.csv is empty; give CSV with the header line "bytes,weight"`,
		"\xef\xbb\xbf":                              "sizes.csv is empty",
		"\n\n":                                      "sizes.csv is empty",
		"bytes,weight\n":                            "sizes.csv has no line of sizes",
		"64,60\n":                                   `sizes.csv:1: the first line must be "bytes,weight", and is "64,60"`,
		"weight,bytes\n1,1\n":                       "sizes.csv:1: the first line",
		"bytes;weight\n1;1\n":                       `sizes.csv:1: the first line must be "bytes,weight", and is "bytes;weight"`,
		"bytes,weight\n64\n":                        "sizes.csv:2: 1 fields; give 2",
		"bytes,weight\n64,1,2\n":                    "sizes.csv:2: 3 fields",
		"bytes,weight\n64,\n":                       `sizes.csv:2: weight "" is not a positive number`,
		"bytes,weight\n64,0\n":                      `sizes.csv:2: weight "0" is not`,
		"bytes,weight\n64,-1\n":                     `sizes.csv:2: weight "-1" is not`,
		"bytes,weight\n64,NaN\n":                    `sizes.csv:2: weight "NaN" is not`,
		"bytes,weight\n64,inf\n":                    `sizes.csv:2: weight "inf" is not`,
		"bytes,weight\n64,0x10\n":                   `sizes.csv:2: weight "0x10" is not`,
		"bytes,weight\n64,1e19\n":                   "sizes.csv:2: weight \"1e19\" is greater than 1e18",
		"bytes,weight\n1KiB,1\n":                    `sizes.csv:2: bytes "1KiB" is not a whole number from 0 to 1073741824`,
		"bytes,weight\n-1,1\n":                      `sizes.csv:2: bytes "-1"`,
		"bytes,weight\n1.5,1\n":                     `sizes.csv:2: bytes "1.5"`,
		"bytes,weight\n1e3,1\n":                     `sizes.csv:2: bytes "1e3"`,
		"bytes,weight\n,1\n":                        `sizes.csv:2: bytes ""`,
		"bytes,weight\n1073741825,1\n":              `sizes.csv:2: bytes "1073741825"`,
		"bytes,weight\n1,1\n\n2,2\n3,x\n":           `sizes.csv:5: weight "x" is not a positive number`,
		"bytes,weight\n1,1\n\"2,2\n":                "sizes.csv:3: ",
		"bytes,weight\n1,a\"b\n":                    "sizes.csv:2: ",
		"bytes,weight\n" + strings.Repeat("9", 500): "sizes.csv:2: 1 fields",
		"bytes,weight\n" + strings.Repeat("9", 500) + ",1": `bytes "9999999999999999999999999999999999999999…"`,
		tooMany:                        fmt.Sprintf("sizes.csv:%d: more than 100000 lines", plan.MaxHistogramRows+2),
		strings.Repeat("bytes", 4<<20): "at most 16 MiB",
	} {
		got, err := plan.ReadHistogram("sizes.csv", strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "\n") || got != nil {
			t.Errorf("%.60q: %v, want an error that says %q", text, err, says)
		}
	}
	broken := errors.New("planted")
	if _, err := plan.ReadHistogram("sizes.csv", iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("an unreadable file gives %v", err)
	}
}

// FuzzReadHistogram: whatever is read could be replayed, and whatever is not has
// an error of one line.
func FuzzReadHistogram(f *testing.F) {
	for _, text := range []string{"bytes,weight\n64,1\n", "\xef\xbb\xbfbytes,weight\r\n0,1e-300\r\n", "bytes,weight\n\"1\n\",2\n", "bytes,weight\n1,\"\n\"\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		shares, err := plan.ReadHistogram("f", strings.NewReader(text))
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Fatalf("%q: %q", text, err)
			}
			return
		}
		last := int64(-1)
		for _, s := range shares {
			if s.Bytes <= last || s.Bytes > plan.MaxSize || !(s.Weight > 0) {
				t.Fatalf("%q gives %v", text, shares)
			}
			last = s.Bytes
		}
		if len(shares) == 0 || !(plan.MeanSize(shares) >= 0) {
			t.Fatalf("%q gives %v", text, shares)
		}
	})
}

func TestReplay(t *testing.T) {
	mix := []result.SizeShare{{Bytes: 100, Weight: 1}, {Bytes: 2000, Weight: 1}}
	for _, test := range []struct {
		longest int64
		mix     []result.SizeShare
		says    string
	}{
		{0, nil, ""},
		{0, mix, "x measures fixed sizes and can't replay a histogram; these can: "},
		{1999, mix, "x replays messages of up to 1999 bytes, and the histogram has one of 2000"},
		{2000, mix, ""},
	} {
		err := plan.Experiment{Name: "x", LongestMixed: test.longest}.Replay(test.mix, All())
		if (err == nil) != (test.says == "") || err != nil && !strings.HasPrefix(err.Error(), test.says) {
			t.Errorf("up to %d bytes: %v", test.longest, err)
		}
	}
	if got := plan.MeanSize(mix); got != 1050 {
		t.Errorf("the mean is %v", got)
	}
}
