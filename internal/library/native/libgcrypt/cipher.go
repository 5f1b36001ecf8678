//go:build linux && (amd64 || arm64)

package libgcrypt

import (
	"runtime"
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/library/native/binding"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
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
// pieces, the tag.
func (h handle) message(d loop.Direction, m binding.Message, how manner) (p call.Program) {
	if len(m.Nonce) > 0 {
		set := "gcry_cipher_setiv"
		if h.mode == "CTR" {
			set = "gcry_cipher_setctr"
		}
		p = append(p, h.on(set, m.Nonce))
	}
	if len(m.AAD) > 0 {
		p = append(p, h.on("gcry_cipher_authenticate", m.AAD))
	}
	if how.finalize {
		p = append(p, h.newCall("gcry_cipher_ctl", h.address, ctlFinalize, 0, 0))
	}
	n, process := len(m.In), "gcry_cipher_encrypt"
	if d == loop.Decrypt {
		n, process = len(m.Out), "gcry_cipher_decrypt"
	}
	piece := n
	if how.piece > 0 {
		piece = how.piece
	}
	for at := 0; at < n || at == 0; at += max(piece, 1) {
		end := min(at+piece, n)
		p = append(p, h.newCall(process, h.address, call.Bytes(m.Out[at:end]), uintptr(end-at), call.Bytes(m.In[at:end]), uintptr(end-at)))
	}
	switch {
	case h.sealing && d == loop.Encrypt:
		p = append(p, h.on("gcry_cipher_gettag", m.Out[n:]))
	case h.sealing:
		p = append(p, h.on("gcry_cipher_checktag", m.In[n:]))
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

// exchange makes the operation of a vector's messages.
func (o on) exchange(h handle, d loop.Direction, v *provider.Vector, how manner) loop.Foreign {
	a := &binding.Arena{}
	w := binding.WorkOf(v, d, &a.Outputs, 0)
	a.Keep(w)                                                                            // which the program points into
	f := loop.Foreign{Want: w.Want, Out: w.Out, Intact: a.Outputs.Check, Close: a.Close} // the handle is the caller's
	if h.sealing && d == loop.Encrypt && len(w.Messages) == 1 {
		f.Tag = tagSize
	}
	var program call.Program
	for _, i := range w.Sequence {
		program = append(program, h.message(d, w.Messages[i], how)...)
	}
	f.Run = func(n int) error {
		defer runtime.KeepAlive(a)
		return o.run(o.path, program, n)
	}
	if first := w.Messages[0]; h.sealing && d == loop.Decrypt {
		f.Sealed, f.Tagged = first.In, tagSize
		f.Open = func(tampered []byte) error {
			defer runtime.KeepAlive(tampered)
			first.In = tampered
			return o.run(o.path, h.message(d, first, how), 1)
		}
	}
	return f
}
