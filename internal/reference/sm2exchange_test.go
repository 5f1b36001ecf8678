package reference

import (
	"bytes"
	"math/big"
	"testing"
)

// TestSM2Exchange is the example of GB/T 32918.5-2017, annex B.
func TestSM2Exchange(t *testing.T) {
	c := SM2Curve()
	party := func(d, r string, starting bool) (own, other SM2Party) {
		own = SM2Party{ID: []byte("1234567812345678"), D: hexInt(d), R: hexInt(r), Starting: starting}
		own.X, own.Y = c.ScalarBaseMult(own.D)
		own.RX, own.RY = c.ScalarBaseMult(own.R)
		other = own
		other.D, other.R = nil, nil
		return own, other
	}
	a, publicA := party("81eb26e941bb5af16df116495f90695272ae2cd63d6c4ae1678418be48230029",
		"d4de15474db74d06491c440d305e012400990f3e390c7e87153c12db2ea60bb3", true)
	b, publicB := party("785129917d45a9ea5437a59356b82338eaadda6ceb199088f14ae10defa229b5",
		"7e07124814b309489125eaed101113164ebf0f3458c5bd88335c1f9d596243d6", false)
	want := unhex(t, "6c89347354de2484c60b4ab1fde4c6e5")
	for _, side := range [][2]SM2Party{{a, publicB}, {b, publicA}} {
		got, err := SM2Exchange(side[0], side[1], len(want))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("starting %v: %x, want %x; %v", side[0].Starting, got, want, err)
		}
	}
	publicB.RX = new(big.Int).Add(publicB.RX, big.NewInt(1))
	if _, err := SM2Exchange(a, publicB, 16); err == nil {
		t.Error("a point that is not on the curve is taken")
	}
}
