// Package password has the operation of a login: a password is held against what is stored of it. Libraries supply the
// function; what a login takes of memory is found here once.
//
// The process's clock tells how long it takes, since Argon2id computes on goroutines of its own. Record gives
//
//	peak_bytes   by how much the resident memory of the process grew in one login, where Linux tells
package password

import (
	"bytes"
	"crypto/subtle"
	"runtime/debug"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/peak"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// KeyBytes is how long a derived key is that is stored of a password, and SaltBytes its salt.
const (
	KeyBytes  = 32
	SaltBytes = 16
)

// Derived is the login by a key that is derived anew, and compared in constant time. The judge compares it too.
func Derived(derive func(password, salt []byte) ([]byte, error), v *provider.Vector) provider.Operation {
	o := &login{}
	equal := 0
	o.call = func() (err error) {
		if o.key, err = derive(v.Plaintext, v.Nonce); err == nil {
			equal = subtle.ConstantTimeCompare(o.key, v.Digest)
		}
		return err
	}
	o.judge = func() error {
		key := o.key
		o.key = nil
		if !bytes.Equal(key, v.Digest) || equal == 0 {
			return reason.New("stored-differs")
		}
		return nil
	}
	return o
}

// Compared is the login by a library that keeps to itself what it computes: it must accept what the judge has stored,
// salt included, and refuse another password, which is tried on the vector's Signature, stored at the least cost.
func Compared(compare func(stored, password []byte) error, v *provider.Vector) provider.Operation {
	o := &login{call: func() error { return compare(v.Digest, v.Plaintext) }}
	o.judge = func() error {
		other := slices.Clone(v.Plaintext)
		o.checks++
		other[o.checks%len(other)] ^= 1
		if compare(v.Signature, v.Plaintext) != nil || compare(v.Signature, other) == nil {
			return reason.New("other-password")
		}
		return nil
	}
	return o
}

type login struct {
	call   func() error
	judge  func() error
	key    []byte // that the last call derived
	ran    bool   // since the last check
	checks int

	seen     stage
	resident int64 // bytes before the first call
	grew     int64 // bytes in it
}

// stage is how far the first call is, of which memory is watched.
type stage int

const (
	ahead stage = iota
	watched
	known
)

func (o *login) Run(n int) error {
	o.ran = n > 0
	for i := range n {
		if err := o.call(); err != nil {
			return reason.New("login", i+1, n, err)
		}
	}
	return nil
}

// Clear comes before each batch. Before the first it gives back what other logins left, or this one would find its
// memory there, and begins to watch.
func (o *login) Clear() error {
	if o.seen != ahead {
		return nil
	}
	debug.FreeOSMemory()
	if now, ok := peak.Restart(); ok {
		o.resident, o.seen = now, watched
	}
	return nil
}

func (o *login) Check() error {
	if !o.ran {
		return provider.ErrNotRun
	}
	o.ran = false
	if most, ok := peak.Read(); ok && o.seen == watched {
		o.grew, o.seen = max(0, most-o.resident), known
	}
	return o.judge()
}

func (o *login) Record() (r result.Record, err error) {
	if o.seen == known {
		r.Metrics = []result.Metric{{Name: "peak_bytes", Value: float64(o.grew), Unit: "B"}}
	}
	return r, nil
}

func (o *login) Clock() result.Clock { return result.ProcessClock }
func (o *login) Loop() string        { return algorithm.Login }
func (o *login) Close() error        { return nil }
