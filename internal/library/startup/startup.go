// Package startup has what a service does with a configuration of secrets: it starts, which ends with its first
// request, and it uses a secret. Libraries supply the AEAD.
//
// The file is in memory when a start begins, as after a first read: the start copies it, as a read would, reads names
// and secrets into a map, opens what is opened then, and gets one secret. All secrets are sealed under one key, each
// with a nonce of its own; a sealed secret is nonce ‖ ciphertext ‖ tag. Where the key comes from is another's cost.
//
// Record of a start gives
//
//	held_bytes   of memory that the service keeps after it
package startup

import (
	"bytes"
	"crypto/cipher"
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/batch"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// Is says whether a case is one of a configuration.
func Is(c result.Case) bool {
	return c.Operation == algorithm.StartUp || c.Operation == algorithm.UseSecret
}

// Material is the case of whose vector a configuration is: that of its secrets, encrypted under one key.
func Material(c result.Case) (result.Case, error) {
	n, each := parameter.Secrets.In(c.Parameters), parameter.Each.In(c.Parameters)
	if !Is(c) || n == 0 || each == 0 || c.Bytes != 0 || parameter.Opened.In(c.Parameters) == "" ||
		!parameter.Are(c.Parameters, parameter.Secrets, parameter.Each, parameter.Opened) {
		return c, provider.Absent("parameters", c.Operation, "each=BYTES,opened=never|start|use|first,secrets=N", c.Parameters)
	}
	c.Operation, c.Bytes = algorithm.EncryptMany, n*each
	c.Parameters = batch.Shape{Messages: n, Keys: 1, Way: parameter.Kept}.Parameters()
	return c, nil
}

// Open prepares a case that a policy allows.
func Open(c result.Case, vs provider.Vectors, create func(key []byte) (cipher.AEAD, error),
	allowed func(result.Case) error) (provider.Operation, error) {
	m, err := Material(c)
	if err != nil {
		return nil, err
	}
	v, err := provider.VectorOf(c, vs, allowed)
	if err != nil {
		return nil, err
	}
	texts, err := batch.TextsOf(m, v)
	if err != nil {
		return nil, err
	}
	o := &operation{opened: parameter.Opened.In(c.Parameters), create: create, key: v.Key, texts: texts}
	if o.pack(); c.Operation == algorithm.StartUp {
		return &starting{o}, nil
	}
	if o.held, err = o.start(o.file); err == nil && o.opened == parameter.OnFirst {
		err = o.warm()
	}
	return &using{o}, err
}

type operation struct {
	opened parameter.Opening
	create func(key []byte) (cipher.AEAD, error)
	key    []byte
	texts  batch.Texts
	names  []string // in the file's order
	file   []byte

	held  *store
	got   []byte // the secret that was asked for last
	asked int    // whose it is
	ran   bool
}

// pack writes the configuration: for each secret its name and itself, plain or sealed, each behind its length.
func (o *operation) pack() {
	for i, body := range o.texts.Messages {
		name := fmt.Sprintf("service/secret-%06d", i)
		if o.opened != parameter.Never {
			body = slices.Concat(o.texts.Nonces[i], o.texts.Out[i])
		}
		o.names = append(o.names, name)
		o.file = append(append(o.file, byte(len(name))), name...)
		o.file = append(binary.BigEndian.AppendUint32(o.file, uint32(len(body))), body...)
	}
}

// store is what a service holds of its configuration.
type store struct {
	opened parameter.Opening
	aead   cipher.AEAD
	plain  map[string][]byte
	sealed map[string][]byte
	buffer []byte // for what is opened on each use
}

func (o *operation) start(file []byte) (s *store, err error) {
	file = bytes.Clone(file)
	s = &store{opened: o.opened}
	if o.opened != parameter.Never {
		if s.aead, err = o.create(o.key); err != nil {
			return nil, err
		}
	}
	plain, sealed := len(o.names), 0
	if o.opened == parameter.OnUse || o.opened == parameter.OnFirst {
		plain, sealed = sealed, plain
	}
	s.plain, s.sealed = make(map[string][]byte, plain), make(map[string][]byte, sealed)
	for len(file) > 0 {
		name := string(file[1 : 1+file[0]])
		file = file[1+file[0]:]
		n := 4 + binary.BigEndian.Uint32(file)
		body := file[4:n:n]
		file = file[n:]
		switch o.opened {
		case parameter.Never:
			s.plain[name] = body
		case parameter.AtStart:
			if s.plain[name], err = s.open(nil, body); err != nil {
				return nil, err
			}
		default:
			s.sealed[name] = body
		}
	}
	return s, nil
}

func (s *store) open(to, body []byte) ([]byte, error) {
	n := s.aead.NonceSize()
	return s.aead.Open(to, body[:n], body[n:], nil)
}

func (s *store) get(name string) (secret []byte, err error) {
	if s.opened == parameter.OnUse {
		s.buffer, err = s.open(s.buffer[:0], s.sealed[name])
		return s.buffer, err
	}
	secret, there := s.plain[name]
	if !there && s.opened == parameter.OnFirst {
		if secret, err = s.open(nil, s.sealed[name]); err == nil {
			s.plain[name] = secret
		}
	}
	return secret, err
}

// use is a request for a secret.
func (o *operation) use(secret int) (err error) {
	o.asked, o.ran = secret, true
	o.got, err = o.held.get(o.names[secret])
	return err
}

func (o *operation) warm() error {
	for _, name := range o.names {
		if _, err := o.held.get(name); err != nil {
			return err
		}
	}
	return nil
}

// Check holds every secret that the service has against what was put into its configuration.
func (o *operation) Check() error {
	if !o.ran {
		return provider.ErrNotRun
	}
	got := o.got
	o.got, o.ran = nil, false
	if !bytes.Equal(got, o.texts.Messages[o.asked]) {
		return reason.New("secret-differs", o.asked+1, len(o.names))
	}
	for i, name := range o.names {
		got, err := o.held.get(name)
		if err != nil {
			return err
		}
		if !bytes.Equal(got, o.texts.Messages[i]) {
			return reason.New("secret-differs", i+1, len(o.names))
		}
	}
	if o.opened == parameter.Never {
		return nil
	}
	return o.refuses()
}

// refuses proves that a configuration whose last bit was changed is found out, at the latest when that secret is used.
func (o *operation) refuses() error {
	changed := bytes.Clone(o.file)
	changed[len(changed)-1] ^= 1
	s, err := o.start(changed)
	if err == nil {
		_, err = s.get(o.names[len(o.names)-1])
	}
	if err == nil {
		return reason.New("changed-secret")
	}
	return nil
}

func (o *operation) Close() error { return nil }

type starting struct{ *operation }

func (o *starting) Run(n int) (err error) {
	for range n {
		if o.held, err = o.start(o.file); err != nil {
			return err
		}
		if err = o.use(0); err != nil {
			return err
		}
	}
	return nil
}

func (o *starting) Check() error {
	err := o.operation.Check()
	o.held = nil
	return err
}

func (o *starting) Record() (r result.Record, err error) {
	o.held, o.got, o.ran = nil, nil, false
	before := live()
	if o.held, err = o.start(o.file); err != nil {
		return r, err
	}
	r.Metrics = []result.Metric{{Name: "held_bytes", Value: float64(max(0, live()-before)), Unit: "B"}}
	return r, o.use(0) // for the closing check
}

// live is the memory that is in use.
func live() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func (o *starting) Loop() string { return algorithm.StartUp }

type using struct{ *operation }

// stride is how far apart in the file secrets are that are used one after the other; a prime, so that all are.
const stride = 7919

func (o *using) Run(n int) error {
	for range n {
		if err := o.use((o.asked + stride) % len(o.names)); err != nil {
			return err
		}
	}
	return nil
}

func (o *using) Loop() string { return algorithm.UseSecret }
