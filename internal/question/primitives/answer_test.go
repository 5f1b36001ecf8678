package primitives

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/answer/answertest"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// cost adds a row of the experiment primitives.
func cost(s *answertest.Sheet, library, algorithm, mode, operation string, bytes int64, ns float64) string {
	c := result.Case{Algorithm: algorithm, Mode: mode, Operation: operation, Bytes: bytes}
	low, high, allocs := ns*0.99, ns*1.01, 1.0
	r := &document.Row{ID: fmt.Sprintf("primitives/%s/%s/%d/%s", c.Name(), operation, bytes, library), Experiment: "primitives",
		Algorithm: algorithm, Mode: mode, Operation: operation, Bytes: bytes, Library: library, Version: "v1", Implementation: "assembly", Status: result.OK,
		ConstantTime: result.ConstantTime{Value: "yes", Basis: "no tables"}, AllocsPerOp: &allocs,
		NsPerOp: &document.Estimate{Median: ns, Low: &low, High: &high, Clock: "cpu"}}
	if bytes > 0 {
		rate := float64(bytes) / ns * 1e9
		r.BytesPerSecond = &rate
	}
	if algorithm == "MD5" {
		note := layout.Text{EN: "MD5 is broken", ZH: "MD5 已被攻破"}
		r.Security, r.Notes = []string{note.EN}, []layout.Text{note}
	}
	s.Doc.Rows = append(s.Doc.Rows, r)
	return r.ID
}

// costs is what a run of primitives on a common machine shows, at two sizes.
func costs() *answertest.Sheet {
	s := &answertest.Sheet{}
	block := cost(s, "go", "AES-128", "block", "encrypt", 16, 8)
	ctr := cost(s, "go", "AES-128", "CTR", "encrypt", 1024, 220)
	cost(s, "go", "AES-128", "CTR", "encrypt", 64, 60)
	gcm := cost(s, "go", "AES-128", "GCM", "encrypt", 1024, 240)
	each := cost(s, "go", "AES-128", "GCM", "new+encrypt", 1024, 600)
	cost(s, "go", "AES-128", "GCM", "new", 0, 400)
	cost(s, "go", "AES-128", "", "schedule", 0, 170)
	sm4 := cost(s, "gmsm", "SM4", "GCM", "encrypt", 1024, 1500)
	sha := cost(s, "go", "SHA-256", "", "hash", 1024, 640)
	cost(s, "go", "SHA-256", "", "hash", 64, 90)
	sm3 := cost(s, "gmsm", "SM3", "", "hash", 1024, 3200)
	other := cost(s, "tjfoc", "SM3", "", "hash", 1024, 6000)
	md5 := cost(s, "go", "MD5", "", "hash", 1024, 1400)
	rsaSign := cost(s, "go", "RSA-2048", "PKCS1v15-SHA-256", "sign", 0, 1e6)
	rsaVerify := cost(s, "go", "RSA-2048", "PKCS1v15-SHA-256", "verify", 0, 3e4)
	sm2Sign := cost(s, "gmsm", "SM2", "", "sign", 0, 28e3)
	sm2Verify := cost(s, "gmsm", "SM2", "", "verify", 0, 64e3)
	cost(s, "go", "X25519", "", "agree", 0, 4e4)
	tjfocSign, tjfocVerify := cost(s, "tjfoc", "SM2", "", "sign", 0, 22e4), cost(s, "tjfoc", "SM2", "", "verify", 0, 1.1e6)
	s.Compare(block, ctr, 2.33, 2.2, 2.5, "faster")
	s.Compare(gcm, each, 0.4, 0.38, 0.42, "slower")
	s.Compare(gcm, sm4, 0.16, 0.15, 0.17, "slower")
	s.Compare(sha, sm3, 0.2, 0.19, 0.21, "slower")
	s.Compare(sm3, other, 0.53, 0.5, 0.56, "slower")
	s.Compare(sha, md5, 0.46, 0.45, 0.47, "slower")
	s.Compare(rsaSign, rsaVerify, 33.3, 33, 34, "faster")
	s.Compare(rsaSign, sm2Sign, 35.7, 35, 36, "faster")
	s.Compare(rsaVerify, sm2Verify, 0.469, 0.46, 0.48, "slower")
	s.Compare(sm2Sign, tjfocSign, 0.127, 0.12, 0.13, "slower")
	s.Compare(sm2Verify, tjfocVerify, 0.058, 0.057, 0.059, "slower")
	return s
}

func TestPrimitivesSay(t *testing.T) {
	d := &costs().Doc
	answer.Add(d, []answer.Question{Question})
	for _, want := range []string{
		"Do not estimate messages from single AES-128 blocks: one block takes 8.00 ns in go (2.00 GB/s); per byte, a message of 1 KiB in CTR is 2.33 times as fast as single blocks (2.20–2.50)",
		"Keep one cipher for all messages, do not create one for each (1 KiB): AES-128-GCM in go 240 ns (1 allocation) kept, 600 ns (1 allocation) new, 2.50 times as long (2.38–2.63)",
		"SM3 in gmsm takes 5.00 times as long as SHA-256 in Go's standard library (4.76–5.26), SM3 in tjfoc takes 1.89 times as long as in gmsm",
		"Signatures (RSA-2048 in go, SM2 in gmsm): RSA-2048 verification is 33.3 times as fast as signing (33.0–34.0), SM2 signing is 35.7 times as fast as RSA-2048 signing",
		"Do not use MD5", "MD5 takes 2.17 times as long as SHA-256 (2.13–2.22); on this CPU speed is no reason to use it either",
		"SM2 in tjfoc: signing takes 7.87 times as long as in gmsm (7.69–8.33), verification takes 17.2 times",
	} {
		if !strings.Contains(answertest.Texts(d, layout.English), want) {
			t.Errorf("no sentence says %q in:\n%s", want, answertest.Texts(d, layout.English))
		}
	}
	for _, want := range []string{"不要用单个 AES-128 分组的速率估算消息", "CTR 加密 1 KiB 消息的速度是逐个分组的 2.33 倍（2.20–2.50）", "请复用 cipher 实例", "tjfoc 的 SM3 耗时是 gmsm 的 1.89 倍", "不要用 MD5"} {
		if !strings.Contains(answertest.Texts(d, layout.Chinese), want) {
			t.Errorf("没有一句写着 %q：\n%s", want, answertest.Texts(d, layout.Chinese))
		}
	}
	short := 0
	for _, a := range d.Answers {
		if a.Short {
			short++
		}
	}
	if short < 2 || short > 4 {
		t.Errorf("%d answers for the quick screen, which six experiments share", short)
	}
}

// TestMD5WithoutSpeed: where MD5 measures faster, the warning stays and says so.
func TestMD5WithoutSpeed(t *testing.T) {
	s := &answertest.Sheet{}
	s.Compare(cost(s, "go", "SHA-256", "", "hash", 1024, 2800), cost(s, "go", "MD5", "", "hash", 1024, 1400), 2, 1.9, 2.1, "faster")
	answer.Add(&s.Doc, []answer.Question{Question})
	got := answertest.Texts(&s.Doc, layout.English)
	if !strings.Contains(got, "Do not use MD5") || !strings.Contains(got, "MD5 is 2.00 times as fast as SHA-256 (1.90–2.10).") || strings.Contains(got, "no reason") {
		t.Errorf("got:\n%s", got)
	}
}

// TestPrimitivesHold: evidence is in the document, every row has a cell for every
// column, every text is in both languages, and no row is left out of the tables.
func TestPrimitivesHold(t *testing.T) {
	d := &costs().Doc
	answer.Add(d, []answer.Question{Question})
	answertest.CheckLayout(t, d)
	l := d.Layouts[0]
	shown := map[string]int{}
	for _, tab := range append(slices.Clone(l.Headline), l.Tables...) {
		for _, r := range tab.Rows {
			shown[r.RowID]++
		}
	}
	for _, r := range d.Rows {
		if r.Bytes != 64 && shown[r.ID] == 0 { // other sizes share a row with theirs
			t.Errorf("%s is in no table", r.ID)
		}
	}
	if len(l.Charts) != 5 {
		t.Errorf("%d charts of two sizes; want the ratios, ciphers of two kinds and new ones, and hashes", len(l.Charts))
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[float64]string{4.2: "4.20", 859: "859", 999.6: "1.00 k", 35400: "35.4 k", 1.02e8: "102 M", 999600: "1.00 M"} {
		if got := answer.Prefixed(n, 999.5); got != want {
			t.Errorf("%g is %q, want %q", n, got, want)
		}
	}
}

// TestBrought: what a worker of the user's brings stands beside what the first library takes, and others do not.
func TestBrought(t *testing.T) {
	s := costs()
	cost(s, "hashlib", "SHA-256", "", "hash", 1024, 900)
	d := &s.Doc
	answer.Add(d, []answer.Question{Question})
	var got []string
	for _, row := range d.Layouts[0].Headline[0].Rows {
		got = append(got, row.RowID)
	}
	if !slices.Contains(got, "primitives/SHA-256/hash/1024/hashlib") || slices.Contains(got, "primitives/SM3/hash/1024/tjfoc") {
		t.Errorf("the headline table has %q", got)
	}
}
