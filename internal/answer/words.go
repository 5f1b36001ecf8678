package answer

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

var (
	Yes     = layout.Text{EN: "yes", ZH: "是"}
	No      = layout.Text{EN: "no", ZH: "否"}
	Unknown = layout.Text{EN: "unknown", ZH: "未知"}
)

// operations are what is done, in the middle of a sentence.
var operations = map[algorithm.Operation]layout.Text{
	algorithm.Encrypt:        {EN: "encryption", ZH: "加密"},
	algorithm.Decrypt:        {EN: "decryption", ZH: "解密"},
	algorithm.InitEncryptPad: {EN: "key schedule, padding and encryption in one call", ZH: "一次调用内完成密钥扩展、填充与加密"},
	algorithm.InitDecryptPad: {EN: "key schedule, decryption and unpadding in one call", ZH: "一次调用内完成密钥扩展、解密与去填充"},
	algorithm.InitEncrypt:    {EN: "key schedule and encryption in one call", ZH: "一次调用内完成密钥扩展与加密"},
	algorithm.InitDecrypt:    {EN: "key schedule and decryption in one call", ZH: "一次调用内完成密钥扩展与解密"},
	algorithm.Schedule:       {EN: "key schedule", ZH: "密钥扩展"},
	algorithm.New:            {EN: "constructor", ZH: "构造"},
	algorithm.NewEncrypt:     {EN: "new each time", ZH: "每次新建"},
	algorithm.Hash:           {EN: "hashing", ZH: "杂凑"},
	algorithm.MAC:            {EN: "authentication", ZH: "计算 MAC"},
	algorithm.EncryptMany:    {EN: "encryption of many messages", ZH: "批量消息加密"},
	algorithm.MACMany:        {EN: "authentication of many messages", ZH: "批量计算 MAC"},
	algorithm.Draw:           {EN: "random generation", ZH: "生成随机数"},
	algorithm.Derive:         {EN: "key derivation", ZH: "密钥派生"},
	algorithm.Sign:           {EN: "signing", ZH: "签名"},
	algorithm.Verify:         {EN: "verification", ZH: "验签"},
	algorithm.Agree:          {EN: "key agreement", ZH: "密钥协商"},
	algorithm.Generate:       {EN: "key generation", ZH: "密钥生成"},
	algorithm.Precompute:     {EN: "Precompute", ZH: "预计算（Precompute）"},
	algorithm.Encapsulate:    {EN: "the reply", ZH: "应答（封装）"},
	algorithm.Decapsulate:    {EN: "reading the reply", ZH: "读取应答（解封装）"},
	algorithm.Session:        {EN: "the whole exchange", ZH: "完整交换"},
	algorithm.SessionKey:     {EN: "HKDF", ZH: "HKDF 派生"},
}

// Operation names what is done; what it does not know, as the run file does.
func Operation(op string) layout.Text { return cmp.Or(operations[op], layout.Same(op)) }

// InPlan names an operation in the titles of a plan's groups: in English as the run file does.
func InPlan(op string) layout.Text { return layout.Text{EN: op, ZH: Operation(op).ZH} }

// KeyOperation names what is done with a key pair: "verifying takes …".
func KeyOperation(op string) layout.Text {
	if op == algorithm.Verify {
		return layout.Text{EN: "verifying", ZH: "验签"}
	}
	return Operation(op)
}

// PlainOperation says whether a row is a plain operation of a mode, as against helpers,
// which do more inside the call, and scenarios.
func PlainOperation(r *document.Row) bool {
	return r.Operation == algorithm.Encrypt || r.Operation == algorithm.Decrypt
}

func CaseName(name, mode string) string { return strings.TrimSuffix(name+"-"+mode, "-") }

// PrimitiveName names a row by what is done.
func PrimitiveName(r *document.Row) layout.Text {
	name, op := CipherText(r), r.Operation
	if r.Mode == algorithm.OneBlock {
		name = layout.Say("%s, one block", "%s 单个分组", r.Algorithm)
	}
	if op == algorithm.Hash || op == algorithm.MAC || op == algorithm.Encrypt && r.Mode == algorithm.OneBlock {
		return name
	}
	return layout.Say("%s, %s", "%s，%s", name, Operation(op))
}

// held are the ways in which a private key is held, where it is not as usual.
var held = map[string]layout.Text{
	parameter.WithoutCRT:    {EN: "without primes (no CRT)", ZH: "无素因子（不用 CRT）"},
	parameter.NotComputed:   {EN: "not precomputed", ZH: "未预计算"},
	parameter.PrecomputedZA: {EN: "ZA computed once", ZH: "ZA 预先算好"},
}

// CaseText names what a row does with a key pair, without who does it.
func CaseText(r *document.Row) layout.Text {
	return layout.Listed([]layout.Text{paddedOperation(r), keyHeld(r)})
}

func paddedOperation(r *document.Row) layout.Text {
	text := KeyOperation(r.Operation)
	if r.Mode != "" {
		text = layout.Say("%s %s", "%s %s", algorithm.Padding(r.Mode), text)
	}
	return text
}

// keyHeld says how a private key is held; nothing where it is as usual.
func keyHeld(r *document.Row) layout.Text {
	if r.Parameters == "" || parameter.Draws.Has(r.Parameters) {
		return layout.Text{}
	}
	return cmp.Or(held[r.Parameters], layout.Same(r.Parameters))
}

// Label is a subject's name as a sentence says it.
func Label(name string) layout.Text {
	said := document.KernelText(name)
	if IsNew(name) {
		return layout.Say("%s (new)", "%s（新）", said)
	}
	return said
}

// Versioned names a row's library with its version, and that of a view only where the question has several.
func Versioned(r *document.Row) string { return r.Library + " " + r.Version }

func (v *View) Versioned(r *document.Row) string {
	if v.First(func(x *document.Row) bool { return x.Library == r.Library && x.Version != r.Version }) != nil {
		return Versioned(r)
	}
	return r.Library
}

func Implementation(r *document.Row) string { return cmp.Or(r.Implementation, "unknown") }

// KernelText names a row's implementation for a reader.
func KernelText(r *document.Row) layout.Text { return document.KernelText(Implementation(r)) }

func SizeText(n int64) string { return layout.FormatSize(n) }

func IsMix(r *document.Row) bool { return parameter.Sizes.In(r.Parameters) == parameter.Mix }

// length names a row's size, where it has one.
func length(r *document.Row) layout.Text {
	switch {
	case r.Bytes == 0:
		return layout.Text{}
	case IsMix(r):
		return layout.Text{EN: "your mix", ZH: "你的消息长度分布"}
	}
	return layout.Same(SizeText(r.Bytes))
}

// Why is the reason why a row has no number, and its notes.
func Why(r *document.Row) []layout.Text {
	switch {
	case r.Status == result.Unstable && r.Why.EN != "":
		return append([]layout.Text{r.Why}, r.Notes...)
	case r.Status != result.OK && r.Reason != "":
		return append([]layout.Text{ReasonOf(r)}, r.Notes...)
	}
	return r.Notes
}

// ReasonOf is why a row has no number: exact in English, as the run file has it, and
// in Chinese as exact as there are words for it.
func ReasonOf(r *document.Row) layout.Text {
	t := reason.Said(r.Reason, r.Cause)
	if r.Status == result.Unstable {
		t.ZH = r.Why.ZH
	}
	return t
}

// SplitNotes takes the footnotes that say what a mode gives away from those that doubt
// a number: they belong beside the mode, once.
func SplitNotes(notes []layout.Text, security []string) (ofMode, ofNumber []layout.Text) {
	secure := func(n layout.Text) bool { return slices.Contains(security, n.EN) }
	return Select(notes, secure), Select(notes, func(n layout.Text) bool { return !secure(n) })
}

// Doubts are the notes of a row but for those on security, which stand beside its name.
func Doubts(r *document.Row) []layout.Text {
	_, rest := SplitNotes(r.Notes, r.Security)
	return rest
}

// Join strings texts together with the comma of each language, List short ones, and
// Semicolons those that have commas of their own.
func Join(parts []layout.Text) layout.Text       { return layout.JoinWith(parts, ", ", "，") }
func List(parts []layout.Text) layout.Text       { return layout.JoinWith(parts, ", ", "、") }
func Semicolons(parts []layout.Text) layout.Text { return layout.JoinWith(parts, "; ", "；") }

func namesOf(all []string) layout.Text { return List(document.Mapped(all, layout.Same)) }

// Upper begins an English sentence.
func Upper(t layout.Text) layout.Text {
	if t.EN != "" {
		t.EN = strings.ToUpper(t.EN[:1]) + t.EN[1:]
	}
	return t
}

func Number(n int) layout.Text { return layout.Same(strconv.Itoa(n)) }

// Ranging prints an interval of times.
func Ranging(low, high float64) string { return Span(low, high, layout.FormatTime) }

// CallBytes prints bytes per call; a pool that the collector empties now and then
// allocates a fraction of one.
func CallBytes(x float64) string {
	if x < 999.5 {
		return fmt.Sprintf("%.0f B", x)
	}
	return strings.TrimSuffix(layout.FormatRate(x), "/s")
}

// cost is what each of the messages of a row's call takes: "295 ns (0 allocations)".
func cost(r *document.Row) layout.Text {
	messages := float64(MessagesOf(r))
	took := layout.Same(layout.FormatTime(r.NsPerOp.Median / messages))
	if r.AllocsPerOp == nil {
		return took
	}
	n := layout.FormatCount(*r.AllocsPerOp / messages)
	if n == "1" {
		return layout.Say("%s (%s allocation)", "%s（分配 %s 次）", took, n)
	}
	return layout.Say("%s (%s allocations)", "%s（分配 %s 次）", took, n)
}

// KeptOrNew words what a message takes with a cipher that is kept, the base of a comparison, and with a new one.
func (v *View) KeptOrNew(name layout.Text, c *document.Comparison) layout.Text {
	doubt := layout.Text{}
	if !Differs(c) {
		doubt = layout.Say(", %s", "，%s", c.VerdictText())
	}
	return layout.Say("%s %s kept, %s new, %s times as long (%s%s)", "%s 复用时 %s，新建时 %s，为 %s 倍（%s%s）",
		name, cost(v.ByID[c.Base]), cost(v.ByID[c.Other]), Factor(1/c.Ratio), LimitsSlower(c), doubt)
}

// MemoryText prints bytes of memory to three figures: "8.01 MiB".
func MemoryText(bytes float64) string {
	switch {
	case bytes >= 1<<20:
		return layout.FormatNumber(bytes/(1<<20)) + " MiB"
	case bytes >= 1<<10:
		return layout.FormatNumber(bytes/(1<<10)) + " KiB"
	}
	return layout.FormatNumber(bytes) + " B"
}

// CPUs counts them.
func CPUs(n int) layout.Text { return document.Counted(n, "%d CPU", "%d CPUs", "%d 个 CPU") }
