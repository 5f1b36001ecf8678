//go:build linux && (amd64 || arm64)

package binding

import (
	"encoding/asn1"
	"math/big"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// sm2Ciphertext is that of GM/T 0009-2012 §7.2, which libraries in C write; the judge's is
// C1‖C3‖C2 of GB/T 32918.4.
type sm2Ciphertext struct {
	X, Y   *big.Int
	C3, C2 []byte
}

const coordinate, digestSize = 32, 32

// SM2ToDER writes a ciphertext of the judge's as libraries in C read it.
func SM2ToDER(raw []byte) []byte {
	x, y, rest := raw[1:1+coordinate], raw[1+coordinate:1+2*coordinate], raw[1+2*coordinate:]
	der, err := asn1.Marshal(sm2Ciphertext{new(big.Int).SetBytes(x), new(big.Int).SetBytes(y),
		rest[:digestSize], rest[digestSize:]})
	if err != nil {
		panic("binding: internal error: " + err.Error()) // numbers and bytes can always be written
	}
	return der
}

// SM2FromDER is the other way round.
func SM2FromDER(der []byte) ([]byte, error) {
	var s sm2Ciphertext
	rest, err := asn1.Unmarshal(der, &s)
	if err != nil || len(rest) > 0 || !isCoordinate(s.X) || !isCoordinate(s.Y) {
		return nil, reason.New("sm2-der")
	}
	point := append([]byte{4}, make([]byte, 2*coordinate)...)
	s.X.FillBytes(point[1 : 1+coordinate])
	s.Y.FillBytes(point[1+coordinate:])
	return slices.Concat(point, s.C3, s.C2), nil
}

func isCoordinate(n *big.Int) bool { return n != nil && n.Sign() >= 0 && n.BitLen() <= 8*coordinate }

// sm2Accept lets the judge accept a ciphertext that a library in C wrote.
func sm2Accept(accept func([]byte) error) func([]byte) error {
	return func(der []byte) error {
		raw, err := SM2FromDER(der)
		if err != nil {
			return err
		}
		return accept(raw)
	}
}
