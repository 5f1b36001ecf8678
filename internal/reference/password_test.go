package reference

import (
	"bytes"
	"crypto/pbkdf2"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash"
	"math/big"
	"testing"

	"github.com/emmansun/gmsm/sm3"
	"golang.org/x/crypto/argon2"
	"golang.org/x/crypto/bcrypt"
	"golang.org/x/crypto/scrypt"
)

func TestPBKDF2RFC7914(t *testing.T) { // §11, the first
	equal(t, "PBKDF2", PBKDF2SHA256([]byte("passwd"), []byte("salt"), 1, 64), unhex(t,
		`55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc
		49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783`))
}

func TestScryptRFC7914(t *testing.T) { // §12
	equal(t, "scrypt", Scrypt(nil, nil, 16, 1, 1, 64), unhex(t,
		`77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442
		fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906`))
	equal(t, "scrypt", Scrypt([]byte("password"), []byte("NaCl"), 1024, 8, 16, 64), unhex(t,
		`fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162
		2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640`))
}

func TestArgon2idRFC9106(t *testing.T) { // §5.3
	a := Argon2id{Password: bytes.Repeat([]byte{1}, 32), Salt: bytes.Repeat([]byte{2}, 16), Secret: bytes.Repeat([]byte{3}, 8),
		Data: bytes.Repeat([]byte{4}, 12), Passes: 3, Memory: 32, Lanes: 4, Size: 32}
	equal(t, "Argon2id", a.Tag(), unhex(t, "0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659"))
}

// The strings are of crypt_blowfish's and of the Go authors' tests.
func TestBcryptStrings(t *testing.T) {
	letters := base64.NewEncoding("./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789").WithPadding(base64.NoPadding)
	for password, want := range map[string]string{
		"U*U":     "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
		"":        "$2a$05$CCCCCCCCCCCCCCCCCCCCC.7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy",
		"allmine": "$2a$10$XajjQvNhvvRt5GSeFk1xFeyqRrsxkhBkUiQeg0dt.wU1qD4aFDcga",
	} {
		var cost int
		if _, err := fmt.Sscanf(want, "$2a$%d", &cost); err != nil {
			t.Fatal(err)
		}
		salt, err := letters.DecodeString(want[7:29])
		if err != nil {
			t.Fatal(err)
		}
		if got := Bcrypt([]byte(password), salt, cost); got != want {
			t.Errorf("%q: %s, want %s", password, got, want)
		}
	}
}

// TestPasswordHashesAgainstLibraries: what the vectors leave out, such as other lengths and more passes over memory.
func TestPasswordHashesAgainstLibraries(t *testing.T) {
	password, salt := []byte("a password of more than the sixty-four bytes that a block of the hash has, to be hashed"), []byte("0123456789abcdef")
	for _, n := range []int{1, 2, 31} {
		for name, h := range map[string]struct {
			ours   func(password, salt []byte, iterations, n int) []byte
			theirs func() hash.Hash
		}{"SHA-256": {PBKDF2SHA256, sha256.New}, "SM3": {PBKDF2SM3, sm3.New}} {
			for _, length := range []int{31, 32, 33, 64, 65, len(password)} {
				want, err := pbkdf2.Key(h.theirs, string(password[:length]), salt, n, 5*n+31)
				if err != nil {
					t.Fatal(err)
				}
				equal(t, name, h.ours(password[:length], salt, n, 5*n+31), want)
			}
		}
		want, err := scrypt.Key(password, salt, 256, n, 1+n%3, 40)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "scrypt", Scrypt(password, salt, 256, n, 1+n%3, 40), want)
	}
	for _, a := range []Argon2id{{Passes: 1, Memory: 8, Lanes: 1, Size: 32}, {Passes: 2, Memory: 1031, Lanes: 1, Size: 64},
		{Passes: 3, Memory: 2000, Lanes: 3, Size: 65}, {Passes: 1, Memory: 4096, Lanes: 2, Size: 200}} {
		a.Password, a.Salt = password, salt
		equal(t, fmt.Sprint(a), a.Tag(), argon2.IDKey(password, salt, uint32(a.Passes), uint32(a.Memory), uint8(a.Lanes), uint32(a.Size)))
	}
	for _, length := range []int{0, 1, 71} {
		stored := Bcrypt(password[:length], salt, 4)
		if err := bcrypt.CompareHashAndPassword([]byte(stored), password[:length]); err != nil {
			t.Errorf("a password of %d bytes: %v", length, err)
		}
	}
}

// TestBlowfishTableIsPi by Machin's formula, π/4 = 4·arctan 1/5 − arctan 1/239.
func TestBlowfishTableIsPi(t *testing.T) {
	const words, guard = 18 + 4*256, 128
	one := new(big.Int).Lsh(big.NewInt(1), words*32+guard)
	arctan := func(of int64) *big.Int {
		sum, power, square := new(big.Int), new(big.Int).Quo(one, big.NewInt(of)), big.NewInt(of*of)
		for n := int64(1); power.Sign() > 0; n += 2 {
			term := new(big.Int).Quo(power, big.NewInt(n))
			if n%4 == 3 {
				term.Neg(term)
			}
			sum.Add(sum, term)
			power.Quo(power, square)
		}
		return sum
	}
	pi := new(big.Int).Sub(new(big.Int).Mul(big.NewInt(16), arctan(5)), new(big.Int).Mul(big.NewInt(4), arctan(239)))
	fraction := pi.Sub(pi, new(big.Int).Mul(one, big.NewInt(3)))
	want := fraction.Rsh(fraction, guard).FillBytes(make([]byte, 4*words))
	b := blowfishPi()
	var got []byte
	for _, w := range b.p {
		got = binary.BigEndian.AppendUint32(got, w)
	}
	for _, s := range b.s {
		for _, w := range s {
			got = binary.BigEndian.AppendUint32(got, w)
		}
	}
	equal(t, "π", got, want)
}

func BenchmarkPasswordHashes(b *testing.B) {
	salt := make([]byte, 16)
	for name, f := range map[string]func(){
		"bcrypt 10":           func() { Bcrypt(salt[:8], salt, 10) },
		"scrypt 2^14":         func() { Scrypt(salt, salt, 1<<14, 8, 1, 32) },
		"Argon2id 16 MiB":     func() { Argon2id{Password: salt, Salt: salt, Passes: 1, Memory: 16 << 10, Lanes: 1, Size: 32}.Tag() },
		"PBKDF2-SHA-256 100k": func() { PBKDF2SHA256(salt, salt, 100_000, 32) },
		"PBKDF2-SM3 100k":     func() { PBKDF2SM3(salt, salt, 100_000, 32) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				f()
			}
		})
	}
}
