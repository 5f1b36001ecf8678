package layout

import "testing"

func TestContrast(t *testing.T) {
	encryption, batches := Text{EN: "encryption", ZH: "加密"}, Text{EN: "batches of 64", ZH: "每批 64 条"}
	for _, c := range []struct {
		first, second []Text
		want          Text
	}{
		{[]Text{Same("SM4-GCM"), encryption, Same("gmsm"), Same("64 KiB")}, []Text{Same("SM4-CBC"), encryption, Same("tjfoc"), Same("64 KiB")},
			Text{EN: "SM4-GCM gmsm / SM4-CBC tjfoc, encryption, 64 KiB", ZH: "SM4-GCM gmsm / SM4-CBC tjfoc，加密，64 KiB"}},
		{[]Text{Same("SM4"), encryption, {}, Same("gmsm")}, []Text{Same("SM4"), encryption, batches, Same("gmsm")},
			Text{EN: "encryption / encryption batches of 64, SM4, gmsm", ZH: "加密 / 加密每批 64 条，SM4，gmsm"}},
		{[]Text{Same("SM4"), batches, {}}, []Text{Same("AES"), {}, {}},
			Text{EN: "SM4 batches of 64 / AES", ZH: "SM4 每批 64 条 / AES"}},
		{[]Text{Same("SM4"), {}, Same("go")}, []Text{Same("SM4"), {}, Same("go")}, Text{EN: "SM4, go", ZH: "SM4，go"}},
	} {
		if got := Contrast(c.first, c.second); got != c.want {
			t.Errorf("%v against %v: %q, want %q", c.first, c.second, got, c.want)
		}
	}
}
