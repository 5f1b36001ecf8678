package modes

import (
	"regexp"
	"sync"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// property is what a mode allows, whoever computes it. Sources: NIST SP 800-38A
// (ECB, CBC, CFB, OFB, CTR; Appendix D for error propagation), NIST SP 800-38D
// section 8 (GCM's nonces and limits), NIST SP 800-38C (CCM; Appendix A.1 for its
// lengths, B.2 for its tags), GB/T 17964-2021, RFC 8439 section 2.8
// (ChaCha20-Poly1305), and Bellare and Namprempre 2000 on encrypt-then-MAC.
type property struct {
	mode                       string
	parallelEnc, parallelDec   layout.Text
	random                     layout.Text // one block can be decrypted without the ones before
	errors, integrity, iv, use layout.Text
}

var yes, no = answer.Yes, answer.No

var properties = []property{
	{algorithm.ECB, yes, yes, yes,
		layout.Text{EN: "the block", ZH: "本分组"}, no,
		layout.Text{EN: "none: equal blocks are visible", ZH: "无：相同分组可见"},
		layout.Text{EN: "single random blocks, such as wrapped keys; never data", ZH: "单个随机分组（如密钥包装）；切勿用于数据"}},
	{algorithm.CBC, no, yes, yes,
		layout.Text{EN: "the block and one bit of the next", ZH: "本分组及下一分组的对应位"}, no,
		layout.Text{EN: "16 bytes, unpredictable; rekey before 2^48 blocks", ZH: "16 字节，不可预测；2^48 个分组前更换密钥"},
		layout.Text{EN: "with a MAC, where a protocol asks for it", ZH: "协议要求时与 MAC 一起使用"}},
	{algorithm.CFB, no, yes, yes,
		layout.Text{EN: "one bit, the next block", ZH: "对应位及下一分组"}, no,
		layout.Text{EN: "16 bytes, unpredictable", ZH: "16 字节，不可预测"},
		layout.Text{EN: "old formats (OpenPGP)", ZH: "旧格式（OpenPGP）"}},
	{algorithm.OFB, no, no, no,
		layout.Text{EN: "one bit", ZH: "对应位"}, no,
		layout.Text{EN: "16 bytes, never repeated", ZH: "16 字节，不可重复"},
		layout.Text{EN: "noisy channels; CTR does it faster", ZH: "有噪信道；CTR 更快"}},
	{algorithm.CTR, yes, yes, yes,
		layout.Text{EN: "one bit", ZH: "对应位"}, no,
		layout.Text{EN: "counter never repeated; a repeat reveals the XOR of the two plaintexts", ZH: "计数器不可重复，重复即泄露两份明文的异或值"},
		layout.Text{EN: "disks and streams, with a MAC", ZH: "磁盘与流数据，需配合 MAC"}},
	{algorithm.GCM, yes, yes, no,
		layout.Text{EN: "whole message rejected", ZH: "整条拒绝"}, yes,
		layout.Text{EN: "12 bytes, never repeated; at most 2^32 random nonces per key; 64 GiB per message",
			ZH: "12 字节，不可重复；使用随机 nonce 时每个密钥至多 2^32 条消息；每条至多 64 GiB"},
		layout.Text{EN: "the usual choice: messages, records, TLS", ZH: "首选：消息、记录、TLS"}},
	{algorithm.CCM, no, no, no,
		layout.Text{EN: "whole message rejected", ZH: "整条拒绝"}, yes,
		layout.Text{EN: "7 to 13 bytes, never repeated; with 12 bytes 16 MiB per message; tags of 8 bytes and more",
			ZH: "7–13 字节，不可重复；12 字节时每条至多 16 MiB；标签不少于 8 字节"},
		layout.Text{EN: "TLS and radio protocols of small devices; two passes, the length known before",
			ZH: "小型设备的 TLS 与无线协议；数据处理两遍，须先知道长度"}},
	{"CBC+HMAC", no, yes, no,
		layout.Text{EN: "whole message rejected", ZH: "整条拒绝"}, yes,
		layout.Text{EN: "16 bytes, unpredictable; two keys; verify before decrypting", ZH: "16 字节，不可预测；两把密钥；先验证后解密"},
		layout.Text{EN: "where GCM is unavailable", ZH: "没有 GCM 可用时"}},
	{algorithm.ChaCha20Poly1305, yes, yes, no,
		layout.Text{EN: "whole message rejected", ZH: "整条拒绝"}, yes,
		layout.Text{EN: "12 bytes, never repeated; 256 GiB per message", ZH: "12 字节，不可重复；每条至多 256 GiB"},
		layout.Text{EN: "CPUs without AES instructions", ZH: "没有 AES 指令的 CPU"}},
}

var modeColumn = answer.Told("Mode", "工作模式", func(p property) layout.Text { return layout.Same(p.mode) })

func allowed() layout.Table {
	return answer.Table[property]{
		Title: layout.Text{EN: "What each mode allows", ZH: "各工作模式的特性"},
		Caption: layout.Text{
			EN: "Errors: what one flipped ciphertext bit changes after decryption. " +
				"Sources: NIST SP 800-38A, 800-38C and 800-38D, GB/T 17964-2021, RFC 8439.",
			ZH: "错误扩散：密文翻转一位后解密所破坏的范围。依据：NIST SP 800-38A、800-38C、800-38D，GB/T 17964-2021，RFC 8439。"},
		Columns: []answer.Columns[property]{modeColumn,
			answer.Told("parallel enc.", "并行加密", func(p property) layout.Text { return p.parallelEnc }),
			answer.Told("parallel dec.", "并行解密", func(p property) layout.Text { return p.parallelDec }),
			answer.Told("random access", "随机访问", func(p property) layout.Text { return p.random }),
			answer.Told("integrity", "完整性", func(p property) layout.Text { return p.integrity }),
			answer.Told("errors", "错误扩散", func(p property) layout.Text { return p.errors }),
		},
	}.Of(properties)
}

// rules is the table of how each mode must be used, and what for.
func rules() layout.Table {
	return answer.Table[property]{
		Title: layout.Text{EN: "Rules for the IV or nonce, and typical use", ZH: "IV / nonce 规则与典型用途"},
		Columns: []answer.Columns[property]{modeColumn,
			answer.Told("IV or nonce, and limits", "IV / nonce 规则与限制", func(p property) layout.Text { return p.iv }),
			answer.Told("typical use", "典型用途", func(p property) layout.Text { return p.use }),
		},
	}.Of(properties)
}

// selection is the matrix to choose from: mode against standard, integrity,
// constant time and rate.
func (m *modesView) selection() layout.Table {
	standard := func(k answer.Key) string { return aside().ReplaceAllString(m.either(k).Standard, "") }
	return answer.Table[answer.Key]{
		Title: layout.Say("Choosing a mode, messages of %s", "选择工作模式，消息长度 %s", answer.SizeText(m.at)),
		Row:   m.either,
		Columns: []answer.Columns[answer.Key]{
			answer.Titled("Cipher and mode", "算法与模式", cipherName), libraryColumn,
			answer.Titled("Standard", "标准", standard),
			answer.Told("integrity", "完整性", integrityOf),
			answer.Words("constant time", "常数时间", func(k answer.Key) layout.Cell {
				return answer.ConstantTime(m.row(k, algorithm.Encrypt), m.row(k, algorithm.Decrypt))
			}),
			m.timed(),
		},
	}.Of(answer.Select(m.measured(), func(k answer.Key) bool { return answer.Primary(k.Subject) }))
}

// aside is what a standard is also known as, which a narrow column leaves out.
var aside = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(` ?\([^)]*\)`) })

func integrityOf(k answer.Key) layout.Text {
	if algorithm.Authenticates(k.Algorithm, k.Mode) {
		return yes
	}
	return no
}

// ownData is the kind that a run has where the user gave it.
const ownData = "repeated_share_sample"

// repetition is the share of ciphertext blocks that repeat another.
func (m *modesView) repetition() layout.Table {
	share := func(en, zh, metric string) answer.RowColumns {
		return answer.MetricFigure(en, zh, metric, layout.FormatShare)
	}
	columns := []answer.RowColumns{
		answer.Titled("Mode", "工作模式", func(r *document.Row) string { return answer.CaseName(r.Algorithm, r.Mode) }),
		share("records", "结构化记录", "repeated_share_records"), share("text", "文本", "repeated_share_text"),
		share("zeros", "全零", "repeated_share_zeros"), share("bitmap", "位图", "repeated_share_bitmap"),
		share("random", "随机数据", "repeated_share_random"),
	}
	if m.Doc.Own != nil {
		columns = append(columns, share("your sample", "自有样本", ownData))
	}
	return answer.Table[*document.Row]{
		Title: layout.Text{EN: "Repeated-block exposure: ciphertext blocks that equal another", ZH: "重复分组暴露：与其他分组相同的密文分组占比"},
		Caption: layout.Text{EN: "1 MiB of each kind of data, of a sample at most its first; 16-byte blocks. What repeats can be seen without the key.",
			ZH: "每种数据 1 MiB，样本至多取其前 1 MiB；分组长度 16 字节。重复之处无需密钥即可看出。"},
		Columns: columns,
	}.Of(m.Select(func(r *document.Row) bool { return r.Operation == algorithm.Exposure && r.Status == result.OK }))
}
