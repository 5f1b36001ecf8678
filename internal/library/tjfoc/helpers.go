package tjfoc

import (
	"slices"
	"strings"

	"github.com/tjfoc/gmsm/sm4"

	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// helpers are Sm4Ecb, Sm4Cbc, Sm4CFB, Sm4OFB and Sm4GCM. Each schedules the key
// in the call and returns a new buffer; all but the last pad always and take the
// IV from a variable of the package.
type helpers struct{ vectors provider.Vectors }

func (h helpers) Subject() result.Subject {
	s := library{}.Subject()
	s.Implementation = "helpers"
	return s
}

// The helpers' argument mode.
const encrypting, decrypting = true, false

type helperFunc func(key, in []byte, mode bool) ([]byte, error)

func padded(mode string) (helperFunc, bool) {
	switch mode {
	case "ECB":
		return sm4.Sm4Ecb, true
	case "CBC":
		return sm4.Sm4Cbc, true
	case "CFB":
		return sm4.Sm4CFB, true
	case "OFB":
		return sm4.Sm4OFB, true
	}
	return nil, false
}

func (h helpers) Open(c result.Case) (provider.Operation, error) {
	if err := offersHelper(c); err != nil {
		return nil, err
	}
	if err := allowed(c); err != nil {
		return nil, err
	}
	if c.Mode == "GCM" {
		return h.openCollectorM(c)
	}
	return h.openPadded(c)
}

func offersHelper(c result.Case) error {
	if err := offers(c); err != nil {
		return err
	}
	if c.Parameters != "" {
		return provider.Absent("parameters", c.Name(), "–", c.Parameters)
	}
	_, pads := padded(c.Mode)
	switch c.Operation {
	case "init+encrypt+pad", "init+decrypt+unpad":
		if pads {
			return nil
		}
		return provider.Absent("not-offered", "tjfoc", c.Name()+" "+c.Parameters)
	case "init+encrypt", "init+decrypt":
		if c.Mode == "GCM" {
			return nil
		}
		return provider.Absent("not-offered", "tjfoc", c.Name())
	}
	return provider.Absent("not-offered", "tjfoc", c.Operation)
}

func (h helpers) openPadded(c result.Case) (provider.Operation, error) {
	call, _ := padded(c.Mode)
	v, err := h.vectors.Vector(c)
	if err != nil {
		return nil, err
	}
	mode := strings.HasPrefix(c.Operation, "init+encrypt")
	helper := loop.Helper{
		Call: func(in []byte) ([]byte, error) { return call(v.Key, in, mode) },
		In:   v.Plaintext, Want: v.Ciphertext,
	}
	if !mode {
		helper.In, helper.Want = v.Ciphertext, v.Plaintext
	}
	// The helpers append their padding to the input: without spare capacity that
	// makes a copy, with it they would write behind what the caller passed.
	helper.In = slices.Clip(helper.In)
	if c.Mode != "ECB" {
		// The IV is a variable of the package: another operation may have set its own.
		helper.Before = func() error { return sm4.SetIV(v.Nonce) }
		if err := helper.Before(); err != nil {
			return nil, err
		}
	}
	return loop.NewHelper(helper), nil
}

const gcmTag = 16

// openCollectorM opens a case of Sm4GCM, which never comes out right: GHASH's last block
// holds the lengths in bytes where SP 800-38D §6.4 has bits, so the tag is wrong
// for every message that is not empty; and decryption returns the tag that it
// computed with the plaintext, compares it with nothing, and has no error to give;
// and a plaintext of partial blocks comes with garbage at its end.
func (h helpers) openCollectorM(c result.Case) (provider.Operation, error) {
	v, err := h.vectors.Vector(c)
	if err != nil {
		return nil, err
	}
	nonce := slices.Clip(v.Nonce) // it is appended to
	open := func(sealed []byte) ([]byte, error) {
		if len(sealed) < gcmTag {
			return nil, reason.New("shorter-than-tag")
		}
		// Not clipped: it reads a partial last block as a whole one, into the tag
		// here, and panics where the capacity ends before.
		body := sealed[:len(sealed)-gcmTag]
		plaintext, _, err := sm4.Sm4GCM(v.Key, nonce, body, v.AAD, decrypting)
		return plaintext, err
	}
	helper := loop.Helper{
		Call: open, In: v.Ciphertext, Want: v.Plaintext,
		Sealed: v.Ciphertext, SealedTag: gcmTag,
		Open: func(sealed []byte) error { _, err := open(sealed); return err },
	}
	if c.Operation == "init+encrypt" {
		helper.In, helper.Want, helper.Tag = v.Plaintext, v.Ciphertext, gcmTag
		helper.Call = func(in []byte) ([]byte, error) {
			ciphertext, tag, err := sm4.Sm4GCM(v.Key, nonce, in, v.AAD, encrypting)
			return append(ciphertext, tag...), err
		}
	}
	return loop.NewHelper(helper), nil
}

func (helpers) ConstantTime(result.Case) result.ConstantTime { return constantTime() }

func (helpers) Note(c result.Case) string {
	if c.Mode == "GCM" {
		return "schedules the key in the call, returns new buffers, and leaves the tag to the caller to compare"
	}
	return "schedules the key in the call, always pads, returns a new buffer; the IV is a variable of the package"
}
