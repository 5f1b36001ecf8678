package plan

import (
	"errors"
	"math/big"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
)

// MaxSize is the longest message that an experiment takes, in bytes.
const MaxSize = 1 << 30

var sizeUnits = []struct {
	suffix string
	factor int64
}{
	{"kib", 1 << 10}, {"mib", 1 << 20}, {"gib", 1 << 30}, {"tib", 1 << 40}, {"pib", 1 << 50}, {"eib", 1 << 60},
	{"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9}, {"tb", 1e12}, {"pb", 1e15}, {"eb", 1e18}, {"b", 1},
}

// ParseSize reads a message size: a number of bytes with an optional unit. 10KB
// is 10,000 bytes, 10KiB is 10,240.
func ParseSize(text string) (int64, error) {
	return parseBytes(text, 1, MaxSize,
		language.Errorf("size %q: give a size from 1 byte to 1GiB", "大小 %q：请给出 1 字节至 1GiB 的大小", text))
}

func ParseChunk(text string) (int64, error) {
	return parseBytes(text, parameter.MinChunk, parameter.MaxChunk,
		language.Errorf("chunk %q: give a size from 1KiB to 64MiB", "分块 %q：请给出 1KiB 至 64MiB 的大小", text))
}

func ParseTotal(text string) (int64, error) {
	return parseBytes(text, 1<<20, 16<<40,
		language.Errorf("total %q: give from 1MiB to 16TiB in all", "总量 %q：请给出 1MiB 至 16TiB 的总量", text))
}

// ParseMemory reads how much memory a login may take.
func ParseMemory(text string) (int64, error) {
	n, err := parseBytes(text, 1<<20, 1<<40,
		language.Errorf("memory %q: give from 1MiB to 1TiB", "内存 %q：请给出 1MiB 至 1TiB", text))
	if err != nil {
		return 0, language.Errorf("--memory: %w", "--memory：%s", err)
	}
	return n, nil
}

// parseBytes reads a number of bytes from least to most; what is outside is refused
// with that error.
func parseBytes(text string, least, most int64, outside error) (int64, error) {
	number, factor := strings.ToLower(strings.TrimSpace(text)), int64(1)
	for _, u := range sizeUnits {
		if rest, ok := strings.CutSuffix(number, u.suffix); ok {
			number, factor = strings.TrimSpace(rest), u.factor
			break
		}
	}
	nonsense := language.Errorf("size %q: give a number of bytes such as 64, 1KiB (1024) or 10KB (10000)",
		"大小 %q：请给出字节数，例如 64、1KiB（1024）或 10KB（10000）", text)
	// The float finds nonsense and bounds the exponent, after which exact
	// arithmetic is cheap: 1.001 × 1000 is no whole number in floats.
	v, err := strconv.ParseFloat(number, 64)
	if strings.ContainsAny(number, "xpn_") || err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, nonsense
	}
	if about := v * float64(factor); about < 0.5 || about > 2*float64(most) {
		return 0, outside
	}
	exact, ok := new(big.Rat).SetString(number)
	if !ok {
		return 0, nonsense
	}
	exact.Mul(exact, new(big.Rat).SetInt64(factor))
	switch {
	case exact.Cmp(big.NewRat(least, 1)) < 0 || exact.Cmp(big.NewRat(most, 1)) > 0:
		return 0, outside
	case !exact.IsInt():
		return 0, language.Errorf("size %q: it is not a whole number of bytes", "大小 %q：不是整数个字节", text)
	}
	return exact.Num().Int64(), nil
}
