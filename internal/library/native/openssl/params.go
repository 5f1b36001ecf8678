//go:build linux && (amd64 || arm64)

package openssl

import (
	"encoding/binary"
	"math/big"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
)

// parameters builds an array of OSSL_PARAM(3), whose elements are
//
//	const char *key; unsigned int data_type; void *data; size_t data_size; size_t return_size;
type parameters struct {
	*session
	array []byte
}

// Data types of openssl/core.h.
const (
	paramUnsigned = 2
	paramText     = 4
	paramBytes    = 5
)

func (a *session) parameters() *parameters { return &parameters{session: a} }

func (p *parameters) add(key string, kind uint32, data []byte) *parameters {
	p.array = binary.NativeEndian.AppendUint64(p.array, uint64(p.Text(key)))
	p.array = binary.NativeEndian.AppendUint64(p.array, uint64(kind)) // and padding
	size := uint64(len(data))
	if kind == paramText {
		data = append(slices.Clone(data), 0)
	}
	p.array = binary.NativeEndian.AppendUint64(p.array, uint64(p.Bytes(data)))
	p.array = binary.NativeEndian.AppendUint64(p.array, size)
	p.array = binary.NativeEndian.AppendUint64(p.array, 0)
	return p
}

func (p *parameters) addText(key, value string) *parameters {
	return p.add(key, paramText, []byte(value))
}

func (p *parameters) addBytes(key string, value []byte) *parameters {
	return p.add(key, paramBytes, value)
}

// addNumber adds a number, in the machine's order of bytes.
func (p *parameters) addNumber(key string, n *big.Int) *parameters {
	data := make([]byte, (n.BitLen()+7)/8)
	n.FillBytes(data)
	slices.Reverse(data) // both platforms are little-endian
	return p.add(key, paramUnsigned, data)
}

// end closes the array and returns its address.
func (p *parameters) end() uintptr {
	const element = 40
	p.array = append(p.array, make([]byte, element)...)
	p.Keep(p.array)
	return call.Bytes(p.array)
}
