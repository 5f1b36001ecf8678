package document

import (
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/layout"
)

func TestKernelText(t *testing.T) {
	for name, zh := range map[string]string{
		"generic tables, sm3 generic":     "通用查表实现，sm3 通用实现",
		"x25519 assembly, ml-kem generic": "x25519 汇编，ml-kem 通用实现",
		"adx+bmi2 / avx2+gfni+pclmulqdq":  "adx+bmi2 / avx2+gfni+pclmulqdq",
		"generic tables block-loop":       "通用查表实现，逐块调用",
		"":                                "",
	} {
		if got := KernelText(name); got != (layout.Text{EN: name, ZH: zh}) {
			t.Errorf("%q: %+v", name, got)
		}
	}
}
