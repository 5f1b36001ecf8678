package loop

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// ML-KEM-768's sizes (FIPS 203, table 3), where the hybrid is cut, and X25519's.
const (
	seed768   = 64
	public768 = 1184
	reply768  = 1088
	curveSize = 32
)

// Hybrid is ML-KEM-768 and X25519 in this order, as TLS 1.3 has it
// (draft-ietf-tls-ecdhe-mlkem), put together of a library's two exchanges.
func Hybrid(kem, curve Exchange) Exchange {
	pair := func(first func() (PrivateHalf, error), second func() (PrivateHalf, error)) (PrivateHalf, error) {
		a, err := first()
		if err != nil {
			return nil, err
		}
		b, err := second()
		return hybridHalf{a, b}, err
	}
	return Exchange{
		Generate: func() (PrivateHalf, error) { return pair(kem.Generate, curve.Generate) },
		Read: func(private []byte) (PrivateHalf, error) {
			return pair(func() (PrivateHalf, error) { return kem.Read(private[:seed768]) },
				func() (PrivateHalf, error) { return curve.Read(private[seed768:]) })
		},
		Encapsulate: func(public []byte) (secret, reply []byte, err error) {
			if len(public) != public768+curveSize {
				return nil, nil, reason.New("public-length")
			}
			s1, r1, err := kem.Encapsulate(public[:public768])
			if err != nil {
				return nil, nil, err
			}
			s2, r2, err := curve.Encapsulate(public[public768:])
			return slices.Concat(s1, s2), slices.Concat(r1, r2), err
		},
		Derive: kem.Derive,
	}
}

type hybridHalf struct{ kem, curve PrivateHalf }

func (h hybridHalf) Private() []byte { return slices.Concat(h.kem.Private(), h.curve.Private()) }
func (h hybridHalf) Public() []byte  { return slices.Concat(h.kem.Public(), h.curve.Public()) }

func (h hybridHalf) Decapsulate(reply []byte) ([]byte, error) {
	if len(reply) != reply768+curveSize {
		return nil, reason.New("reply-length")
	}
	first, err := h.kem.Decapsulate(reply[:reply768])
	if err != nil {
		return nil, err
	}
	second, err := h.curve.Decapsulate(reply[reply768:])
	return slices.Concat(first, second), err
}
