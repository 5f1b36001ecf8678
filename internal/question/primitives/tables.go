package primitives

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

var primitive = answer.Words("Primitive", "原语", answer.NameCell)

// costColumns are those that every table of this experiment ends with: the time of an
// operation, or why there is none; the rate where it has a size; how many are done in a
// second.
var costColumns = []answer.RowColumns{
	answer.Figure("time", "单次耗时", answer.MessageTime),
	answer.Rate,
	answer.Shown("per second", "每秒次数", answer.Nanoseconds,
		func(ns float64) string { return answer.Prefixed(1e9/ns, 999.5) }),
	answer.Figure("allocs", "分配次数", func(r *document.Row) layout.Cell {
		if _, ok := answer.Nanoseconds(r); !ok {
			return answer.Dash()
		}
		return answer.AllocsEach(r)
	}),
}

// group is a table of rows that keep passes, with a line for each.
func (p *primitivesView) group(title, caption layout.Text, keep func(*document.Row) bool) layout.Table {
	return answer.Table[*document.Row]{Title: title, Caption: caption,
		Columns: append([]answer.RowColumns{primitive, answer.Library, answer.Kernel}, costColumns...),
	}.Of(p.Select(func(r *document.Row) bool { return p.shown(r) && keep(r) }))
}

// headline is the table for the quick screen: of each kind the one that people ask for,
// in the library that has it first, and in those that a worker of the user's brings.
func (p *primitivesView) headline() layout.Table {
	var rows []*document.Row
	for _, c := range []result.Case{
		encrypt(algorithm.AES128, algorithm.GCM), plan.Of(algorithm.AES128, algorithm.GCM, algorithm.NewEncrypt),
		encrypt(algorithm.SM4, algorithm.GCM), plan.Of(algorithm.SM4, algorithm.GCM, algorithm.NewEncrypt),
		alone(algorithm.SHA256, algorithm.Hash), alone(algorithm.SM3, algorithm.Hash),
		rsa(algorithm.PKCS1v15Sign, algorithm.Sign), rsa(algorithm.PKCS1v15Sign, algorithm.Verify),
		alone(algorithm.SM2, algorithm.Sign), alone(algorithm.SM2, algorithm.Verify)} {
		first := p.first(c)
		rows = append(rows, first)
		rows = append(rows, p.Select(func(r *document.Row) bool {
			return r != first && p.is(r, c) && !slices.Contains(subject.Libraries(), r.Library)
		})...)
	}
	return answer.Table[*document.Row]{
		Title:   layout.Say("Primitives, messages of %s", "密码原语，消息长度 %s", answer.SizeText(p.at)),
		Columns: append([]answer.RowColumns{primitive, answer.Library}, costColumns...),
	}.Of(answer.Present(rows))
}

func (p *primitivesView) tables() []layout.Table {
	at := answer.SizeText(p.at)
	return answer.NonEmpty(
		p.group(layout.Say("Messages of %s", "%s 消息", at), layout.Text{
			EN: "The key is set before; the output goes into a buffer that is reused. For key derivation the size is that of the result.",
			ZH: "密钥已预先设置，输出写入复用的缓冲区。密钥派生一项的长度指输出长度。"},
			func(r *document.Row) bool { return hasMessage(r) && !isSetup(r) }),
		p.group(layout.Text{EN: "One block, by itself", ZH: "单个分组"}, layout.Text{
			EN: "16 bytes per call of cipher.Block, including the cost of the timing loop. For the rate of a mode on many blocks see above.",
			ZH: "每次调用 cipher.Block 处理 16 字节，含计时循环自身的开销。工作模式处理多个分组的速率见上表。"},
			func(r *document.Row) bool { return r.Mode == algorithm.OneBlock }),
		p.group(layout.Say("Setup before the first message, and a new cipher for each message of %s",
			"首条消息之前的开销，以及每条 %s 消息新建 cipher 实例", at), layout.Text{
			EN: "The constructor includes the key schedule; with a reused cipher this is paid once. New each time: constructor plus message.",
			ZH: "构造包含密钥扩展，复用 cipher 实例时只需付出一次；“每次新建”为构造与加密消息之和。"}, isSetup),
		p.group(layout.Text{EN: "Public-key operations", ZH: "公钥密码"}, layout.Text{
			EN: "RSA and ECDSA sign a ready digest; SM2 hashes the signer's identity and a message of 32 bytes in the call. " +
				"What is encrypted is a key of 32 bytes.",
			ZH: "RSA 与 ECDSA 对已算好的摘要签名；SM2 在调用内对签名者标识与 32 字节消息做杂凑。加密的内容为 32 字节密钥。"},
			func(r *document.Row) bool { return r.Bytes == 0 && !isSetup(r) }),
		p.group(layout.Text{EN: "A random nonce or IV", ZH: "随机 nonce 或 IV"}, layout.Text{
			EN: "12 bytes for a nonce, 16 for an IV, from the library's random number generator. A counter instead costs nothing, where one sender alone uses the key.",
			ZH: "nonce 12 字节、IV 16 字节，由该库的随机数发生器生成。若密钥只有一个发送方使用，可改用计数器，几乎没有开销。"},
			func(r *document.Row) bool { return r.Operation == algorithm.Draw }),
		p.bySize(), p.Costs())
}

// bySize is the time of an operation at every size, where there are several.
func (p *primitivesView) bySize() layout.Table {
	if len(p.sizes) < 2 {
		return layout.Table{}
	}
	first := func(k answer.Key) *document.Row {
		return p.First(func(r *document.Row) bool { return hasMessage(r) && p.Sizeless(r) == k })
	}
	return answer.Table[answer.Key]{
		Title: layout.Text{EN: "Time of an operation, by size", ZH: "各消息长度的单次耗时"},
		Row:   first,
		Columns: []answer.Columns[answer.Key]{
			answer.On(first, primitive),
			answer.By(func(k answer.Key) string { return k.Subject }),
			answer.EachSize(p.sizes, func(k answer.Key, size int64) layout.Cell { return answer.MessageTime(p.At(k, size)) }),
		},
	}.Of(p.messageKeys())
}

// messageKeys are what was measured on messages, without their sizes, in order.
func (p *primitivesView) messageKeys() []answer.Key {
	return answer.Values(p.Rows, p.Sizeless, hasMessage)
}

// charts are the ratios that the sentences stand on, then speed over size beside
// the cost model, a chart a kind of primitive.
func (p *primitivesView) charts() []layout.Chart {
	out := p.RatioChart(p.Contrast)
	if len(p.sizes) < 2 {
		return out
	}
	for _, kind := range []struct {
		title layout.Text
		keep  func(*document.Row) bool
	}{
		{layout.Text{EN: "Ciphers with integrity, encryption: speed over message size", ZH: "带完整性的对称密码加密：吞吐量与消息长度"},
			func(r *document.Row) bool {
				return r.Operation == algorithm.Encrypt && algorithm.Authenticates(r.Algorithm, r.Mode)
			}},
		{layout.Text{EN: "Ciphers without integrity, encryption: speed over message size", ZH: "无完整性的对称密码加密：吞吐量与消息长度"},
			func(r *document.Row) bool {
				return r.Operation == algorithm.Encrypt && !algorithm.Authenticates(r.Algorithm, r.Mode)
			}},
		{layout.Text{EN: "A new cipher for each message: speed over message size", ZH: "每条消息新建 cipher 实例：吞吐量与消息长度"},
			func(r *document.Row) bool { return r.Operation == algorithm.NewEncrypt }},
		{layout.Text{EN: "Hashes and MACs: speed over message size", ZH: "杂凑与消息鉴别码：吞吐量与消息长度"},
			func(r *document.Row) bool { return r.Operation == algorithm.Hash || r.Operation == algorithm.MAC }},
	} {
		var lines []answer.Line
		for _, k := range p.messageKeys() {
			lines = append(lines, answer.Line{Name: layout.Same(k.Subject + " " + answer.CaseName(k.Algorithm, k.Mode)),
				New: answer.IsNew(k.Subject), Rows: answer.Select(p.AtEach(k, p.sizes),
					func(r *document.Row) bool { return r != nil && kind.keep(r) })})
		}
		out = append(out, p.Lines(layout.Chart{Title: kind.title, Caption: layout.Text{
			EN: "Points are measured; dotted lines are the cost model, fixed part plus bytes over rate.",
			ZH: "点为实测值，虚线为代价模型：固定开销加字节数除以吞吐量。"}}, lines, answer.Point)...)
	}
	return out
}
