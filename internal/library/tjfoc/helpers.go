package tjfoc

import (
	"slices"

	"github.com/tjfoc/gmsm/sm4"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/gobinding"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// helpers are Sm4Ecb, Sm4Cbc, Sm4CFB, Sm4OFB and Sm4GCM. Each schedules the key
// in the call and returns a new buffer; all but the last pad always and take the
// IV from a variable of the package.
func helpers() gobinding.Offer {
	return gobinding.Offer{
		Cases: gobinding.Join(
			padded(algorithm.ECB, sm4.Sm4Ecb), padded(algorithm.CBC, sm4.Sm4Cbc),
			padded(algorithm.CFB, sm4.Sm4CFB), padded(algorithm.OFB, sm4.Sm4OFB),
			gobinding.Cases{
				sm4Case(algorithm.GCM, algorithm.InitEncrypt): sealGCM,
				sm4Case(algorithm.GCM, algorithm.InitDecrypt): openGCM,
			}),
		Allowed: gobinding.Approved,
		Timing:  sboxTable,
		Note: gobinding.Notes{
			algorithm.GCM: "schedules the key in the call, returns new buffers, and leaves the tag to the caller to compare",
			"": "schedules the key in the call, always pads, returns a new buffer; " +
				"the IV is a variable of the package",
		}.Of,
	}
}

func sm4Case(mode algorithm.Mode, operation algorithm.Operation) result.Case {
	return result.Case{Algorithm: algorithm.SM4, Mode: mode, Operation: operation}
}

// The helpers' argument mode.
const encrypting, decrypting = true, false

func padded(mode algorithm.Mode, call func(key, in []byte, mode bool) ([]byte, error)) gobinding.Cases {
	open := func(v *provider.Vector, helper loop.Helper) (provider.Operation, error) {
		// The helpers append their padding to the input: without spare capacity that
		// makes a copy, with it they would write behind what the caller passed.
		helper.In = slices.Clip(helper.In)
		if mode != algorithm.ECB {
			// The IV is a variable of the package: another operation may have set its own.
			helper.Before = func() error { return sm4.SetIV(v.Nonce) }
			if err := helper.Before(); err != nil {
				return nil, err
			}
		}
		return loop.NewHelper(helper), nil
	}
	return gobinding.Cases{
		sm4Case(mode, algorithm.InitEncryptPad): func(v *provider.Vector) (provider.Operation, error) {
			return open(v, loop.Helper{In: v.Plaintext, Want: v.Ciphertext,
				Call: func(in []byte) ([]byte, error) { return call(v.Key, in, encrypting) }})
		},
		sm4Case(mode, algorithm.InitDecryptPad): func(v *provider.Vector) (provider.Operation, error) {
			return open(v, loop.Helper{In: v.Ciphertext, Want: v.Plaintext,
				Call: func(in []byte) ([]byte, error) { return call(v.Key, in, decrypting) }})
		},
	}
}

// Sm4GCM never comes out right: GHASH's last block holds the lengths in bytes where
// SP 800-38D §6.4 has bits, so the tag is wrong for every message that is not empty;
// and decryption returns the tag that it computed with the plaintext, compares it with
// nothing, and has no error to give; and a plaintext of partial blocks comes with
// garbage at its end.

func openGCM(v *provider.Vector) (provider.Operation, error) {
	return loop.NewHelper(loop.Helper{In: v.Ciphertext, Want: v.Plaintext,
		Call: openedGCM(v), Open: openedGCM(v), Sealed: v.Ciphertext}), nil
}

func sealGCM(v *provider.Vector) (provider.Operation, error) {
	nonce := slices.Clip(v.Nonce) // it is appended to
	return loop.NewHelper(loop.Helper{In: v.Plaintext, Want: v.Ciphertext, Tag: algorithm.TagBytes,
		Open: openedGCM(v), Sealed: v.Ciphertext,
		Call: func(in []byte) ([]byte, error) {
			ciphertext, tag, err := sm4.Sm4GCM(v.Key, nonce, in, v.AAD, encrypting)
			return append(ciphertext, tag...), err
		}}), nil
}

func openedGCM(v *provider.Vector) func(sealed []byte) ([]byte, error) {
	nonce := slices.Clip(v.Nonce)
	return func(sealed []byte) ([]byte, error) {
		if len(sealed) < algorithm.TagBytes {
			return nil, reason.New("shorter-than-tag")
		}
		// Not clipped: it reads a partial last block as a whole one, into the tag
		// here, and panics where the capacity ends before.
		plaintext, _, err := sm4.Sm4GCM(v.Key, nonce, sealed[:len(sealed)-algorithm.TagBytes], v.AAD, decrypting)
		return plaintext, err
	}
}
