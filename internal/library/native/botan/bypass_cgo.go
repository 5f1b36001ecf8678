//go:build linux && (amd64 || arm64) && cgo

package botan

/*
#cgo CFLAGS: -O3
#include "ctr.h"
*/
import "C"

import (
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/cbinding"
)

// bypassInC is the loop in C around CTR in C, as an application in C has it.
func (k *cipher) bypassInC(w cbinding.Work, h pattern) (func(n int) error, error) {
	state := call.Bytes(k.Room(int(C.cg_ctr_size()))) // which ends with what the library writes
	start, xor := uintptr(C.cg_ctr_start_address()), uintptr(C.cg_ctr_xor_address())
	crypt, err := k.Find("botan_block_cipher_encrypt_blocks")
	if err != nil {
		return nil, err
	}
	return k.InOrder(func(p *cbinding.Program, m cbinding.Message) {
		p.Calls = append(p.Calls, call.New(start, call.Zero, state, crypt, k.block, call.Bytes(m.Nonce)))
		for at, size := 0, h.size(&m); at < len(m.In); at += size {
			n := uintptr(min(size, len(m.In)-at))
			p.Calls = append(p.Calls, call.New(xor, call.Zero, state, call.Bytes(m.Out[at:]), call.Bytes(m.In[at:]), n))
		}
	})(w)
}
