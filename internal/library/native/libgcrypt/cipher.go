//go:build linux && (amd64 || arm64)

package libgcrypt

import (
	"runtime"
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/fence"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
	"github.com/cryptogauge/cryptogauge/result"
)

const tagSize = 16

// handle is a gcry_cipher_hd_t.
type handle struct {
	*Library
	address uintptr
	mode    string // of the case; "" is ChaCha20's
	sealing bool
}

// newHandle opens one and schedules the key.
func (l *Library) newHandle(c result.Case, key []byte) (handle, error) {
	cipher, mode, ok := cipherNumber(c.Algorithm, c.Mode)
	if !ok {
		return handle{}, provider.Absent("not-offered", "libgcrypt", c.Name())
	}
	h := handle{Library: l, mode: c.Mode, sealing: isAEAD(c)}
	out := new(uint64)
	code := int32(l.call("gcry_cipher_open", call.Word(out), cipher, mode, 0))
	h.address = uintptr(*out)
	if code != 0 {
		return handle{}, provider.Unsupported("version-has-no-since", "libgcrypt", l.version, c.Name(), l.refused("gcry_cipher_open", code))
	}
	if code := int32(l.call("gcry_cipher_setkey", h.address, call.Bytes(key), uintptr(len(key)))); code != 0 {
		h.close()
		return handle{}, provider.Unsupported("version-says", "libgcrypt", l.version, l.refused("gcry_cipher_setkey", code))
	}
	runtime.KeepAlive(key)
	return h, nil
}

func (h handle) close() { h.call("gcry_cipher_close", h.address) }

// manner is how a message is handed over: in pieces of so many bytes, 0 for all
// at once, and after having said that the end is in the next one.
type manner struct {
	piece    int
	finalize bool
}

// The ways of a case whose parameters are call=BYTES and way=WAY.
const (
	wayUpdate  = "update"
	wayOneshot = "oneshot"
)

// mannerOf reads these parameters, and returns the case without them.
func mannerOf(c result.Case) (whole result.Case, m manner, err error) {
	way := c.Parameter("way")
	if way == "" {
		return c, m, nil
	}
	p, err := result.ParseParameters(c.Parameters)
	if err != nil {
		return c, m, err
	}
	piece, err := strconv.Atoi(p["call"])
	if err != nil || piece < 1 || len(p) != 2 {
		return c, m, provider.Absent("parameters", c.Name(), "call=BYTES,way=WAY", c.Parameters)
	}
	whole = c
	whole.Parameters = ""
	switch {
	case way == wayOneshot && int64(piece) >= c.Bytes:
		return whole, manner{finalize: true}, nil
	case way == wayUpdate && (c.Mode == "ECB" || c.Mode == "CBC") && piece%blockSize != 0:
		return whole, m, provider.Unsupported("gcry-blocks", c.Mode)
	case way == wayUpdate:
		return whole, manner{piece: piece}, nil
	}
	return whole, m, provider.Absent("not-offered", "libgcrypt", c.Parameters)
}

const blockSize = 16

// message is what one message takes: its IV, its additional data, the data in
// pieces, the tag. It is of out what the ciphertext or the plaintext needs.
func (h handle) message(d loop.Direction, m provider.Message, aad, out []byte, how manner) (p call.Program) {
	if len(m.Nonce) > 0 {
		set := "gcry_cipher_setiv"
		if h.mode == "CTR" {
			set = "gcry_cipher_setctr"
		}
		p = append(p, h.on(set, m.Nonce))
	}
	if len(aad) > 0 {
		p = append(p, h.on("gcry_cipher_authenticate", aad))
	}
	if how.finalize {
		p = append(p, h.newCall("gcry_cipher_ctl", h.address, ctlFinalize, 0, 0))
	}
	in, process := m.Plaintext, "gcry_cipher_encrypt"
	if d == loop.Decrypt {
		in, process = m.Ciphertext[:len(m.Plaintext)], "gcry_cipher_decrypt"
	}
	n := len(in)
	piece := n
	if how.piece > 0 {
		piece = how.piece
	}
	for at := 0; at < n || at == 0; at += max(piece, 1) {
		end := min(at+piece, n)
		p = append(p, h.newCall(process, h.address, call.Bytes(out[at:end]), uintptr(end-at), call.Bytes(in[at:end]), uintptr(end-at)))
	}
	switch {
	case h.sealing && d == loop.Encrypt:
		p = append(p, h.on("gcry_cipher_gettag", out[n:n+tagSize]))
	case h.sealing:
		p = append(p, h.on("gcry_cipher_checktag", m.Ciphertext[n:]))
	}
	return p
}

// on is a call with the handle, bytes and their length.
func (h handle) on(function string, b []byte) call.Call {
	return h.newCall(function, h.address, call.Bytes(b), uintptr(len(b)))
}

// openCipher schedules the key. A call of the operation is one message, or of a
// vector that has a sequence of them all of it.
func (o on) openCipher(c result.Case) (provider.Operation, error) {
	d, err := loop.DirectionOf(c.Operation)
	if err != nil {
		return nil, err
	}
	whole, how, err := mannerOf(c)
	if err != nil {
		return nil, err
	}
	if mixed, rest := seeded.MixOf(whole); rest != "" || mixed > 0 && !isAEAD(c) {
		return nil, provider.Absent("not-offered", "libgcrypt", c.Name()+" "+c.Parameters)
	}
	v, err := o.vectors.Vector(whole)
	if err != nil {
		return nil, err
	}
	h, err := o.newHandle(c, v.Key)
	if err != nil {
		return nil, err
	}
	f := o.exchange(h, d, v, how)
	release := f.Close
	f.Close = func() error { h.close(); return release() }
	return loop.NewForeign(f)
}

// exchange makes the operation of a vector's messages. What it must leave is what
// they leave one after the other.
func (o on) exchange(h handle, d loop.Direction, v *provider.Vector, how manner) loop.Foreign {
	messages, sequence := v.Messages, v.Sequence
	if len(sequence) == 0 {
		messages, sequence = []provider.Message{{Nonce: v.Nonce, Plaintext: v.Plaintext, Ciphertext: v.Ciphertext}}, []int{0}
	}
	f := loop.Foreign{Want: []byte{}}
	var starts []int
	for _, m := range messages {
		starts = append(starts, len(f.Want))
		if d == loop.Encrypt {
			f.Want = append(f.Want, m.Ciphertext...)
		} else {
			f.Want = append(f.Want, m.Plaintext...)
		}
	}
	outputs := &fence.Memory{}
	f.Out, f.Intact = outputs.Bytes(len(f.Want)), outputs.Check
	if h.sealing && d == loop.Encrypt && len(messages) == 1 {
		f.Tag = tagSize
	}
	var program call.Program
	for _, i := range sequence {
		program = append(program, h.message(d, messages[i], v.AAD, f.Out[starts[i]:], how)...)
	}
	out := f.Out // which the program points into, as into the vector
	f.Run = func(n int) error {
		err := o.run(o.path, program, n)
		runtime.KeepAlive(v)
		runtime.KeepAlive(out)
		return err
	}
	if h.sealing && d == loop.Decrypt {
		first := messages[0]
		f.Sealed, f.Tagged = first.Ciphertext, tagSize
		f.Open = func(tampered []byte) error {
			m := provider.Message{Nonce: first.Nonce, Plaintext: first.Plaintext, Ciphertext: tampered}
			err := o.run(o.path, h.message(d, m, v.AAD, out, how), 1)
			runtime.KeepAlive(tampered)
			return err
		}
	}
	f.Close = outputs.Close // the handle is the caller's
	return f
}
