package provider

import (
	"errors"
	"strings"
	"testing"
)

func TestGuard(t *testing.T) {
	if err := Guard(func() error { return nil }); err != nil {
		t.Error(err)
	}
	err := Guard(func() error {
		var a []int
		_ = a[len(a)]
		return nil
	})
	p, ok := errors.AsType[*Panic](err)
	if !ok || !strings.Contains(err.Error(), "out of range") || strings.Contains(err.Error(), "\n") || len(p.Stack) == 0 {
		t.Errorf("a panic became %v", err)
	}
	if errors.Is(err, errors.ErrUnsupported) {
		t.Error("a crash passes for a refusal")
	}
}
