package vectors

import (
	"crypto/cipher"
	"testing"

	"github.com/cryptogauge/cryptogauge/aes"
)

// TestEngineAES runs every case of AES-GCM, of AES-CCM, of AES-GMAC and of AES-CBC-PKCS5 in every implementation of package aes.
// Wycheproof has no file of AES-XTS.
func TestEngineAES(t *testing.T) {
	for _, implementation := range aes.Implementations() {
		newBlock := func(key []byte) (cipher.Block, error) { return aes.NewWith(key, implementation) }
		for _, s := range []suite{
			{"aes_gcm_test.json", "aes " + implementation, stdGCM(newBlock).judge},
			{"aes_gmac_test.json", "aes " + implementation, judgeMAC(gmac(stdGCM(newBlock)))},
			{"aes_cbc_pkcs5_test.json", "aes " + implementation, cbcOf(newBlock).judge},
			{"aes_ccm_test.json", "aes " + implementation, ccmOf(gmsmCCM(newBlock))}, // which takes ours
		} {
			t.Run(s.file+"/"+implementation, func(t *testing.T) { s.run(t) })
		}
	}
}
