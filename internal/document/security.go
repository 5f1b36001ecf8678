package document

import (
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// Security notes are plain words beside a number that might tempt someone.
var (
	noteECB = layout.Text{
		EN: "ECB reveals which plaintext blocks are equal; do not use it for data",
		ZH: "ECB 会暴露相同的明文分组，请勿用于加密数据",
	}
	noteMD5 = layout.Text{
		EN: "MD5 is broken: collisions take seconds to make; use it only to detect accidental changes, never against attackers",
		ZH: "MD5 已被攻破：数秒内即可构造碰撞；只能检测意外差错，不能防范攻击者",
	}
	noteSHA1 = layout.Text{
		EN: "SHA-1 is broken: collisions have been made; use it only to detect accidental changes, never against attackers",
		ZH: "SHA-1 已被攻破：已有实际碰撞；只能检测意外差错，不能防范攻击者",
	}
	noteRSA1024 = layout.Text{
		EN: "RSA with 1024 bits is too short for any new use",
		ZH: "1024 比特 RSA 密钥长度不足，不应再使用",
	}
	notePKCS1 = layout.Text{
		EN: "PKCS #1 v1.5 encryption invites padding oracles (Bleichenbacher); use OAEP",
		ZH: "PKCS #1 v1.5 加密易受填充预言攻击（Bleichenbacher 攻击），请改用 OAEP",
	}
	noteCompression = layout.Text{
		EN: "compressed before encryption: the lengths reveal the content (CRIME, BREACH); never compress secrets together with data that others choose",
		ZH: "先压缩后加密：密文长度会泄露内容信息（CRIME、BREACH 攻击），切勿将机密与他人可控的数据一起压缩",
	}
	noteReusedKey = layout.Text{
		EN: "one content key for many messages: a repeated nonce breaks GCM, so at most 2^32 messages per key with random nonces (NIST SP 800-38D §8.3); whoever learns the key reads every message",
		ZH: "多条消息共用内容密钥：GCM 的 nonce 一旦重复即失去安全性，随机 nonce 下每个密钥最多用于 2^32 条消息（NIST SP 800-38D §8.3）；密钥一旦泄露，全部消息均可被解密",
	}
	noteNoIntegrity = layout.Text{
		EN: "no integrity: changed ciphertext goes unnoticed; add a MAC, or use an authenticated mode",
		ZH: "无完整性保护：密文被篡改也无法察觉。请附加 MAC，或改用认证加密模式（如 GCM）",
	}
)

// securityOf lists the security notes of a case.
func securityOf(c result.Case) (notes []layout.Text) {
	switch c.Mode { // a composite such as CBC+HMAC-SM3 is authenticated
	case algorithm.ECB:
		notes = append(notes, noteECB)
	case algorithm.CBC, algorithm.CTR, algorithm.CFB, algorithm.OFB:
		notes = append(notes, noteNoIntegrity)
	}
	if c.Algorithm == algorithm.ChaCha20 {
		notes = append(notes, noteNoIntegrity)
	}
	for _, name := range []string{c.Algorithm, c.Mode} {
		switch name {
		case algorithm.MD5:
			notes = append(notes, noteMD5)
		case algorithm.SHA1, "SHA1":
			notes = append(notes, noteSHA1)
		}
	}
	if c.Algorithm == algorithm.RSA1024 || c.Algorithm == "RSA" && c.Parameter("bits") == "1024" {
		notes = append(notes, noteRSA1024)
	}
	if strings.HasPrefix(c.Algorithm, "RSA") && isPKCS1(c) && strings.Contains(c.Operation, "crypt") {
		notes = append(notes, notePKCS1)
	}
	if c.Algorithm == "Envelope" && c.Parameter("key") == "reused" {
		notes = append(notes, noteReusedKey)
	}
	if compress := c.Parameter("compress"); compress != "" && compress != "none" {
		notes = append(notes, noteCompression)
	}
	return notes
}

// isPKCS1 knows the padding by its usual spellings: "PKCS1v15", "PKCS #1 v1.5".
func isPKCS1(c result.Case) bool {
	spelled := strings.ToLower(c.Mode + c.Parameter("padding"))
	letters := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, spelled)
	return strings.Contains(letters, "pkcs1v15")
}
