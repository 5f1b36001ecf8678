package startup

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
)

// way is when secrets are opened, and what lies open for it.
type way struct{ name, does, disk, memory layout.Text }

var (
	plain, nothing = layout.Text{EN: "plain", ZH: "明文"}, layout.Text{EN: "nothing", ZH: "无"}
	every          = layout.Text{EN: "every secret", ZH: "全部机密"}
)

func wayOf(o parameter.Opening) way {
	return map[parameter.Opening]way{
		parameter.Never: {plain, plain, every, every},
		parameter.AtStart: {layout.Text{EN: "at start", ZH: "启动时"}, layout.Text{EN: "opened at start", ZH: "启动时解密"},
			nothing, every},
		parameter.OnUse: {layout.Text{EN: "on each use", ZH: "每次使用时"}, layout.Text{EN: "opened on each use", ZH: "每次使用时解密"},
			nothing, layout.Text{EN: "the key, the secret in use", ZH: "密钥、正在使用的机密"}},
		parameter.OnFirst: {layout.Text{EN: "on first use", ZH: "首次使用时"},
			layout.Text{EN: "opened on first use", ZH: "首次使用时解密"}, nothing,
			layout.Text{EN: "the key, every secret used", ZH: "密钥、用过的机密"}},
	}[o]
}

type opening struct {
	*setup
	way parameter.Opening
}

func (o opening) start() *document.Row { return o.starts[o.way] }
func (o opening) use() *document.Row   { return o.uses[o.way] }

// shown is what all tables of ways have.
func shown() answer.Columns[opening] {
	return slices.Concat(
		answer.Told("opened", "解密时机", func(o opening) layout.Text { return wayOf(o.way).name }),
		answer.On(opening.start, answer.Figure("first request after", "首个请求", answer.TimeBeside)),
		answer.On(opening.use, answer.Figure("a use", "每次使用", answer.TimeBeside)),
		answer.On(opening.start, answer.MetricFigure("holds", "占用内存", "held_bytes", answer.MemoryText)))
}

func waysOf(u *setup) (all []opening) {
	for _, o := range openings {
		if u != nil && (u.starts[o] != nil || u.uses[o] != nil) {
			all = append(all, opening{u, o})
		}
	}
	return all
}

// ways are those of the configuration that the answer is about.
func (s *view) ways() layout.Table {
	u := s.main()
	if u == nil {
		return layout.Table{}
	}
	return answer.Table[opening]{
		Title: layout.Say("%s: when they are opened", "%s：何时解密", u.called()),
		Caption: layout.Text{
			EN: "The file is in memory already, and the key unwrapped. On disk: the configuration itself; the wrapped key lies beside it " +
				"or elsewhere. The key may be wiped after a start that opened everything.",
			ZH: "文件已在内存中，密钥已解开。“磁盘上”指配置文件本身；封装后的密钥可与之同放或另放。启动时全部解密后，密钥即可抹除。"},
		Row: opening.start,
		Columns: []answer.Columns[opening]{shown(),
			answer.Told("open on disk", "磁盘上可见", func(o opening) layout.Text { return wayOf(o.way).disk }),
			answer.Told("open in memory", "内存中可见", func(o opening) layout.Text { return wayOf(o.way).memory })},
	}.Of(waysOf(u))
}

func (s *view) all() layout.Table {
	return answer.Table[opening]{
		Title: layout.Text{EN: "All configurations", ZH: "全部配置"},
		Caption: layout.Text{
			EN: "Pays from: the uses of any secrets from which on opening at start has taken less time in all than opening on each use.",
			ZH: "“划算所需使用次数”：各机密合计用到多少次起，启动时解密的总耗时低于每次使用时解密。"},
		Row:   opening.start,
		Group: func(o opening) layout.Text { return o.called() },
		Columns: []answer.Columns[opening]{shown(),
			answer.Shown("pays from", "划算所需使用次数", func(o opening) (float64, bool) {
				uses, ok := o.pays()
				return max(uses, 1), ok && o.way == parameter.AtStart
			}, rounded)},
	}.Of(slices.Concat(document.Mapped(s.setups, waysOf)...))
}

// keys are the ways to have the key, and what they need to be safe.
func (s *view) keys() layout.Table {
	caption := layout.Text{EN: "Private keys are loaded. The key may also be wrapped under one that a PKCS#11 token holds: name its module by --library pkcs11=PATH.",
		ZH: "私钥已载入。密钥也可由 PKCS#11 令牌中的密钥封装：请用 --library pkcs11=PATH 给出模块。"}
	columns := []answer.RowColumns{
		answer.Told("wrapped by", "封装方式", func(r *document.Row) layout.Text { return nameOf(r.Case()) }),
		answer.Library,
		answer.Figure("adds", "另需", answer.TimeCell),
	}
	if s.token() {
		caption = layout.Text{EN: "Private keys are loaded. By a token: a session is opened, the wrapping key found, the key unwrapped, and the session " +
			"closed, in wall time. Log in: once in a process, from initialising the module until the PIN was accepted.",
			ZH: "私钥已载入。令牌：打开会话、找到封装用的密钥、解开密钥并关闭会话的实际耗时。登录：每个进程一次，自初始化模块至 PIN 通过。"}
		columns = append(columns, answer.MetricFigure("log in", "登录", logIn, layout.FormatTime))
	}
	return answer.Table[*document.Row]{
		Title:   layout.Text{EN: "The key, unwrapped once per start", ZH: "每次启动解开一次的密钥"},
		Caption: caption,
		Columns: append(columns, answer.Told("who may open it", "谁能解开", holder)),
	}.Of(s.keyed)
}

func holder(r *document.Row) layout.Text {
	switch {
	case r.Parameters == passphrase():
		return layout.Text{EN: "who knows or guesses the passphrase", ZH: "知道或猜中口令者"}
	case byToken(r):
		return layout.Text{EN: "who has the token and its PIN", ZH: "持有令牌及其 PIN 者"}
	}
	return layout.Text{EN: "who has the private key", ZH: "持有私钥者"}
}

func (s *view) charts() []layout.Chart {
	return s.RatioChart(func(base, other *document.Row) layout.Text {
		if !parameter.Opened.Has(base.Parameters) || !parameter.Opened.Has(other.Parameters) {
			return layout.Text{}
		}
		what := layout.Text{EN: "a use", ZH: "一次使用"}
		if base.Operation == algorithm.StartUp {
			what = layout.Text{EN: "a start", ZH: "启动"}
		}
		return layout.Say("%s, %s, opened %s / %s", "%s，%s，%s / %s", what, answer.CaseName(base.Algorithm, base.Mode),
			wayOf(parameter.Opened.In(other.Parameters)).name, wayOf(parameter.Opened.In(base.Parameters)).name)
	})
}
