package reference

import (
	"crypto/elliptic"
	"math/big"
	"testing"
)

func sameInt(t testing.TB, what string, got, want *big.Int) {
	t.Helper()
	if got == nil || want == nil {
		if got != want {
			t.Errorf("%s: got %v, want %v", what, got, want)
		}
		return
	}
	if got.Cmp(want) != 0 {
		t.Errorf("%s:\n got %x\nwant %x", what, got, want)
	}
}

// scalarOf maps any bytes to [1, most].
func scalarOf(b []byte, most *big.Int) *big.Int {
	k := new(big.Int).SetBytes(b)
	return k.Mod(k, most).Add(k, big.NewInt(1))
}

// curveAgrees compares parameters, and multiples of points at the ends of the scalars and between. Go's generic
// arithmetic, which CurveParams gives, is a third implementation beside the library's own.
func curveAgrees(t *testing.T, c *Curve, theirs elliptic.Curve) {
	t.Helper()
	p := theirs.Params()
	for _, v := range []struct {
		name      string
		got, want *big.Int
	}{{"p", c.P, p.P}, {"b", c.B, p.B}, {"n", c.N, p.N}, {"Gx", c.Gx, p.Gx}, {"Gy", c.Gy, p.Gy}} {
		sameInt(t, v.name, v.got, v.want)
	}
	src := newSource("curve " + c.Name)
	px, py := c.ScalarBaseMult(big.NewInt(7))
	for i := range 60 {
		k := big.NewInt(int64(i))
		switch {
		case i >= 40:
			k.SetBytes(src.bytes(c.FieldSize())).Mod(k, c.N)
		case i >= 20:
			k.Sub(c.N, big.NewInt(int64(i-19)))
		}
		x, y := c.ScalarMult(px, py, k)
		if k.Sign() == 0 {
			sameInt(t, "0·P", x, nil)
			continue
		}
		if err := c.CheckPoint(x, y); err != nil {
			t.Fatalf("%x·P: %v", k, err)
		}
		//lint:ignore SA1019 the judge's arithmetic is compared, not used
		wantX, wantY := theirs.ScalarMult(px, py, k.Bytes())
		sameInt(t, "x of k·P", x, wantX)
		sameInt(t, "y of k·P", y, wantY)
		px, py = x, y
	}
}

func TestNISTCurvesAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	curveAgrees(t, P256(), elliptic.P256())
	curveAgrees(t, P384(), elliptic.P384())
}

func TestGroupLaw(t *testing.T) {
	for _, c := range []*Curve{P256(), P384(), SM2Curve()} {
		if err := c.CheckPoint(c.Gx, c.Gy); err != nil || !c.P.ProbablyPrime(20) || !c.N.ProbablyPrime(20) {
			t.Errorf("%s: base point %v, or a parameter is not prime", c.Name, err)
		}
		if x, _ := c.ScalarBaseMult(c.N); x != nil {
			t.Errorf("%s: n·G is not infinity", c.Name)
		}
		x, y := c.ScalarBaseMult(new(big.Int).Add(c.N, big.NewInt(1)))
		sameInt(t, "(n+1)·G", x, c.Gx)
		sameInt(t, "(n+1)·G", y, c.Gy)
		x.SetInt64(0) // a result is the caller's own
		if err := c.CheckPoint(c.Gx, c.Gy); err != nil {
			t.Error(err)
		}
		mustPanic(t, "off the curve", func() { c.ScalarMult(big.NewInt(1), big.NewInt(1), big.NewInt(2)) })
	}
}
