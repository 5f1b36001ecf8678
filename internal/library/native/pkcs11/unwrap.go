//go:build linux && (amd64 || arm64) && cgo

package pkcs11

import (
	"crypto"
	"crypto/rand"
	"io"

	p11 "github.com/miekg/pkcs11"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// unwrapper does what a service does at its start, once it is logged in: it opens a session, finds the key that wraps
// its own, has the token unwrap that, and closes the session.
//
// The key that wraps is an object of the session that stays open around it, and so of no longer life than the
// operation; other sessions of the process see it (PKCS #11 v2.40, section 2.6).
type unwrapper struct {
	*session
	id     []byte // CKA_ID of the key that wraps
	unwrap func(*session, p11.ObjectHandle, []byte) ([]byte, error)
}

// unwrapping prepares a case of unwrapping, under a key that is imported.
func (s *session) unwrapping(c result.Case, v *provider.Vector) (provider.Operation, error) {
	mechanism, err := mechanismOf(c), error(nil)
	u := unwrapper{session: s, id: make([]byte, 16)}
	_, _ = rand.Read(u.id) // never fails
	id := p11.NewAttribute(p11.CKA_ID, u.id)
	if c.Mode == algorithm.KeyWrap {
		u.unwrap = keyUnwrapping
		_, err = s.secret(v.Key, id, p11.NewAttribute(p11.CKA_UNWRAP, true))
	} else {
		u.unwrap = func(s *session, key p11.ObjectHandle, wrapped []byte) ([]byte, error) {
			return s.do(decrypt, mechanism, key, wrapped)
		}
		_, v, err = s.receiver(c, v, id)
	}
	if err != nil {
		return nil, err
	}
	if _, err := u.Decrypt(nil, v.Ciphertext, nil); err != nil {
		return nil, err // a token that lacks the mechanism says so when it is first used
	}
	s.unwraps = true
	return loop.NewPrivateDecrypt(u, nil, loop.RefusesTampering, v), nil
}

func (unwrapper) Public() crypto.PublicKey { return nil }

func (u unwrapper) Decrypt(_ io.Reader, wrapped []byte, _ crypto.DecrypterOpts) (key []byte, err error) {
	s, err := u.token.open()
	if err != nil {
		return nil, err
	}
	defer func() {
		if closing := s.module.CloseSession(s.handle); closing != nil && err == nil {
			key, err = nil, failed("C_CloseSession", closing)
		}
	}()
	handle, err := s.find(u.id)
	if err != nil {
		return nil, err
	}
	return u.unwrap(s, handle, wrapped)
}

// find finds the key of an identifier.
func (s *session) find(id []byte) (p11.ObjectHandle, error) {
	if err := s.module.FindObjectsInit(s.handle, []*p11.Attribute{p11.NewAttribute(p11.CKA_ID, id)}); err != nil {
		return 0, refused("C_FindObjectsInit", err)
	}
	found, _, err := s.module.FindObjects(s.handle, 1)
	if err != nil {
		return 0, refused("C_FindObjects", err)
	}
	if err := s.module.FindObjectsFinal(s.handle); err != nil {
		return 0, refused("C_FindObjectsFinal", err)
	}
	if len(found) == 0 {
		return 0, provider.Unsupported("pkcs11-unseen")
	}
	return found[0], nil
}

// keyUnwrapping makes the wrapped key an object of the token, and reads it from there.
func keyUnwrapping(s *session, key p11.ObjectHandle, wrapped []byte) ([]byte, error) {
	made, err := s.module.UnwrapKey(s.handle, []*p11.Mechanism{p11.NewMechanism(p11.CKM_AES_KEY_WRAP, nil)}, key, wrapped, []*p11.Attribute{
		p11.NewAttribute(p11.CKA_CLASS, p11.CKO_SECRET_KEY), p11.NewAttribute(p11.CKA_KEY_TYPE, p11.CKK_AES),
		p11.NewAttribute(p11.CKA_TOKEN, false), p11.NewAttribute(p11.CKA_PRIVATE, true),
		p11.NewAttribute(p11.CKA_SENSITIVE, false), p11.NewAttribute(p11.CKA_EXTRACTABLE, true)})
	if err != nil {
		return nil, refused("C_UnwrapKey", err)
	}
	value, err := s.module.GetAttributeValue(s.handle, made, []*p11.Attribute{p11.NewAttribute(p11.CKA_VALUE, nil)})
	if err != nil {
		return nil, refused("C_GetAttributeValue", err)
	}
	if len(value) != 1 {
		return nil, reason.New("wrong")
	}
	return value[0].Value, nil
}

// unwrapped tells, beside what an unwrapping takes, how long it took to log in.
type unwrapped struct{ ended }

func (u unwrapped) Record() (r result.Record, err error) {
	r.Metrics = []result.Metric{{Name: "login_ns", Value: float64(u.session.login), Unit: "ns"}}
	return r, nil
}
