package batch

import (
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

const messages, keys, size = 70, 7, 48

// fixed hands out one vector for every case.
type fixed struct{ v *provider.Vector }

func (f fixed) Vector(result.Case) (*provider.Vector, error) { return f.v, nil }

// mac is by crypto/hmac; that it is right is not what is tested here.
func mac(key, message []byte) []byte {
	m := hmac.New(sha256.New, key)
	m.Write(message)
	return m.Sum(nil)
}

func material() *provider.Vector {
	v := &provider.Vector{Plaintext: make([]byte, messages*size), Key: make([]byte, keys*KeySize)}
	for i := range v.Plaintext {
		v.Plaintext[i] = byte(i*i>>7 ^ i/size)
	}
	for i := range v.Key {
		v.Key[i] = byte(i * i >> 5)
	}
	for i := range messages {
		v.Digest = append(v.Digest, mac(v.Key[i%keys*KeySize:][:KeySize], v.Plaintext[i*size:][:size])...)
	}
	return v
}

func theCase(way parameter.Manner) result.Case {
	s := Shape{Bytes: messages * size, Messages: messages, Keys: keys, Way: way}
	return result.Case{Algorithm: "HMAC-SHA-256", Operation: algorithm.MACMany, Bytes: s.Bytes, Parameters: s.Parameters()}
}

func allowed(result.Case) error { return nil }

// Whatever goes wrong with one of the messages is found, and a sentence says which.
func TestPlantedErrorsAreFound(t *testing.T) {
	right := func(b Batch, i int) []byte { return mac(b.Keys[b.Key(i)], b.Messages[i]) }
	for want, plant := range map[string]func(b Batch, macs [][MACSize]byte, i int){
		"": func(b Batch, macs [][MACSize]byte, i int) { copy(macs[i][:], right(b, i)) },
		"of 70 digests 1 are wrong; the first, of message 41, is wrong": func(b Batch, macs [][MACSize]byte, i int) {
			if copy(macs[i][:], right(b, i)); i == 40 {
				macs[i][31] ^= 1
			}
		},
		"of 70 digests 1 are wrong; the first, of message 1, is wrong": func(b Batch, macs [][MACSize]byte, i int) {
			if i > 0 {
				copy(macs[i][:], right(b, i))
			}
		},
		"of 70 digests 10 are wrong; the first, of message 3, is wrong": func(b Batch, macs [][MACSize]byte, i int) {
			key := b.Key(i)
			if key == 2 {
				key = 3 // a neighbour's
			}
			copy(macs[i][:], mac(b.Keys[key], b.Messages[i]))
		},
	} {
		maker := func(b Batch) func([][MACSize]byte) {
			return func(macs [][MACSize]byte) {
				for i := range macs {
					plant(b, macs, i)
				}
			}
		}
		op, err := Open(theCase(parameter.Kept), fixed{material()}, map[parameter.Manner]Maker{parameter.Kept: maker}, allowed)
		if err != nil {
			t.Fatal(err)
		}
		if op.Check() == nil {
			t.Error("a check before any run passes")
		}
		if err := op.Run(2); err != nil {
			t.Fatal(err)
		}
		if got := op.Check(); fmt.Sprint(got) != want && (got != nil || want != "") {
			t.Errorf("%v, want %q", got, want)
		}
		if op.Check() == nil {
			t.Error("a run is checked twice")
		}
		if err := op.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestShapes(t *testing.T) {
	for parameters, bytes := range map[string]int64{
		"keys=1,messages=7,way=new": 100, "keys=8,messages=7,way=new": 70, "messages=7,way=new": 70, "keys=1,way=new": 70,
		"keys=1,messages=7": 70, "keys=1,messages=7,way=sum": 70, "keys=1,messages=7,way=kept,workers=3": 70, "": 64,
	} {
		c := result.Case{Algorithm: "HMAC-SM3", Operation: algorithm.MACMany, Bytes: bytes, Parameters: parameters}
		if _, err := ShapeOf(c); !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, provider.ErrAbsent) {
			t.Errorf("%q of %d bytes: %v", parameters, bytes, err)
		}
		if Note(c) != "" {
			t.Errorf("%q has a note", parameters)
		}
	}
	c := theCase(parameter.Lanes)
	if got := Note(c); !strings.HasPrefix(got, "one call authenticates 70 messages of 48 bytes under 7 keys of 32; ") {
		t.Error(got)
	}
	if m, err := Material(c); err != nil || m.Parameters != "keys=7,messages=70" {
		t.Errorf("%+v, %v", m, err)
	}
	if _, err := Open(c, fixed{material()}, nil, allowed); !errors.Is(err, provider.ErrAbsent) {
		t.Errorf("a way that is not offered: %v", err)
	}
	refused := errors.New("not allowed")
	none := map[parameter.Manner]Maker{parameter.Lanes: func(Batch) func([][MACSize]byte) { return nil }}
	if _, err := Open(c, fixed{material()}, none, func(result.Case) error { return refused }); !errors.Is(err, refused) {
		t.Errorf("a policy: %v", err)
	}
}

// Of texts that are encrypted, too, whatever goes wrong with one is found.
func TestPlantedErrorsInTextsAreFound(t *testing.T) {
	s := Shape{Bytes: messages * size, Messages: messages, Keys: keys, Way: parameter.Kept}
	c := result.Case{Algorithm: algorithm.SM4, Mode: algorithm.GCM, Operation: algorithm.EncryptMany, Bytes: s.Bytes, Parameters: s.Parameters()}
	v, err := NewVector(c, func(n int) []byte { return make([]byte, n) })
	if err != nil {
		t.Fatal(err)
	}
	for i := range v.Ciphertext {
		v.Ciphertext[i] = byte(i * i >> 3)
	}
	right, err := TextsOf(c, v)
	if err != nil {
		t.Fatal(err)
	}
	for want, plant := range map[string]func(out []byte, i int){
		"": func([]byte, int) {},
		"of 70 ciphertexts 1 are wrong, the first that of message 42": func(out []byte, i int) {
			if i == 41 {
				out[size+15] ^= 1
			}
		},
		"of 70 ciphertexts 69 are wrong, the first that of message 2": func(out []byte, i int) { out[0] ^= byte(min(i, 1)) },
	} {
		maker := func(t Texts) (func(), error) {
			return func() {
				for i, out := range t.Out {
					copy(out, right.Out[i])
					plant(out, i)
				}
			}, nil
		}
		op, err := OpenTexts(c, fixed{v}, map[parameter.Manner]TextMaker{parameter.Kept: maker}, allowed)
		if err != nil {
			t.Fatal(err)
		}
		if op.Check() == nil {
			t.Error("a check before any run passes")
		}
		if err := op.Run(2); err != nil {
			t.Fatal(err)
		}
		if got := op.Check(); fmt.Sprint(got) != want && (got != nil || want != "") {
			t.Errorf("%v, want %q", got, want)
		}
		if op.Check() == nil {
			t.Error("a run is checked twice")
		}
	}
	if got := Note(c); got != "one call encrypts 70 messages of 48 bytes under 7 keys of 16; the keys are made ready before, one message after the other" {
		t.Error(got)
	}
	if _, err := OpenTexts(c, fixed{v}, nil, allowed); !errors.Is(err, provider.ErrAbsent) {
		t.Errorf("a way that is not offered: %v", err)
	}
}
