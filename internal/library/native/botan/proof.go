//go:build linux && (amd64 || arm64)

package botan

import (
	"bytes"
	"cmp"
	"errors"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/cbinding"
	"github.com/cryptogauge/cryptogauge/internal/library/native/fence"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// proof is of one way of a cipher, or with "" of its choice among the workarounds.
type proof struct {
	path string
	mode
	way parameter.Manner
}

// proven says why a way is not offered: it failed, or it gave other bytes than update. Each way of a cipher is held
// against update once in a process, before it is first used. That is when a cipher is opened and not when the library
// is, since a worker is started for every block of a run and opens one cipher or a few.
func (l *Library) proven(path call.Path, m mode, way parameter.Manner) error {
	if way == parameter.Update || m.Mode == algorithm.CCM { // which has no update to be held against
		return nil
	}
	return cbinding.Once(l.Library, proof{path.Name, m, way}, func() error {
		err := l.prove(path, m, way)
		switch {
		case errors.Is(err, provider.ErrIncorrect):
			return provider.Unsupported("way-not-offered", l.Release, m.name, way, err)
		case err != nil && !errors.Is(err, errors.ErrUnsupported):
			return provider.Unsupported("way-differs", l.Release, m.name, way, err)
		}
		return err
	})
}

// Lengths around every border there is: of a block, of the granularity of CBC, of
// what is made or collected at a time.
var (
	provenLengths = []int{1, 15, 16, 17, 255, 257, 1000, 4095, 4096, 4097, 4609}
	provenBlocks  = []int{16, 32, 240, 256, 272, 1008, 4080, 4096, 4112, 4608} // of modes without padding
	provenCalls   = []int{0, 1, 7, 16, 48, 257, 4096}
	provenWraps   = []int{1, 17, 257, 4097} // where the counter wraps at another place
)

// provenSplits bounds into how many calls a message is split: what goes wrong does so
// between two.
const provenSplits = 64

func (l *Library) prove(path call.Path, m mode, way parameter.Manner) error {
	key := bytes.Repeat([]byte{0x5a}, algorithm.Of(m.Algorithm).Key)
	k, err := newCipher(l.Session(path), m, key)
	if err != nil {
		return err
	}
	defer k.Close()
	lengths := provenLengths
	if m.Mode == algorithm.CBC {
		lengths = provenBlocks
	}
	for i, iv := range m.nonces() {
		if i > 0 {
			lengths = provenWraps
		}
		for _, n := range lengths {
			if err := k.proveLength(iv, n, way); err != nil {
				return reason.New("with-message", n, err)
			}
		}
	}
	return k.Outputs.Check()
}

// nonces are those at which counters wrap: altogether, in the lower 64 bits, and in
// the lower 32.
func (m mode) nonces() [][]byte {
	n := algorithm.NonceBytes(m.Algorithm, m.Mode)
	all := bytes.Repeat([]byte{0xff}, n)
	all[n-1] = 0xfd
	if m.Mode != algorithm.CTR {
		return [][]byte{all}
	}
	half, quarter := bytes.Clone(all), bytes.Clone(all)
	clear(half[:8])
	clear(quarter[:12])
	return [][]byte{all, half, quarter}
}

// proveLength compares the way's output with update's, in several splits.
func (k *cipher) proveLength(nonce []byte, n int, way parameter.Manner) error {
	in := make([]byte, n)
	for i := range in {
		in[i] = byte(i*i>>3 + 7*i)
	}
	in, err := k.sealed(nonce, in)
	if err != nil {
		return err
	}
	var outputs fence.Memory
	defer outputs.Close()
	want, got := outputs.Bytes(n+k.added()), outputs.Bytes(n+k.added())
	update := pattern{0, parameter.Update}
	if err := k.plan(k.Program(), cbinding.Message{Nonce: nonce, In: in, Out: want}, update); err != nil {
		return reason.New("by-update", err)
	}
	for _, size := range provenCalls {
		if size == 0 && way == coalesced || size > 0 && (way == parameter.Oneshot || n/size > provenSplits) {
			continue
		}
		run, err := k.runner(pattern{size, way})(cbinding.Message{Nonce: nonce, In: in, Out: got}.Alone())
		if err != nil {
			return err
		}
		differs := reason.New("output-other") // in one call for all
		if size > 0 {
			differs = reason.New("output-other-calls", size)
		}
		clear(got) // which planning may have written
		if err := run(1); err != nil {
			return err
		}
		if !bytes.Equal(got, want) {
			return differs
		}
	}
	return outputs.Check()
}

// sealed is a text as the cipher is given it: an AEAD that opens is given sealed text.
func (k *cipher) sealed(nonce, plain []byte) ([]byte, error) {
	m := k.mode
	if !cbinding.Seals(m.Case) || m.direction == loop.Encrypt {
		return plain, nil
	}
	m.direction = loop.Encrypt
	sealer, err := newCipher(k.Library.Session(k.Path), m, k.key)
	if err != nil {
		return nil, err
	}
	defer sealer.Close()
	out := sealer.Room(len(plain) + sealer.added())
	err = sealer.plan(sealer.Program(), cbinding.Message{Nonce: nonce, In: plain, Out: out}, pattern{0, parameter.Update})
	return bytes.Clone(out), cmp.Or(err, sealer.Outputs.Check())
}

// A look at the speed of a workaround: the best of a few times a few messages, some
// tens of microseconds each.
const (
	lookBytes    = 4 << 10
	lookMessages = 4
	looks        = 5
)

// fastest is the workaround that is worth the most for a cipher by a call path, by a
// look at messages of 4 KiB; "" where there is none. It is looked at once in a
// process. What a workaround is worth is for a run to say, whose intervals tell
// whether there is a difference at all.
func (l *Library) fastest(path call.Path, m mode) string {
	return cbinding.Once(l.Library, proof{path: path.Name, mode: m}, func() (best string) {
		least := time.Duration(0)
		for _, w := range workarounds[1:] {
			if !m.goesAround(&w) || l.proven(path, m, w.pattern.way) != nil {
				continue
			}
			if took, err := l.look(path, m, w.pattern); err == nil && (best == "" || took < least) {
				best, least = w.name, took
			}
		}
		return best
	})
}

func (l *Library) look(path call.Path, m mode, h pattern) (least time.Duration, err error) {
	k, err := newCipher(l.Session(path), m, make([]byte, algorithm.Of(m.Algorithm).Key))
	if err != nil {
		return 0, err
	}
	defer k.Close()
	nonce := m.nonces()[0]
	in, err := k.sealed(nonce, make([]byte, lookBytes))
	if err != nil {
		return 0, err
	}
	out := k.Room(lookBytes + k.added())
	run, err := k.runner(h)(cbinding.Message{Nonce: nonce, In: in, Out: out}.Alone())
	if err != nil {
		return 0, err
	}
	for range looks {
		begun := time.Now()
		if err := run(lookMessages); err != nil {
			return 0, err
		}
		if took := time.Since(begun); least == 0 || took < least {
			least = took
		}
	}
	return least, nil
}
