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
		EN: "ECB shows which blocks of the plaintext are equal; do not use it for data",
		ZH: "电码本 (ECB) 模式会暴露相同的明文分组，请勿用于加密数据",
	}
	noteMD5 = layout.Text{
		EN: "MD5 is broken: collisions are made in seconds; it is a fingerprint against accidents, not against an adversary",
		ZH: "MD5 已被攻破：数秒内即可构造碰撞；只能作防意外差错的指纹，不能防攻击者",
	}
	noteSHA1 = layout.Text{
		EN: "SHA-1 is broken: collisions have been made; it is a fingerprint against accidents, not against an adversary",
		ZH: "SHA-1 已被攻破：已有实际碰撞；只能作防意外差错的指纹，不能防攻击者",
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
		EN: "compressed before it is encrypted: the lengths tell of the content (CRIME, BREACH); never compress a secret together with what others choose",
		ZH: "先压缩后加密：密文长度会泄露内容信息（CRIME、BREACH 攻击），切勿将机密与他人可控的数据一起压缩",
	}
	noteReusedKey = layout.Text{
		EN: "one content key for many messages: a nonce that comes twice breaks GCM, so at most 2^32 messages a key with random nonces (NIST SP 800-38D §8.3), and who learns the key reads them all",
		ZH: "多条消息共用内容密钥：GCM 的 nonce 一旦重复即失去安全性，随机 nonce 下每个密钥最多用于 2^32 条消息（NIST SP 800-38D §8.3）；密钥一旦泄露，全部消息均可被解密",
	}
	noteNoIntegrity = layout.Text{
		EN: "no integrity: changed ciphertext goes unnoticed; add a MAC, or use an authenticated mode",
		ZH: "无完整性保护：密文被篡改无法察觉，应附加消息鉴别码或改用可鉴别加密模式",
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
