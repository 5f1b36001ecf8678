package document

import (
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// chineseKernels are the words in names of implementations; names of CPU features and of functions stay.
var chineseKernels = strings.NewReplacer("generic tables", "通用查表实现", " block-loop", "，逐块调用", "block-loop", "逐块调用", "assembly", "汇编",
	"generic ghash", "通用 GHASH 实现", "generic", "通用实现", "unknown", "未知", " 8-block", "，一次 8 块", ", ", "，")

// KernelText is the name of an implementation, for a reader.
func KernelText(name string) layout.Text {
	return layout.Text{EN: name, ZH: chineseKernels.Replace(name)}
}
