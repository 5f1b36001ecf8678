package loop

import (
	"crypto"
	"crypto/rand"

	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// What works with key pairs returns memory of the library's own. The caller
// chooses the buffer for what goes in alone, and that is short.

// SignCollector is the collector scenario of signing.
func SignCollector(c result.Case, s crypto.Signer, opts crypto.SignerOpts, v *provider.Vector) (provider.Scenario, error) {
	return NewCollector(c, Collected{
		In:    v.Signed,
		Call:  func(_, in []byte) ([]byte, error) { return s.Sign(rand.Reader, in, opts) },
		Check: v.Accept,
	})
}

// DecryptCollector is the collector scenario of decryption with a private key.
func DecryptCollector(c result.Case, d crypto.Decrypter, opts crypto.DecrypterOpts, v *provider.Vector) (provider.Scenario, error) {
	return NewCollector(c, Collected{
		In:    v.Ciphertext,
		Call:  func(_, in []byte) ([]byte, error) { return d.Decrypt(rand.Reader, in, opts) },
		Check: func(got []byte) error { return compare(got, v.Plaintext, 0) },
	})
}

// AgreeCollector is the collector scenario of agreeing on a secret with a peer
// whose public key has just come in, and is read and checked by agree.
func AgreeCollector(c result.Case, agree func(peer []byte) ([]byte, error), v *provider.Vector) (provider.Scenario, error) {
	return NewCollector(c, Collected{
		In:    v.Peer,
		Call:  func(_, in []byte) ([]byte, error) { return agree(in) },
		Check: func(got []byte) error { return compare(got, v.Secret, 0) },
	})
}
