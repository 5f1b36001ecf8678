package bound

import "testing"

// What keeps a ratio below its target is the first of the three that would.
func TestBy(t *testing.T) {
	for target, want := range map[float64]string{2: "met", 3: "the call", 5: "waiting", 9: "instructions"} {
		b := bound{floor: 10, kernel: 20, call: 40, other: 80}
		if got := b.by(target); got != want {
			t.Errorf("ratios of 2, by the kernel of 4 and at the floor of 8: %q keeps it below %v, want %q", got, target, want)
		}
	}
}

// The instructions of two loops are those of both for the same text.
func TestAdd(t *testing.T) {
	var b bound
	b.add(Loop{Counts: Counts{AES: 40, Load: 8}, Turn: 256})
	b.add(Loop{Counts: Counts{Multiply: 6, Load: 4}, Turn: 64})
	if want := (bound{aes: 2.5, multiply: 1.5, load: 1.5}); b != want {
		t.Errorf("%+v, want %+v", b, want)
	}
}
