package suite

import (
	"slices"
	"testing"

	"github.com/cryptogauge/cryptogauge/result"
)

// TestStockNames: where there are no modes the operations stand, once each, and
// what makes a cipher for a mode is no offer of its own.
func TestStockNames(t *testing.T) {
	var stock []Stock
	for _, c := range []result.Case{
		{Algorithm: "SM2", Operation: "sign"}, {Algorithm: "SM2", Operation: "verify"}, {Algorithm: "SM2", Operation: "sign"},
		{Algorithm: "SM4", Mode: "GCM", Operation: "encrypt"}, {Algorithm: "SM4", Mode: "GCM", Operation: "decrypt"},
		{Algorithm: "SM4", Mode: "GCM", Operation: "new"}, {Algorithm: "SM4", Mode: "GCM", Operation: "new+encrypt"},
		{Algorithm: "SM4", Operation: "schedule"},
	} {
		stock = add(stock, result.Subject{Library: "gmsm"}, c, "k", "built in")
	}
	if len(stock) != 2 || !slices.Equal(stock[0].Modes, []string{"sign", "verify"}) || !slices.Equal(stock[1].Modes, []string{"GCM", "schedule"}) {
		t.Errorf("%+v", stock)
	}
}
