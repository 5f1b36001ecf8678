package answer

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// Metric is a row's metric where the row may be believed.
func Metric(r *document.Row, name string) (document.Metric, bool) {
	if r == nil || r.Status != result.OK {
		return document.Metric{}, false
	}
	m, ok := r.Metrics[name]
	return m, ok
}

func Number(n int) layout.Text { return layout.Same(strconv.Itoa(n)) }

// WorthHaving is the factor below which more goroutines than CPUs bring nothing worth having.
const WorthHaving = 1.1

// JoinWith strings texts together by separators.
func JoinWith(parts []layout.Text, en, zh string) layout.Text {
	var ens, zhs []string
	for _, p := range parts {
		ens, zhs = append(ens, p.EN), append(zhs, p.ZH)
	}
	return layout.Text{EN: strings.Join(ens, en), ZH: strings.Join(zhs, zh)}
}

// AllTheirs is the share of the CPUs that goroutines must have had for a sentence
// about what CPUs do when all are busy.
const AllTheirs = 0.9

// CPUsHad is how many CPUs the goroutines of a row had on average: fewer than they
// could use where they waited, or other programs had the rest.
func CPUsHad(r *document.Row) (cpus float64, ok bool) {
	rate, ok := Speed(r)
	if !ok || r.BusyBytesPerSecondPC == nil || *r.BusyBytesPerSecondPC <= 0 {
		return 0, false
	}
	return rate / *r.BusyBytesPerSecondPC, true
}

// Because are the reason why a row has no numbers, and its notes.
func Because(r *document.Row) []layout.Text {
	notes := slices.Clone(r.Notes)
	if r.Status == result.Unstable && r.Why.EN != "" {
		return append([]layout.Text{r.Why}, notes...)
	}
	if r.Status != result.OK && r.Reason != "" {
		return append([]layout.Text{ReasonOf(r)}, notes...)
	}
	return notes
}

// ExchangeOperation names a step in both languages.
func ExchangeOperation(op string) layout.Text {
	switch op {
	case algorithm.Generate:
		return layout.Text{EN: "key generation", ZH: "密钥生成"}
	case algorithm.Encapsulate:
		return layout.Text{EN: "the reply", ZH: "应答（封装）"}
	case algorithm.Decapsulate:
		return layout.Text{EN: "reading the reply", ZH: "读取应答（解封装）"}
	}
	if op == algorithm.SessionKey {
		return layout.Text{EN: "HKDF", ZH: "HKDF 派生"}
	}
	return layout.Text{EN: "the whole exchange", ZH: "完整交换"}
}

func IsMix(r *document.Row) bool {
	return result.Case{Parameters: r.Parameters}.Parameter("sizes") == "mix"
}

// length says how long a row's messages are.
func length(r *document.Row) layout.Text {
	if IsMix(r) {
		return layout.Text{EN: "your mix", ZH: "您的消息长度分布"}
	}
	return layout.Same(SizeText(r.Bytes))
}

// Ranging prints an interval of times.
func Ranging(low, high float64) string { return Span(low, high, layout.FormatTime) }

// PlainOperation says whether a row is a plain operation of a mode, as against helpers,
// which do more inside the call, and scenarios.
func PlainOperation(r *document.Row) bool {
	return r.Operation == algorithm.Encrypt || r.Operation == algorithm.Decrypt
}

// Operation names a direction in both languages.
func Operation(op string) layout.Text {
	switch op {
	case algorithm.Encrypt:
		return layout.Text{EN: "encryption", ZH: "加密"}
	case algorithm.Decrypt:
		return layout.Text{EN: "decryption", ZH: "解密"}
	case algorithm.InitEncryptPad:
		return layout.Text{EN: "key schedule, padding and encryption in one call", ZH: "一次调用内完成密钥扩展、填充与加密"}
	case algorithm.InitDecryptPad:
		return layout.Text{EN: "key schedule, decryption and unpadding in one call", ZH: "一次调用内完成密钥扩展、解密与去填充"}
	case algorithm.InitEncrypt:
		return layout.Text{EN: "key schedule and encryption in one call", ZH: "一次调用内完成密钥扩展与加密"}
	case algorithm.InitDecrypt:
		return layout.Text{EN: "key schedule and decryption in one call", ZH: "一次调用内完成密钥扩展与解密"}
	}
	return primitiveOperation(op)
}

// lengths names the sizes of two rows, where they have one.
func lengths(base, other *document.Row) []layout.Text {
	switch {
	case base.Bytes == 0 && other.Bytes == 0:
		return nil
	case base.Bytes != other.Bytes:
		return []layout.Text{layout.Same(SizeText(other.Bytes) + " / " + SizeText(base.Bytes))}
	}
	return []layout.Text{length(base)}
}

var Yes = layout.Text{EN: "yes", ZH: "是"}

var No = layout.Text{EN: "no", ZH: "否"}

var Unknown = layout.Text{EN: "unknown", ZH: "未知"}

// Label is a subject's name as a sentence says it.
func Label(name string) layout.Text {
	if IsNew(name) {
		return layout.Text{EN: name + " (new)", ZH: name + "（新）"}
	}
	return layout.Same(name)
}

func SizeText(n int64) string { return layout.FormatSize(n) }

// List strings short texts together, and Semicolons those that have commas of their own.
func List(parts []layout.Text) layout.Text       { return JoinWith(parts, ", ", "、") }
func Semicolons(parts []layout.Text) layout.Text { return JoinWith(parts, "; ", "；") }

// Join strings texts together with the comma of each language.
func Join(parts []layout.Text) layout.Text { return JoinWith(parts, ", ", "，") }

func Implementation(r *document.Row) string {
	if r.Implementation == "" {
		return "unknown"
	}
	return r.Implementation
}

// Engine is the library name of cryptogauge's own engine, which is marked new.
const Engine = "cryptogauge"

// ReasonOf is why a row has no number: exact in English, as the run file has it, and
// in Chinese as exact as there are words for it.
func ReasonOf(r *document.Row) layout.Text {
	t := reason.Said(r.Reason, r.Cause)
	if r.Status == result.Unstable {
		t.ZH = r.Why.ZH
	}
	return t
}

func CaseName(algorithm, mode string) string {
	if mode == "" {
		return algorithm
	}
	return algorithm + "-" + mode
}

// SplitNotes takes the footnotes that say what a mode gives away from those that doubt
// a number: they belong beside the mode, once.
func SplitNotes(notes []layout.Text, security []string) (ofMode, ofNumber []layout.Text) {
	for _, n := range notes {
		if slices.Contains(security, n.EN) {
			ofMode = append(ofMode, n)
		} else {
			ofNumber = append(ofNumber, n)
		}
	}
	return ofMode, ofNumber
}

// primitiveOperation names what is done where it is neither encryption nor decryption.
func primitiveOperation(op string) layout.Text {
	switch op {
	case algorithm.Schedule:
		return layout.Text{EN: "key schedule", ZH: "密钥扩展"}
	case algorithm.New:
		return layout.Text{EN: "constructor", ZH: "构造"}
	case algorithm.NewEncrypt:
		return layout.Text{EN: "new each time", ZH: "每次新建"}
	case algorithm.Hash:
		return layout.Text{EN: "hashing", ZH: "杂凑"}
	case algorithm.MAC:
		return layout.Text{EN: "authentication", ZH: "消息鉴别"}
	case algorithm.Derive:
		return layout.Text{EN: "key derivation", ZH: "密钥派生"}
	case algorithm.Sign:
		return layout.Text{EN: "signing", ZH: "签名"}
	case algorithm.Verify:
		return layout.Text{EN: "verification", ZH: "验签"}
	case algorithm.Agree:
		return layout.Text{EN: "key agreement", ZH: "密钥协商"}
	}
	return layout.Same(op)
}

// Doubts are the notes of a row but for those on security, which stand beside its name.
func Doubts(r *document.Row) []layout.Text {
	_, rest := SplitNotes(r.Notes, r.Security)
	return rest
}

// PrimitiveName names a row by what is done.
func PrimitiveName(r *document.Row) layout.Text {
	name := layout.Same(CaseName(r.Algorithm, r.Mode))
	switch {
	case r.Mode == algorithm.OneBlock:
		name = layout.Say("%s, one block", "%s 单个分组", layout.Same(r.Algorithm))
		if r.Operation == algorithm.Encrypt {
			return name
		}
		return layout.Say("%s, %s", "%s，%s", name, Operation(r.Operation))
	case r.Operation == algorithm.Hash || r.Operation == algorithm.MAC:
		return name
	}
	return layout.Say("%s, %s", "%s，%s", name, Operation(r.Operation))
}

// Upper begins an English sentence.
func Upper(t layout.Text) layout.Text {
	if t.EN != "" && t.EN[0] >= 'a' && t.EN[0] <= 'z' {
		t.EN = string(t.EN[0]-'a'+'A') + t.EN[1:]
	}
	return t
}

// MemoryText prints bytes of memory to three figures: "8.01 MiB".
func MemoryText(bytes float64) string {
	for _, u := range []struct {
		name string
		size float64
	}{{"MiB", 1 << 20}, {"KiB", 1 << 10}} {
		if bytes >= u.size {
			return layout.FormatNumber(bytes/u.size) + " " + u.name
		}
	}
	return layout.FormatNumber(bytes) + " B"
}
