//go:build amd64 && !purego

package sm4

import "testing"

// Every single bit that a kernel needs counts, the operating system's included.
func TestEveryFeatureCounts(t *testing.T) {
	for name, need := range map[string]registers{"avx2": needAVX2, "avx512": needAVX512} {
		if !need.cover(need) {
			t.Errorf("%s: a processor with exactly what is needed is refused", name)
		}
		for bit := range uint(32) {
			for word := range 4 {
				have := need
				part := []*uint32{&have.ecx1, &have.ebx7, &have.ecx7, &have.xcr0}[word]
				if *part&(1<<bit) == 0 {
					continue
				}
				*part &^= 1 << bit
				if have.cover(need) {
					t.Errorf("%s: bit %d of word %d is not looked at", name, bit, word)
				}
			}
		}
	}
}
