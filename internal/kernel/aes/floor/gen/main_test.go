package main

import (
	"os"
	"testing"
)

// The counts are FIPS 197's: 10 or 14 rounds for four blocks a register, and in GHASH three products for four blocks
// beside the reduction.
func TestCounts(t *testing.T) {
	assembly, err := os.ReadFile("../../avx512_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	const registers = 8 << 10 / 64
	for _, k := range kernels() {
		got, err := k.Count(string(assembly))
		if err != nil || got["Load"] == 0 {
			t.Errorf("%s: %v, %v", k.Counted(), got, err)
		}
		rounds := map[string]int{"wideCTR128": 10, "wideCTR256": 14, "wideSealBulk128": 10, "wideSealBulk256": 14}
		if want := rounds[k.Counted()] * registers; want > 0 && got["AES"] != want {
			t.Errorf("%s: %d rounds of a register in a turn, want %d", k.Counted(), got["AES"], want)
		}
		if hashes := k.Name == "wideGHASH" || k.Name == "wideSealBulk"; hashes && (got["Multiply"] < 3*registers || got["Multiply"] > 7*registers/2) {
			t.Errorf("%s: %d products in a turn, want 3 a register and some", k.Counted(), got["Multiply"])
		}
	}
}
