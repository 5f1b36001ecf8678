package main

import (
	"os"
	"testing"
)

// The counts are what the design says: two sets of 64 blocks in 32 rounds of 22 instructions, and two
// conversions of 32 registers each.
func TestCounts(t *testing.T) {
	assembly, err := os.ReadFile("../../avx512_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range kernels {
		got, err := k.Count(string(assembly))
		if err != nil || got["Load"] == 0 {
			t.Errorf("%s: %v, %v", k.Name, got, err)
		}
		if want := 2*32*8 + 2*32; k.Name == "wideECB" && got["GFNI"] != want {
			t.Errorf("%d GFNI instructions a turn of ECB, want %d", got["GFNI"], want)
		}
		if want := 2*32*14 + 2*(4+4+16); k.Name == "wideECB" && got["Logic"] != want {
			t.Errorf("%d logic instructions a turn of ECB, want %d", got["Logic"], want)
		}
	}
}
