package judge

import (
	"crypto/pbkdf2"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"hash"

	"github.com/emmansun/gmsm/sm3"
	"golang.org/x/crypto/argon2"
	"golang.org/x/crypto/scrypt"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/password"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/reference"
	"github.com/cryptogauge/cryptogauge/result"
)

func passwordMessage(c result.Case) (result.Case, error) {
	keys := map[algorithm.Name][]parameter.Key{ // all of which a scheme must have
		algorithm.Argon2id:     {parameter.M, parameter.P, parameter.T},
		algorithm.Scrypt:       {parameter.N, parameter.P, parameter.R},
		algorithm.Bcrypt:       {parameter.Cost},
		algorithm.PBKDF2SHA256: {parameter.Iterations},
		algorithm.PBKDF2SM3:    {parameter.Iterations},
	}[c.Algorithm]
	if c.Operation != algorithm.Login || c.Mode != "" || c.Bytes != 0 {
		return c, provider.Unsupported("no-judge-operation", c.Operation, c.Name())
	}
	if !parameter.Are(c.Parameters, keys...) || parameter.Beyond(c.Parameters, keys...) != "" {
		return c, provider.Unsupported("parameters", c.Name(), fmt.Sprint(keys), c.Parameters)
	}
	if n := parameter.N.In(c.Parameters); n&(n-1) != 0 {
		return c, provider.Unsupported("parameters", c.Name(), "n=2^k", c.Parameters)
	}
	return c, nil
}

// passwordVector draws a password of 16 letters and digits and a salt; Digest is what is stored.
func (j *Judge) passwordVector(c result.Case) (*provider.Vector, error) {
	const letters = 16
	label := fmt.Sprintf("password/%q/%q", c.Algorithm, c.Parameters)
	v := &provider.Vector{Plaintext: []byte(base64.RawURLEncoding.EncodeToString(j.bytes(label, letters))[:letters]),
		Nonce: j.random(label, password.SaltBytes)}
	if c.Algorithm == algorithm.Bcrypt {
		v.Signature = []byte(reference.Bcrypt(v.Plaintext, v.Nonce, parameter.Cost.Least))
	}
	fill := func(stored func(result.Case, *provider.Vector) ([]byte, error)) func() error {
		return func() (err error) { v.Digest, err = stored(c, v); return err }
	}
	return v, j.prove(c, v, fill(candidateStored), fill(judgedStored))
}

func judgedStored(c result.Case, v *provider.Vector) ([]byte, error) {
	p := c.Parameters
	switch c.Algorithm {
	case algorithm.Argon2id:
		return reference.Argon2id{Password: v.Plaintext, Salt: v.Nonce, Passes: int(parameter.T.In(p)), Memory: int(parameter.M.In(p)),
			Lanes: parameter.P.In(p), Size: password.KeyBytes}.Tag(), nil
	case algorithm.Scrypt:
		return reference.Scrypt(v.Plaintext, v.Nonce, int(parameter.N.In(p)), parameter.R.In(p), parameter.P.In(p), password.KeyBytes), nil
	case algorithm.Bcrypt:
		return []byte(reference.Bcrypt(v.Plaintext, v.Nonce, parameter.Cost.In(p))), nil
	case algorithm.PBKDF2SHA256:
		return reference.PBKDF2SHA256(v.Plaintext, v.Nonce, int(parameter.Iterations.In(p)), password.KeyBytes), nil
	}
	return reference.PBKDF2SM3(v.Plaintext, v.Nonce, int(parameter.Iterations.In(p)), password.KeyBytes), nil
}

// candidateStored is quick, by libraries that are themselves under test. Of bcrypt there is none that takes a salt.
func candidateStored(c result.Case, v *provider.Vector) ([]byte, error) {
	p := c.Parameters
	stretched := func(h func() hash.Hash) ([]byte, error) {
		return pbkdf2.Key(h, string(v.Plaintext), v.Nonce, int(parameter.Iterations.In(p)), password.KeyBytes)
	}
	switch c.Algorithm {
	case algorithm.Argon2id:
		return argon2.IDKey(v.Plaintext, v.Nonce, uint32(parameter.T.In(p)), uint32(parameter.M.In(p)), uint8(parameter.P.In(p)), password.KeyBytes), nil
	case algorithm.Scrypt:
		return scrypt.Key(v.Plaintext, v.Nonce, int(parameter.N.In(p)), parameter.R.In(p), parameter.P.In(p), password.KeyBytes)
	case algorithm.PBKDF2SHA256:
		return stretched(sha256.New)
	case algorithm.PBKDF2SM3:
		return stretched(sm3.New)
	}
	return nil, reason.New("no-fast", c.Name())
}
