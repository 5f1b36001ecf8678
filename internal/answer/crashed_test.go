package answer

import (
	"slices"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// TestCrashed: an error that a library returned is no crash, and each reason is said,
// that of the most rows first, for all who lost rows by it.
func TestCrashed(t *testing.T) {
	m := newTimings(15)
	const died, returned = "it ended with exit status 7", "botan_cipher_update returned -20 (Exception thrown)"
	for _, lost := range []struct {
		library, reason string
		returned        bool
	}{{"openssl", died, false}, {"botan", returned, true}, {"botan", "it ended with exit status 9", false},
		{"libgcrypt", died, false}} {
		s := result.Subject{Library: lost.library, Version: "1", CallPath: "cgo"}
		c := result.Case{Algorithm: "AES-128", Mode: "CTR", Operation: "encrypt", Bytes: int64(len(m.run.Trials) + 1)}
		i := m.trial("modes", s, c, 100)
		m.group("modes", []int{i})
		m.run.Statuses = append(m.run.Statuses, result.StatusChange{Trial: i, Status: result.Crashed, Reason: lost.reason,
			Returned: lost.returned})
	}
	d := m.document()
	var en, zh, words []string
	for _, a := range d.Answers {
		if a.Mark == layout.Beware {
			en, zh = append(en, a.Text.EN), append(zh, a.Text.ZH)
		}
	}
	for i := range d.Rows {
		words = append(words, d.Rows[i].StatusText().EN)
	}
	if want := []string{"Rows of openssl (1), libgcrypt (1) are missing. The worker crashed: it ended with exit status 7.",
		"Rows of botan (1) are missing: " + returned + ".",
		"Rows of botan (1) are missing. The worker crashed: it ended with exit status 9."}; !slices.Equal(en, want) {
		t.Errorf("%q", en)
	}
	if want := []string{"缺少 openssl（1 行）、libgcrypt（1 行）的结果。工作进程崩溃：进程结束（退出状态 7）。",
		"缺少 botan（1 行）的结果：botan_cipher_update 返回 -20（“Exception thrown”）。",
		"缺少 botan（1 行）的结果。工作进程崩溃：进程结束（退出状态 9）。"}; !slices.Equal(zh, want) {
		t.Errorf("%q", zh)
	}
	if want := []string{"crashed", "error", "crashed", "crashed"}; !slices.Equal(words, want) {
		t.Errorf("%q", words)
	}
}
