//go:build linux && (amd64 || arm64)

package botan

import (
	"encoding/asn1"
	"math/big"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// sm2Ciphertext is that of GM/T 0009-2012 §7.2, which Botan writes; the judge's is
// C1‖C3‖C2 of GB/T 32918.4.
type sm2Ciphertext struct {
	X, Y   *big.Int
	C3, C2 []byte
}

const coordinate, digestSize = 32, 32

func toDER(raw []byte) []byte {
	x, y := raw[1:1+coordinate], raw[1+coordinate:1+2*coordinate]
	rest := raw[1+2*coordinate:]
	der, err := asn1.Marshal(sm2Ciphertext{new(big.Int).SetBytes(x), new(big.Int).SetBytes(y), rest[:digestSize], rest[digestSize:]})
	if err != nil {
		panic("botan: internal error: " + err.Error()) // numbers and bytes can always be written
	}
	return der
}

func acceptDER(got []byte, accept func([]byte) error) error {
	var s sm2Ciphertext
	rest, err := asn1.Unmarshal(got, &s)
	if err != nil || len(rest) > 0 || !isCoordinate(s.X) || !isCoordinate(s.Y) {
		return reason.New("sm2-der")
	}
	point := append([]byte{4}, make([]byte, 2*coordinate)...)
	s.X.FillBytes(point[1 : 1+coordinate])
	s.Y.FillBytes(point[1+coordinate:])
	return accept(slices.Concat(point, s.C3, s.C2))
}

func isCoordinate(n *big.Int) bool { return n != nil && n.Sign() >= 0 && n.BitLen() <= 8*coordinate }
