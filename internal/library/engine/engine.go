// Package engine measures our own SM4, package sm4, as any other library: in its
// own ECB and in the modes of crypto/cipher, and SM4-CBC with HMAC-SM3 put together
// with gmsm's SM3; our own AES, package aes, in the same ways; and our own hashing of
// many messages, package multibuffer. Each of their kernels is a subject.
package engine

import (
	"crypto/cipher"

	"github.com/emmansun/gmsm/sm3"

	"github.com/cryptogauge/cryptogauge/aes"
	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/batch"
	"github.com/cryptogauge/cryptogauge/internal/library/bulkhash"
	"github.com/cryptogauge/cryptogauge/internal/library/gobinding"
	"github.com/cryptogauge/cryptogauge/internal/library/service"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/multibuffer"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/sm4"
)

// Providers lists the kernels that this machine can run, fastest first, those of SM4
// before those of AES and those that hash. Where it can run none of SM4, gmsm does the
// engine's work, and that is the one subject; where it can run none of AES the standard
// library does, which is measured as itself.
func Providers(v provider.Vectors) (ps []provider.Provider) {
	names := sm4.Implementations()
	kernels := names[:len(names)-1] // the last is gmsm, which is measured as itself
	if len(kernels) == 0 {
		kernels = names
	}
	for _, name := range kernels {
		var offers []gobinding.Offer
		if name == names[0] {
			offers = append(offers, services())
		}
		if name == names[0] && name != subject.Gmsm {
			offers = append(offers, texts())
		}
		ps = append(ps, gobinding.New(kernel(name), v, append(offers, blockCipher(name))...))
	}
	names = aes.Implementations()
	for _, name := range names[:len(names)-1] {
		ps = append(ps, gobinding.New(kernel(name), v, blockCipherAES(name)))
	}
	return append(ps, hashers(v)...)
}

func kernel(implementation string) result.Subject {
	s := gobinding.Go(subject.Engine, "github.com/cryptogauge/cryptogauge")
	s.Implementation = implementation
	return s
}

func blockCipher(implementation string) gobinding.Offer {
	const own = "the engine's own mode, not crypto/cipher's"
	o := gobinding.BlockCipher(loop.BlockCipher{
		New:      func(key []byte) (cipher.Block, error) { return sm4.NewWith(key, implementation) },
		ECB:      ecb,
		Feedback: feedback,
		CCM:      func(b cipher.Block) (cipher.AEAD, error) { return b.(*sm4.Cipher).NewCCM(12, algorithm.TagBytes) },
		Hash:     sm3.New,
		MAC:      algorithm.HMACSM3,
		Allowed:  gobinding.Approved,
	}, "sm4.NewCipher", gobinding.Notes{
		algorithm.Schedule:   "sm4.NewCipher, for this kernel",
		algorithm.NewEncrypt: "sm4.NewCipher and cipher.NewGCM",
		algorithm.CFB:        own, algorithm.OFB: own, algorithm.CCM: own,
		algorithm.CBCHMACSM3: "put together: PKCS #7 padding, CBC, then HMAC with gmsm's SM3 over IV and ciphertext",
	}, algorithm.SM4)
	o.Timing = func(c result.Case) result.ConstantTime {
		switch {
		case implementation == subject.Gmsm:
			return reason.Timing("unknown", "gmsm-works")
		case c.Mode == algorithm.CBCHMACSM3:
			return reason.Timing("yes", "gfni-sm3")
		}
		return reason.Timing("yes", "gfni")
	}
	return o
}

// services are those of net/http whose answers the fastest kernel seals.
func services() gobinding.Offer {
	return gobinding.Services(service.Maker{
		Library: subject.Engine,
		Allowed: gobinding.Enforced(provider.Unsupported("fips-sm2-sm4")),
		Seal:    loop.GCM(sm4.NewCipher),
	}, algorithm.SM4GCM)
}

func ecb(b cipher.Block, d loop.Direction) cipher.BlockMode {
	c := b.(*sm4.Cipher)
	if d == loop.Decrypt {
		return c.NewECBDecrypter()
	}
	return c.NewECBEncrypter()
}

func feedback(mode string, d loop.Direction) func(b cipher.Block, iv []byte) cipher.Stream {
	return func(b cipher.Block, iv []byte) cipher.Stream {
		c := b.(*sm4.Cipher)
		switch {
		case mode == algorithm.OFB:
			return c.NewOFB(iv)
		case d == loop.Decrypt:
			return c.NewCFBDecrypter(iv)
		}
		return c.NewCFBEncrypter(iv)
	}
}

// hashers lists the kernels of package multibuffer that this machine can run, fastest
// first. Where it can run none the standard library and gmsm do the work, which are
// measured as themselves.
func hashers(v provider.Vectors) (ps []provider.Provider) {
	shared := new(bulkhash.Shared)
	for i, name := range multibuffer.Implementations() {
		h, err := multibuffer.NewWith(name)
		if err != nil || name == "serial" { // without lanes
			continue
		}
		var coalescer *multibuffer.Coalescer // which has the fastest kernel
		if i == 0 {
			coalescer = new(multibuffer.Coalescer)
		}
		offers := []gobinding.Offer{
			many(algorithm.MD5, shared, h.SumMD5, coalescer, (*multibuffer.Coalescer).SumMD5),
			many(algorithm.SM3, shared, h.SumSM3, coalescer, (*multibuffer.Coalescer).SumSM3),
			macs(algorithm.HMACSM3, h.NewHMACsSM3),
		}
		if name != "avx2" { // which leaves SHA-256 to the library
			offers = append(offers, many(algorithm.SHA256, shared, h.SumSHA256, nil, nil),
				macs(algorithm.HMACSHA256, h.NewHMACsSHA256))
		}
		ps = append(ps, gobinding.New(kernel(name), v, offers...))
	}
	return ps
}

// many hashes many messages: in lanes on one core, in lanes on several, or by calls of a
// Coalescer, one message each.
func many[D bulkhash.Digest](name algorithm.Name, shared *bulkhash.Shared, lanes func([]D, [][]byte),
	coalescer *multibuffer.Coalescer, one func(*multibuffer.Coalescer, []byte) D) gobinding.Offer {
	o := gobinding.Many(name, approved, shared, func(way parameter.Manner) (loops bulkhash.Loops[D]) {
		switch {
		case way == parameter.Lanes:
			loops.Alone = map[parameter.Manner]bulkhash.Loop[D]{way: lanes}
		case way == parameter.Split:
			loops.Each = func() bulkhash.Loop[D] { return lanes }
		case way == parameter.Counter && coalescer != nil:
			loops.Each = func() bulkhash.Loop[D] {
				return func(digests []D, messages [][]byte) {
					for i, m := range messages {
						digests[i] = one(coalescer, m)
					}
				}
			}
		}
		return loops
	})
	o.Timing = gobinding.Always(reason.Timing("yes", "arx-hash"))
	o.Note = func(c result.Case) string {
		if parameter.Way.In(c.Parameters) == parameter.Counter {
			return bulkhash.Note(c) + "; each calls one Coalescer"
		}
		return bulkhash.Note(c)
	}
	return o
}

// macs authenticates many messages in lanes on one core, under one key or several.
func macs(name algorithm.Name, prepare func(keys [][]byte) []multibuffer.HMAC) gobinding.Offer {
	return gobinding.MACs(name, approved, map[parameter.Manner]batch.Maker{
		parameter.Lanes: func(b batch.Batch) func([][batch.MACSize]byte) {
			ready := prepare(b.Keys)
			if len(ready) == 1 {
				return func(macs [][batch.MACSize]byte) { ready[0].Sum(macs, b.Messages) }
			}
			keys := make([]*multibuffer.HMAC, len(b.Messages))
			for i := range keys {
				keys[i] = &ready[b.Key(i)]
			}
			return func(macs [][batch.MACSize]byte) { multibuffer.SumHMAC(macs, keys, b.Messages) }
		},
	}).By(nil, gobinding.Always(reason.Timing("yes", "arx-hash")))
}

func approved(c result.Case) error { return gobinding.Enforced(provider.Unsupported("fips-lanes"))(c) }

// texts encrypts many messages by SM4 in lanes, under ciphers that are kept and under raw keys. That is the
// fastest kernel's.
func texts() gobinding.Offer {
	return gobinding.Texts(algorithm.SM4, gobinding.Approved, map[algorithm.Mode]map[parameter.Manner]batch.TextMaker{
		algorithm.GCM: {parameter.Lanes: sealKept, parameter.LanesNew: sealRaw},
		algorithm.CBC: {parameter.Lanes: chainKept, parameter.LanesNew: chainRaw},
	}).By(nil, gobinding.Always(reason.Timing("yes", "gfni")))
}

func sealKept(t batch.Texts) (func(), error) {
	ciphers, err := sm4.NewCiphers(t.Keys)
	if err != nil {
		return nil, err
	}
	messages := make([]sm4.GCMMessage, len(t.Messages))
	for i := range messages {
		messages[i] = sm4.GCMMessage{Cipher: ciphers[t.Key(i)], Nonce: t.Nonces[i], Dst: t.Out[i], Src: t.Messages[i]}
	}
	return func() { sm4.SealMany(messages) }, nil
}

func sealRaw(t batch.Texts) (func(), error) {
	messages := make([]sm4.GCMMessage, len(t.Messages))
	for i := range messages {
		messages[i] = sm4.GCMMessage{Key: t.Keys[t.Key(i)], Nonce: t.Nonces[i], Dst: t.Out[i], Src: t.Messages[i]}
	}
	return func() { sm4.SealMany(messages) }, nil
}

func chainKept(t batch.Texts) (func(), error) {
	ciphers, err := sm4.NewCiphers(t.Keys)
	if err != nil {
		return nil, err
	}
	streams := make([]sm4.CBCStream, len(t.Messages))
	for i := range streams {
		streams[i] = sm4.CBCStream{Cipher: ciphers[t.Key(i)], IV: t.Nonces[i], Dst: t.Out[i], Src: t.Messages[i]}
	}
	return func() { sm4.EncryptCBC(streams) }, nil
}

func chainRaw(t batch.Texts) (func(), error) {
	streams := make([]sm4.CBCKeyStream, len(t.Messages))
	for i := range streams {
		streams[i] = sm4.CBCKeyStream{Key: t.Keys[t.Key(i)], IV: t.Nonces[i], Dst: t.Out[i], Src: t.Messages[i]}
	}
	return func() { sm4.EncryptCBCKeys(streams) }, nil
}
