package reference

import (
	"bytes"
	"crypto/mlkem"
	"crypto/rand"
	"crypto/sha3"
	"testing"

	"github.com/emmansun/gmsm/mldsa"
	gmkem "github.com/emmansun/gmsm/mlkem"
)

func random(t *testing.T, n int) []byte {
	t.Helper()
	b := make([]byte, n)
	if _, err := rand.Read(b); err != nil {
		t.Fatal(err)
	}
	return b
}

func TestShake(t *testing.T) {
	for _, n := range []int{0, 1, 135, 136, 137, 168, 500} {
		in := random(t, n)
		for _, test := range []struct {
			got  *sponge
			want *sha3.SHAKE
		}{{shake128(in[:n/3], in[n/3:]), sha3.NewSHAKE128()}, {shake256(in), sha3.NewSHAKE256()}} {
			test.want.Write(in)
			for _, out := range []int{1, 40, 167, 300} {
				want := make([]byte, out)
				test.want.Read(want)
				if !bytes.Equal(test.got.squeeze(out), want) {
					t.Errorf("%d bytes in, %d bytes out: wrong", n, out)
				}
			}
		}
		if want := sha3.Sum512(in); !bytes.Equal(sha3of512(in), want[:]) {
			t.Errorf("SHA3-512 of %d bytes", n)
		}
	}
}

// TestMLKEMAgainstLibraries: two libraries that were written apart from each other agree with the reference.
func TestMLKEMAgainstLibraries(t *testing.T) {
	for range 4 {
		seed := random(t, 64)
		std, err := mlkem.NewDecapsulationKey768(seed)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(MLKEM768().Public(seed), std.EncapsulationKey().Bytes()) {
			t.Fatal("the encapsulation key of ML-KEM-768 is wrong")
		}
		theirs, ciphertext := std.EncapsulationKey().Encapsulate()
		ours, err := MLKEM768().Decapsulate(seed, ciphertext)
		if err != nil || !bytes.Equal(ours, theirs) {
			t.Fatalf("decapsulated %x, want %x; %v", ours, theirs, err)
		}
		ours, ciphertext, err = MLKEM768().Encapsulate(std.EncapsulationKey().Bytes(), random(t, 32))
		if err != nil {
			t.Fatal(err)
		}
		if theirs, err = std.Decapsulate(ciphertext); err != nil || !bytes.Equal(ours, theirs) {
			t.Fatalf("encapsulated %x, they have %x; %v", ours, theirs, err)
		}
		ciphertext[7] ^= 1
		theirs, _ = std.Decapsulate(ciphertext)
		if ours, _ = MLKEM768().Decapsulate(seed, ciphertext); !bytes.Equal(ours, theirs) {
			t.Error("what is rejected gives another secret")
		}

		other, err := gmkem.NewDecapsulationKeyFromSeed1024(seed)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(MLKEM1024().Public(seed), other.EncapsulationKey().Bytes()) {
			t.Fatal("the encapsulation key of ML-KEM-1024 is wrong")
		}
		theirs, ciphertext, err = other.EncapsulationKey().Encapsulate(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		if ours, err = MLKEM1024().Decapsulate(seed, ciphertext); err != nil || !bytes.Equal(ours, theirs) {
			t.Fatalf("1024: decapsulated %x, want %x; %v", ours, theirs, err)
		}
	}
}

func TestMLKEMRefuses(t *testing.T) {
	m := MLKEM768()
	public := m.Public(random(t, 64))
	if _, _, err := m.Encapsulate(public[1:], random(t, 32)); err == nil {
		t.Error("a short key is taken")
	}
	public[0], public[1] = 0xff, 0xff
	if _, _, err := m.Encapsulate(public, random(t, 32)); err == nil {
		t.Error("a coefficient out of range is taken")
	}
	if _, err := m.Decapsulate(random(t, 64), make([]byte, 3)); err == nil {
		t.Error("a short ciphertext is taken")
	}
}

// TestMLDSAAgainstGmsm: the library verifies what the reference signs, and the other way round.
func TestMLDSAAgainstGmsm(t *testing.T) {
	for range 3 {
		seed, msg := random(t, 32), random(t, 40)
		k44, err := mldsa.NewKey44(seed)
		if err != nil {
			t.Fatal(err)
		}
		public := k44.Public().(*mldsa.PublicKey44)
		if !bytes.Equal(MLDSA44().Public(seed), public.Bytes()) {
			t.Fatal("the public key of ML-DSA-44 is wrong")
		}
		signature := MLDSA44().Sign(seed, msg, nil, random(t, 32))
		if !public.VerifyWithOptions(signature, msg, nil) {
			t.Error("ML-DSA-44: gmsm refuses the reference's signature")
		}
		theirs, err := k44.Sign(rand.Reader, msg, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := MLDSA44().Verify(public.Bytes(), msg, nil, theirs); err != nil {
			t.Errorf("ML-DSA-44: %v", err)
		}
		inContext := MLDSA44().Sign(seed, msg, []byte("context"), random(t, 32))
		if !public.VerifyWithOptions(inContext, msg, &mldsa.Options{Context: []byte("context")}) || MLDSA44().Verify(public.Bytes(), msg, nil, inContext) == nil {
			t.Error("ML-DSA-44: the context is not signed")
		}
		tampered(t, MLDSA44(), public.Bytes(), msg, signature)

		k65, err := mldsa.NewKey65(seed)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(MLDSA65().Public(seed), k65.Public().(*mldsa.PublicKey65).Bytes()) {
			t.Fatal("the public key of ML-DSA-65 is wrong")
		}
		if signature = MLDSA65().Sign(seed, msg, nil, make([]byte, 32)); !k65.Public().(*mldsa.PublicKey65).VerifyWithOptions(signature, msg, nil) {
			t.Error("ML-DSA-65: gmsm refuses the reference's signature")
		}
		if theirs, err = k65.Sign(bytes.NewReader(make([]byte, 32)), msg, nil); err != nil || !bytes.Equal(signature, theirs) {
			t.Errorf("ML-DSA-65: the deterministic signatures differ; %v", err)
		}
		tampered(t, MLDSA65(), MLDSA65().Public(seed), msg, signature)
	}
}

func tampered(t *testing.T, m MLDSA, public, msg, signature []byte) {
	t.Helper()
	if err := m.Verify(public, msg, nil, signature); err != nil {
		t.Errorf("its own signature: %v", err)
	}
	for _, at := range []int{0, 40, len(signature) / 2, len(signature) - m.omega, len(signature) - 1} {
		changed := bytes.Clone(signature)
		changed[at] ^= 0x20
		if m.Verify(public, msg, nil, changed) == nil {
			t.Errorf("a signature changed at %d is accepted", at)
		}
	}
	if m.Verify(public, append(bytes.Clone(msg), 0), nil, signature) == nil || m.Verify(public, msg, nil, signature[1:]) == nil {
		t.Error("another message, or a short signature, is accepted")
	}
}
