package document

import (
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// securityNotes are plain words beside a number that might tempt someone.
var securityNotes = map[algorithm.Weakness]layout.Text{
	algorithm.EqualBlocks: {EN: "ECB reveals which plaintext blocks are equal; do not use it for data",
		ZH: "ECB 会暴露相同的明文分组，请勿用于加密数据"},
	algorithm.NoIntegrity: {EN: "no integrity: changed ciphertext goes unnoticed; add a MAC, or use an authenticated mode",
		ZH: "无完整性保护：密文被篡改也无法察觉。请附加 MAC，或改用认证加密模式（如 GCM）"},
	algorithm.BrokenMD5: {EN: "MD5 is broken: collisions take seconds to make; " + againstErrors,
		ZH: "MD5 已被攻破：数秒内即可构造碰撞；只能检测意外差错，不能防范攻击者"},
	algorithm.BrokenSHA1: {EN: "SHA-1 is broken: collisions have been made; " + againstErrors,
		ZH: "SHA-1 已被攻破：已有实际碰撞；只能检测意外差错，不能防范攻击者"},
	algorithm.ShortKey: {EN: "RSA with 1024 bits is too short for any new use",
		ZH: "1024 比特 RSA 密钥长度不足，不应再使用"},
	algorithm.PaddingOracle: {EN: "PKCS #1 v1.5 encryption is open to padding-oracle attacks (Bleichenbacher); use OAEP",
		ZH: "PKCS #1 v1.5 加密易受填充预言机攻击（padding oracle，Bleichenbacher），请改用 OAEP"},
	algorithm.ReusedKey: {EN: "one content key for many messages: a repeated nonce breaks GCM, so at most 2^32 messages " +
		"per key with random nonces (NIST SP 800-38D §8.3); whoever learns the key reads every message",
		ZH: "多条消息共用内容密钥：GCM 的 nonce 一旦重复即失去安全性，随机 nonce 下每个密钥最多用于 2^32 条消息" +
			"（NIST SP 800-38D §8.3）；密钥一旦泄露，全部消息均可被解密"},
	algorithm.LittleMemory: {EN: "it takes next to no memory, so that an attacker's graphics cards try many passwords at once; prefer Argon2id or scrypt",
		ZH: "几乎不占内存，攻击者可用显卡同时试大量口令；请优先选用 Argon2id 或 scrypt"},
	algorithm.Compressed: {EN: "compressed before encryption: the lengths reveal the content (CRIME, BREACH); " +
		"never compress secrets together with data that others choose",
		ZH: "先压缩后加密：密文长度会泄露内容信息（CRIME、BREACH 攻击），切勿将机密与他人可控的数据一起压缩"},
}

// noteCCM is what CCM asks of its user, however secure it is.
var noteCCM = layout.Text{EN: "CCM goes over the data twice and must know a message's length before its first byte, " +
	"so nothing can be streamed; with tags of less than 8 bytes forgeries are found by trial (NIST SP 800-38C, appendix B.2)",
	ZH: "CCM 要把数据处理两遍，且必须先知道消息长度，无法流式处理；标签短于 8 字节时，攻击者反复尝试即可伪造（NIST SP 800-38C 附录 B.2）"}

const againstErrors = "use it only to detect accidental changes, never against attackers"

// SecurityNote is what is said of a weakness.
func SecurityNote(w algorithm.Weakness) layout.Text { return securityNotes[w] }

// Weaknesses are why a row's code is not to be chosen for its speed.
func (r *Row) Weaknesses() []algorithm.Weakness {
	return weaknessesOf(r.Case())
}

func weaknessesOf(c result.Case) []algorithm.Weakness {
	weaknesses := algorithm.Weaknesses(c.Algorithm, c.Mode)
	if strings.HasPrefix(c.Mode, algorithm.PKCS1v15) && strings.Contains(c.Operation, "crypt") {
		weaknesses = append(weaknesses, algorithm.PaddingOracle)
	}
	if parameter.ContentKey.In(c.Parameters) == parameter.KeyReused {
		weaknesses = append(weaknesses, algorithm.ReusedKey)
	}
	if compress := parameter.Compress.In(c.Parameters); compress != "" && compress != parameter.Uncompressed {
		weaknesses = append(weaknesses, algorithm.Compressed)
	}
	return weaknesses
}

func securityOf(c result.Case) (notes []layout.Text) {
	for _, w := range weaknessesOf(c) {
		notes = append(notes, securityNotes[w])
	}
	if c.Mode == algorithm.CCM {
		notes = append(notes, noteCCM)
	}
	return notes
}

// Code that computes one output wrongly is not to be used, so none of its speeds is
// shown: not that of the wrong row, and not those at the sizes, directions and call
// paths at which the same code was right. Nothing that is derived from rows (a
// comparison, a fit, an answer) has to ask.

// Code is what is right or wrong as a whole: a subject's algorithm and mode. Size,
// operation and call path are left out.
type Code struct {
	Library, Version string
	Implementation   string // "" where the library chooses
	Environment      string
	Algorithm, Mode  string
	// Use is how the code is used where that is special, as parameters: "" is the
	// plain use. What is wrong in plain use is wrong in every other.
	Use string
}

// Code is the code that the row ran.
func (r *Row) Code() Code {
	c := Code{r.Library, r.Version, r.Implementation, r.Environment, r.Algorithm, r.Mode, r.Parameters}
	if r.chosen { // another may be at another size
		c.Implementation = ""
	}
	c.Use = parameter.Without(c.Use, parameter.Chunk, parameter.Request) // sizes
	if parameter.Holding.In(c.Use) == parameter.Shared && r.Goroutines() > 1 {
		c.Use = parameter.With(c.Use, parameter.Goroutines.Name()+"=several") // how many met in a call is chance
	}
	if way, _ := r.Way(); way != "" {
		c.Use = parameter.Without(c.Use, parameter.Way, parameter.Call)
	}
	return c
}

func (c Code) plain() Code { c.Use = ""; return c }

// withhold takes the numbers from the rows of code that was wrong elsewhere, before
// there are any.
func (b *builder) withhold() {
	named := map[result.Subject]bool{}
	for _, l := range b.run.Header.Libraries {
		named[result.Subject{Library: l.Library, Implementation: l.Implementation}] = true
	}
	wrong := map[Code]bool{}
	for _, r := range b.doc.Rows {
		r.chosen = !named[result.Subject{Library: r.Library, Implementation: r.Implementation}]
		if r.Status == result.Incorrect {
			wrong[r.Code()] = true
		}
	}
	for _, r := range b.doc.Rows {
		if c := r.Code(); r.Status == result.OK && (wrong[c] || wrong[c.plain()]) {
			r.unstable(doubt{exact: reason.Cause("wrong-elsewhere")})
			r.Withheld = true
		}
	}
}

// Wrong are the rows whose output was wrong, by the code they ran, in their order.
// What was not known to be wrong comes first.
func (d *Document) Wrong() [][]*Row {
	wrong := slices.DeleteFunc(slices.Clone(d.Rows), func(r *Row) bool { return r.Status != result.Incorrect })
	var codes, known [][]*Row
	for _, rows := range Grouped(wrong, (*Row).Code) {
		if rows[0].Exhibit() {
			known = append(known, rows)
		} else {
			codes = append(codes, rows)
		}
	}
	return append(codes, known...)
}

// Exhibit says that the row is shown because its output is known to be wrong.
func (r *Row) Exhibit() bool { return r.Info != nil && r.Info.Exhibit }
