//go:build linux && (amd64 || arm64)

package libgcrypt

import (
	"unsafe"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/cbinding"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// hashNumbers are enum gcry_md_algos, and of keyed hashes enum gcry_mac_algos.
var hashNumbers = map[algorithm.Name]uintptr{algorithm.MD5: 1, algorithm.SHA1: 2, algorithm.SHA256: 8,
	algorithm.SHA512: 10, algorithm.SHA3of256: 313, algorithm.BLAKE2b512: 318, algorithm.SM3: 326,
	algorithm.HMACSHA256: 101, algorithm.HMACSM3: 128}

// openHash makes a handle whose state is reset for each message, which is written and
// its digest read. The digest stands in the handle, at the same place each time, and is
// copied from there: in Go, or in the loop in C by memcpy.
func openHash(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	md := s.Make("gcry_md_close", "gcry_md_open", hashNumbers[c.Algorithm], 0)
	f := loop.Foreign{Want: v.Digest, Out: provider.PlacedLike(v.Digest, len(v.Digest), len(v.Digest))}
	p := s.Program()
	p.AddBy(call.Any, "gcry_md_reset", md)
	p.AddBy(call.Any, "gcry_md_write", md, s.Bytes(v.Plaintext), uintptr(len(v.Plaintext)))
	p.AddBy(call.Any, "gcry_md_read", md, 0)
	if s.Err == nil {
		s.Err = s.Run(call.Purego, p.Calls, 1)
	}
	place := &p.Calls[2].Result
	if s.Err == nil && *place == 0 {
		s.Err = reason.New("gcry-no-digest")
	}
	if s.Path.InC() {
		p.AddBy(call.Any, "memcpy", s.Bytes(f.Out), *place, uintptr(len(f.Out))) // the C library's
		return p.Operation(c.Name(), f)
	}
	return s.Operation(c.Name(), func(n int) error {
		for range n {
			if err := s.Path.Run(p.Calls, 1); err != nil {
				return err
			}
			copy(f.Out, unsafe.Slice(*(**byte)(unsafe.Pointer(place)), len(f.Out)))
		}
		return nil
	}, f)
}

// openRandom is gcry_create_nonce, the generator for what is public and must not repeat.
func openRandom(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	return s.Drawing(c, v, func(p *cbinding.Program, out []byte) {
		p.AddBy(call.Any, "gcry_create_nonce", p.Bytes(out), uintptr(len(out)))
	})
}

// openMAC sets the key before, as the hash is keyed in every library.
func openMAC(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	mac, size := s.Make("gcry_mac_close", "gcry_mac_open", hashNumbers[c.Algorithm], 0, 0), s.Word()
	s.Do("gcry_mac_setkey", mac, s.Bytes(v.Key), uintptr(len(v.Key)))
	f := loop.Foreign{Want: v.Digest, Out: s.RoomLike(v.Digest, len(v.Digest))}
	want := uint64(len(f.Out))
	p := s.Program()
	p.Add("gcry_mac_ctl", mac, ctlReset, 0, 0)
	p.Add("gcry_mac_write", mac, s.Bytes(v.Plaintext), uintptr(len(v.Plaintext)))
	p.Add("gcry_mac_read", mac, s.Bytes(f.Out), call.Word(size)).Setting(size, want).Expecting(size, want)
	return p.Operation(c.Name(), f)
}
