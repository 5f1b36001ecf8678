//go:build linux && (amd64 || arm64)

package botan

import (
	"cmp"
	"runtime"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/cbinding"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// creation names the call that makes a key.
//
//	int botan_privkey_create(botan_privkey_t *key, const char *algo_name, const char *algo_params, botan_rng_t rng)
func creation(x *cbinding.Caller, name algorithm.Name) (function string, args []uintptr) {
	kind := keyKindOf(name)
	args = []uintptr{call.Word(x.At), x.Text(kind.create), x.Text(kind.parameters), random(x.Session)}
	return "botan_privkey_create", args
}

func generate(x *cbinding.Caller, name algorithm.Name) func() (*cbinding.KeyPair, error) {
	create, args := creation(x, name)
	return func() (*cbinding.KeyPair, error) { return x.Pair(freeKey, create, args...) }
}

// openGeneration makes a key in each call. The one before is destroyed in the same time.
func openGeneration(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	x := s.Caller(0)
	create, args := creation(x, c.Algorithm)
	s.Make(freeKey, create, args[1:]...) // one that refuses does so now
	if s.Err != nil {
		return nil, s.Refused(c.Name())
	}
	var last uintptr
	free := func() error {
		if last == 0 {
			return nil
		}
		defer func() { last = 0 }()
		return x.Try(freeKey, last)
	}
	s.Own(free)
	return s.With(loop.NewGenerate(func() (key uintptr, err error) {
		if err = free(); err == nil {
			last, err = x.Object(create, args...)
		}
		return last, err
	}, func(key uintptr) error {
		private, public, err := halves(s.Library, c.Algorithm, key)
		if err != nil {
			return err
		}
		return v.Accept(slices.Concat(private, public))
	})), nil
}

// askDraws is the generation of RSA keys.
//
//	int botan_privkey_rsa_get_privkey(botan_privkey_t key, uint8_t out[], size_t *out_len, uint32_t flags)
func askDraws(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Scenario, error) {
	const longestKey = 1 << 13
	x := s.Caller(longestKey)
	return s.Draws(c, v, generate(x, c.Algorithm), func(k *cbinding.KeyPair) ([]byte, error) {
		der, err := x.Output("botan_privkey_rsa_get_privkey", k.Handle, x.Out, x.Size, 0)
		return der, cmp.Or(err, s.Outputs.Check())
	})
}

// longestSent is longer than what any curve sends or agrees on.
const longestSent = 256

func openExchange(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	x, derived := s.Caller(longestSent), s.Room(provider.SessionBytes)
	raw, hkdf, info := s.Text("Raw"), s.Text("HKDF(SHA-256)"), s.Text(provider.SessionInfo)
	steps := cbinding.Steps{Generate: generate(x, c.Algorithm)}
	steps.Read = func(private []byte) (*cbinding.KeyPair, error) {
		return s.ReadPair(freeKey, func(s *cbinding.Session) uintptr { return privateKey(s, c, private, nil) })
	}
	steps.Private = func(k *cbinding.KeyPair) ([]byte, error) {
		private, _, err := halves(s.Library, c.Algorithm, k.Handle)
		return private, err
	}
	//	int botan_pk_op_key_agreement_export_public(botan_privkey_t key, uint8_t out[], size_t *out_len)
	steps.Public = func(k *cbinding.KeyPair) ([]byte, error) {
		public, err := x.Output("botan_pk_op_key_agreement_export_public", k.Handle, x.Out, x.Size)
		return slices.Clone(public), err
	}
	steps.Agree = func(k *cbinding.KeyPair, reply []byte) ([]byte, error) {
		op, err := x.Object("botan_pk_op_key_agreement_create", call.Word(x.At), k.Handle, raw, 0)
		if err != nil {
			return nil, err
		}
		secret, err := x.Output("botan_pk_op_key_agreement", op, x.Out, x.Size, call.Bytes(reply), uintptr(len(reply)), 0, 0)
		return slices.Clone(secret), cmp.Or(err, x.Try("botan_pk_op_key_agreement_destroy", op))
	}
	e := steps.Exchange()
	e.Derive = func(secret []byte) ([]byte, error) { // HKDF with SHA-256 as sessions have it
		err := x.Try("botan_kdf", hkdf, call.Bytes(derived), uintptr(len(derived)),
			call.Bytes(secret), uintptr(len(secret)), 0, 0,
			info, uintptr(len(provider.SessionInfo)))
		runtime.KeepAlive(secret)
		return slices.Clone(derived), err
	}
	return s.Exchange(c, v, e)
}
