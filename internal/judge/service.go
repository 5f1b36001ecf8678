package judge

import (
	"bytes"
	"fmt"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/service"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reference"
	"github.com/cryptogauge/cryptogauge/result"
)

// A service's vector holds the body that every right answer has, and the keys of a handshake's or those that
// bodies are sealed and signed with. Nonces and most signatures are drawn by who makes them, so that no body that
// is sealed could be compared; package opening says how they are judged.

func serviceMessage(c result.Case) (result.Case, error) {
	s, ok := service.ShapeOf(c)
	if !ok {
		return c, provider.Unsupported("no-keys", c.Name()+" "+c.Operation+" "+c.Parameters)
	}
	shared := result.Case{Algorithm: c.Algorithm, Mode: s.Payload, Operation: c.Operation, Bytes: c.Bytes}
	if s.Protection == algorithm.ByTLCP {
		shared.Mode = s.Protection
	}
	if s.Download {
		shared.Operation, shared.Bytes = algorithm.Serve, service.PieceBytes
	}
	return shared, nil
}

func (j *Judge) serviceVector(c result.Case) (v *provider.Vector, err error) {
	switch c.Mode {
	case "":
		v, err = j.handshakeVector(result.Case{Mode: algorithm.ECDSA256})
	case algorithm.ByTLCP:
		v, err = j.doubleVector()
	default:
		v, err = j.payloadVector(c.Mode)
	}
	if err == nil {
		v.Plaintext = j.document(int(c.Bytes))
	}
	return v, err
}

// doubleVector has keys of SM2: a root's as Key, and as Static those of a server's two certificates.
func (j *Judge) doubleVector() (*provider.Vector, error) {
	var keys [3][]byte
	for i := range keys {
		k, err := j.curveKey(fmt.Sprintf("service/%s/%d", algorithm.ByTLCP, i), reference.SM2Curve(), oidSM2Curve)
		if err != nil {
			return nil, err
		}
		keys[i] = k.scalar
	}
	return &provider.Vector{Key: keys[0], Static: [2][]byte{keys[1], keys[2]}}, nil
}

// payloadVector has the key that seals as Key, and the one that signs as PKCS8 or, of SM2, as Static.
func (j *Judge) payloadVector(mode algorithm.Mode) (*provider.Vector, error) {
	cipher, signer, _ := algorithm.PayloadParts(mode)
	v := &provider.Vector{Key: j.bytes("key/service/"+cipher, algorithm.Of(cipher).Key)}
	if signer == "" {
		return v, nil
	}
	k, err := j.signer(signer, "service")
	if err != nil {
		return nil, err
	}
	v.PKCS8, v.Static[0] = k.pkcs8, k.scalar
	return v, nil
}

// document is one of JSON, so long: records of accounts, and blanks after them; of few bytes it is a number.
func (j *Judge) document(n int) []byte {
	const token, shortest = 8, 50 // bytes of a token, and what a record takes at least
	drawn := j.bytes(fmt.Sprintf("service/%d", n), token*(n/shortest+1))
	text := make([]byte, 0, n)
	for i := 0; ; i++ {
		record := fmt.Sprintf(`,{"account":%d,"state":"open","token":"%x"}`, 10_000_000+i, drawn[token*i:][:token])
		if len(text)+len(record)+1 > n {
			break
		}
		text = append(text, record...)
	}
	if len(text) == 0 {
		return bytes.Repeat([]byte("7"), n)
	}
	text[0] = '['
	text = append(text, ']')
	return append(text, bytes.Repeat([]byte(" "), n-len(text))...)
}
