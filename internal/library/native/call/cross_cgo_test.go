//go:build linux && (amd64 || arm64) && cgo

package call

import (
	"testing"
	"unsafe"
)

func TestLayout(t *testing.T) {
	if got, want := sizeInC(), unsafe.Sizeof(Call{}); got != want {
		t.Errorf("struct call has %d bytes in C and %d in Go", got, want)
	}
}
