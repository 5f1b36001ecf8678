package vectors

import (
	"crypto/aes"
	"crypto/sha256"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/reference"
	gmsm3 "github.com/emmansun/gmsm/sm3"
	gmsm4 "github.com/emmansun/gmsm/sm4"
	tjfoc3 "github.com/tjfoc/gmsm/sm3"
	tjfoc4 "github.com/tjfoc/gmsm/sm4"
)

// suite is one file run by one subject.
type suite struct {
	file, subject string
	judge         func(vector) error
}

// Wycheproof holds no SM4-CBC.
var suites = []suite{
	{"aes_gcm_test.json", "reference", referenceGCM(reference.NewAES).judge},
	{"aes_gcm_test.json", "std", stdGCM(aes.NewCipher).judge},
	{"aes_gcm_test.json", "std, generic GCM", stdGCM(bare(aes.NewCipher)).judge},
	{"aes_gmac_test.json", "reference", judgeMAC(gmac(referenceGCM(reference.NewAES)))},
	{"aes_gmac_test.json", "std", judgeMAC(gmac(stdGCM(aes.NewCipher)))},
	{"sm4_gcm_test.json", "reference", referenceGCM(reference.NewSM4).judge},
	{"sm4_gcm_test.json", "gmsm", stdGCM(gmsm4.NewCipher).judge},
	{"sm4_gcm_test.json", "gmsm, std's generic GCM", stdGCM(bare(gmsm4.NewCipher)).judge},
	{"sm4_gcm_test.json", "tjfoc, std's generic GCM", stdGCM(tjfoc4.NewCipher).judge},
	{"aes_ccm_test.json", "reference", ccmOf(referenceCCM(reference.NewAES))},
	{"aes_ccm_test.json", "gmsm around std", ccmOf(gmsmCCM(aes.NewCipher))},
	{"sm4_ccm_test.json", "reference", ccmOf(referenceCCM(reference.NewSM4))},
	{"sm4_ccm_test.json", "gmsm", ccmOf(gmsmCCM(gmsm4.NewCipher))},
	{"chacha20_poly1305_test.json", "reference", referenceChaCha.judge},
	{"chacha20_poly1305_test.json", "xcrypto", xcryptoChaCha.judge},
	{"aes_cbc_pkcs5_test.json", "reference", referenceCBC.judge},
	{"aes_cbc_pkcs5_test.json", "std", stdCBC.judge},
	{"a128cbc_hs256_test.json", "reference", joseCBCHMAC.judge},
	{"hmac_sha256_test.json", "reference", judgeMAC(referenceHMAC(reference.SHA256))},
	{"hmac_sha256_test.json", "std", judgeMAC(stdHMAC(sha256.New))},
	{"hmac_sm3_test.json", "reference", judgeMAC(referenceHMAC(reference.SM3))},
	{"hmac_sm3_test.json", "gmsm", judgeMAC(stdHMAC(gmsm3.New))},
	{"hmac_sm3_test.json", "tjfoc", judgeMAC(stdHMAC(tjfoc3.New))},
}

func TestWycheproof(t *testing.T) {
	for _, s := range suites {
		t.Run(s.file+"/"+s.subject, func(t *testing.T) { s.run(t) })
	}
}

// run judges every case that skips.txt doesn't excuse, and fails unless executed and skipped make the file's
// number of tests, which load has compared with the file.
func (s suite) run(t *testing.T) {
	cases, excused := load(t, s.file), skips(t)
	executed, skipped, wrong := 0, 0, 0
	for _, v := range cases {
		if reason, ok := excused[excuse{s.file, s.subject, v.ID}]; ok {
			t.Logf("tcId %d skipped: %s", v.ID, reason)
			skipped++
			continue
		}
		if err := recovered(func() error { return s.judge(v) }); err != nil {
			t.Errorf("tcId %d (%s, %s): %v", v.ID, v.Comment, v.Result, err)
			wrong++
		}
		executed++
	}
	if executed+skipped != len(cases) {
		t.Errorf("%d executed and %d skipped of %d", executed, skipped, len(cases))
	}
	t.Logf("%d executed, %d skipped, %d wrong", executed, skipped, wrong)
}

// TestSkipsNameCases, so that a line which excuses nothing doesn't stay.
func TestSkipsNameCases(t *testing.T) {
	exist := map[excuse]bool{}
	for _, s := range suites {
		for _, v := range load(t, s.file) {
			exist[excuse{s.file, s.subject, v.ID}] = true
		}
	}
	for _, s := range keyPairSuites {
		for _, v := range loadKeyPairs(t, s.file) {
			exist[excuse{s.file, s.subject, v.ID}] = true
		}
	}
	for e := range skips(t) {
		if !exist[e] {
			t.Errorf("skips.txt: there is no %s tcId %d run by %s", e.file, e.id, e.subject)
		}
	}
}
