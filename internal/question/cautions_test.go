package question

import (
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/answer/answertest"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/plan"
)

// TestWeakChoicesCarryTheirWarning: whatever part of a question is measured, what is known to be weak has no
// number without a sentence that says so, and the line of the quick screen does not call it a choice.
func TestWeakChoicesCarryTheirWarning(t *testing.T) {
	all := func(words ...string) []string { return words }
	for _, c := range []struct {
		question string
		s        plan.Selection
		en, zh   string
	}{
		{"bulkhash", plan.Selection{Short: true}, "only detect accidental changes", "只能检测意外差错"},
		{"bulkhash", plan.Selection{Short: true, Algorithms: all("MD5")}, "never against attackers", "不能防范攻击者"},
		{"bulkhash", plan.Selection{Short: true, Algorithms: all("MD5"), Libraries: all("go")}, "never against attackers", "不能防范攻击者"},
		{"modes", plan.Selection{Short: true, Modes: all("ECB"), Operations: all("encrypt")}, "equal blocks stay visible", "相同分组可见"},
		{"modes", plan.Selection{Short: true, Modes: all("ECB", "GCM"), Operations: all("decrypt")}, "equal blocks no longer show", "不再暴露相同分组"},
		{"primitives", plan.Selection{Algorithms: all("MD5")}, "collisions take seconds to make", "数秒即可构造碰撞"},
		{"rsa", plan.Selection{Algorithms: all("RSA-1024"), Operations: all("generate")}, "RSA with 1024 bits is too short", "1024 比特 RSA 密钥长度不足"},
		{"rsa", plan.Selection{Algorithms: all("RSA-1024")}, "Do not use 1024-bit keys", "不要使用 1024 比特密钥"},
		{"rsa", plan.Selection{Algorithms: all("RSA-2048"), Modes: all("PKCS1v15")}, "padding oracle", "填充预言"},
	} {
		d := narrowedRun(t, c.question, c.s, strings.Join(c.s.Libraries, ","))
		if len(d.Layouts) != 1 {
			t.Errorf("%s %+v: nothing was planned", c.question, c.s)
			continue
		}
		en, zh := answertest.Texts(d, layout.English), answertest.Texts(d, layout.Chinese)
		if !strings.Contains(en, c.en) || !strings.Contains(zh, c.zh) {
			t.Errorf("%s %+v: no %q, %q in:\n%s\n%s", c.question, c.s, c.en, c.zh, en, zh)
		}
		if line := d.Layouts[0].Line; line.Mark == layout.Choose && strings.Contains(line.Text.EN, "MD5 of") {
			t.Errorf("%s %+v: a choice: %s", c.question, c.s, line.Text.EN)
		}
		answertest.CheckLayout(t, d)
	}
}
