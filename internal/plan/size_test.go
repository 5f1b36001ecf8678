package plan

import (
	"math/big"
	"strings"
	"testing"
)

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int64{
		"1": 1, "64": 64, "0064": 64, "64B": 64, "64 b": 64, " 64 ": 64, "+64": 64,
		"10KB": 10_000, "10kb": 10_000, "10KiB": 10_240, "10kib": 10_240, "10 KiB": 10_240,
		"1MB": 1_000_000, "1MiB": 1 << 20, "1GB": 1_000_000_000, "1GiB": 1 << 30,
		"1.5KiB": 1536, "0.5KB": 500, ".5KB": 500, "1e3": 1000, "1e3KB": 1_000_000,
		"1.001KB": 1001, "0.000123MB": 123, "1000000000000000000000e-18": 1000, // exact, where floats are not
		"1073741823": MaxSize - 1, "1073741824": MaxSize,
	} {
		if got, err := ParseSize(text); got != want || err != nil {
			t.Errorf("ParseSize(%q) = %d, %v; want %d", text, got, err, want)
		}
	}
	for text, says := range map[string]string{
		"0": "from 1 byte", "-1": "from 1 byte", "-1KiB": "from 1 byte", "0KB": "from 1 byte", "0.9": "from 1 byte",
		"1073741825": "to 1GiB", "2GiB": "to 1GiB", "1e30": "to 1GiB", "1e999999999": "to 1GiB", "1e-999999999": "from 1 byte",
		"1.5": "whole", "1.0001KB": "whole", "0.3KiB": "whole", "1.00000000000000000000001": "whole",
		"": "number of bytes", " ": "number of bytes", "KiB": "number of bytes", "abc": "number of bytes", "1KiB2": "number of bytes",
		"0x10": "number of bytes", "0x1p4": "number of bytes", "1_000": "number of bytes", "1/2": "number of bytes", "1,5KB": "number of bytes",
		"NaN": "number of bytes", "inf": "number of bytes", "1KBB": "number of bytes", "1TB": "to 1GiB", "1PB": "to 1GiB", "9EiB": "to 1GiB", "1ZB": "number of bytes", "１": "number of bytes",
	} {
		if got, err := ParseSize(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("ParseSize(%q) = %d, %v; want an error that says %q", text, got, err, says)
		}
	}
}

func TestParseTotal(t *testing.T) {
	for text, want := range map[string]int64{"1MiB": 1 << 20, "8GiB": 8 << 30, "1.5TB": 1_500_000_000_000, "16TiB": 16 << 40} {
		if got, err := ParseTotal(text); got != want || err != nil {
			t.Errorf("ParseTotal(%q) = %d, %v; want %d", text, got, err, want)
		}
	}
	for text, says := range map[string]string{"0": "from 1MiB to 16TiB", "1MB": "from 1MiB", "17TiB": "to 16TiB", "-1GiB": "from 1MiB",
		"1e40": "to 16TiB", "much": "number of bytes", "": "number of bytes"} {
		if got, err := ParseTotal(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("ParseTotal(%q) = %d, %v; want an error that says %q", text, got, err, says)
		}
	}
}

// FuzzParseSize holds what was read against exact arithmetic.
func FuzzParseSize(f *testing.F) {
	for _, text := range []string{"10KB", "10KiB", "1.001KB", "1e30", "-0", "1e-400", "0x1p-2", "1e+3 kb", "\u00a01", "9999999999999999999999GiB"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := ParseSize(text)
		if err != nil {
			if got != 0 || strings.Contains(err.Error(), "\n") {
				t.Fatalf("ParseSize(%q) = %d, %q", text, got, err)
			}
			return
		}
		if got < 1 || got > MaxSize {
			t.Fatalf("ParseSize(%q) = %d", text, got)
		}
		number, factor := strings.ToLower(strings.TrimSpace(text)), int64(1)
		for _, u := range sizeUnits {
			if rest, ok := strings.CutSuffix(number, u.suffix); ok {
				number, factor = strings.TrimSpace(rest), u.factor
				break
			}
		}
		exact, ok := new(big.Rat).SetString(number)
		if !ok || exact.Mul(exact, big.NewRat(factor, 1)).Cmp(big.NewRat(got, 1)) != 0 {
			t.Fatalf("ParseSize(%q) = %d, exactly %v", text, got, exact)
		}
	})
}
