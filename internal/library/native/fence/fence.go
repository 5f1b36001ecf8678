//go:build linux && (amd64 || arm64)

// Package fence gives memory to the outputs of libraries that are not Go's, so that
// one that writes where it must not is found, and named, instead of spoiling what Go
// has there.
//
// An output lies in its page where it is asked to (provider.PlaceOf says why). Before it
// and behind it lie strips of bytes that nobody may change, a page at least, and behind
// these a page that can't be touched at all:
//
//	no access │ strip │ output … strip │ strip │ no access
//
// What is changed in a strip is found by [Memory.Check]. Who goes farther dies at once,
// in his own code.
package fence

import (
	"cmp"
	"crypto/cipher"
	"os"
	"sync"
	"syscall"

	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// Memory is that of the outputs of an operation. One goroutine may use it at a time.
type Memory struct{ areas []area }

type area struct {
	before, out, after []byte
	mapped             []byte
}

// Bytes returns memory of a length for an output, at the beginning of a page, as a long slice of
// Go's is. It lives until Close. Like make Bytes panics where there is no memory.
func (m *Memory) Bytes(n int) []byte { return m.BytesAt(0, n) }

// BytesAt is Bytes so many bytes after the beginning of a page.
func (m *Memory) BytesAt(place, n int) []byte {
	page := os.Getpagesize()
	body := (place + n + page - 1) / page * page
	mapped, err := syscall.Mmap(-1, 0, body+4*page, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		panic(reason.New("output-memory", n, err))
	}
	end := len(mapped) - page
	for _, edge := range [][]byte{mapped[:page], mapped[end:]} {
		if err := syscall.Mprotect(edge, syscall.PROT_NONE); err != nil {
			panic(reason.New("fencing", n, err))
		}
	}
	// A slice with room for nothing would keep the address of the whole.
	start := 2*page + place
	a := area{mapped[page:start], mapped[start : start+n : start+max(n, 1)], mapped[start+n : end], mapped}
	a.mark()
	m.areas = append(m.areas, a)
	return a.out
}

// mark is what a strip holds at a place: no two neighbours are alike, and none is what
// memory usually holds.
func mark(i int) byte { return byte(i*197) ^ 0xa7 }

func (a *area) mark() {
	for _, strip := range [][]byte{a.before, a.after} {
		for i := range strip {
			strip[i] = mark(i)
		}
	}
}

// Check says how far a library went beyond one of its outputs, and restores the strips.
func (m *Memory) Check() error {
	for _, a := range m.areas {
		past, short := 0, 0
		for i, b := range a.after {
			if b != mark(i) {
				past = i + 1
			}
		}
		for i, b := range a.before {
			if b != mark(i) {
				short = len(a.before) - i
				break
			}
		}
		if past+short > 0 {
			a.mark()
		}
		switch {
		case past > 0:
			return provider.Incorrect("wrote-past", past, len(a.out))
		case short > 0:
			return provider.Incorrect("wrote-before", short, len(a.out))
		}
	}
	return nil
}

// Close gives the memory back. No library may hold an address in it any more.
func (m *Memory) Close() error {
	for _, a := range m.areas {
		if err := syscall.Munmap(a.mapped); err != nil {
			return reason.New("giving-back", err)
		}
	}
	m.areas = nil
	return nil
}

// sealed are the lengths that a cipher is tried on: of a page, and beyond what a
// library hands on at a time.
var sealed = []int{0, 1, 16, 255, 4096, 16384}

// Sealing returns what makes ciphers in the shape of Go's as make does. What these write
// to is their caller's, and Go's: so the first that is made has to seal and open a few
// messages in fenced memory before it is handed out, and none is where it goes beyond.
func Sealing(make func(key []byte) (cipher.AEAD, error)) func(key []byte) (cipher.AEAD, error) {
	var once sync.Once
	var fault error
	return func(key []byte) (cipher.AEAD, error) {
		a, err := make(key)
		if err != nil {
			return nil, err
		}
		if once.Do(func() { fault = provider.Guard(func() error { return try(a) }) }); fault != nil {
			return nil, fault
		}
		return a, nil
	}
}

// try has a cipher seal and open messages. Whether the outputs are right is for others
// to judge.
func try(a cipher.AEAD) (err error) {
	var m Memory
	defer func() { err = cmp.Or(err, m.Close()) }()
	nonce := make([]byte, a.NonceSize())
	for _, n := range sealed {
		text := a.Seal(m.Bytes(n + a.Overhead())[:0], nonce, make([]byte, n), nil)
		if err := m.Check(); err != nil {
			return err
		}
		if _, err := a.Open(m.Bytes(n)[:0], nonce, text, nil); err != nil {
			return provider.Incorrect("own-sealed", err)
		}
		if err := m.Check(); err != nil {
			return err
		}
	}
	return nil
}
