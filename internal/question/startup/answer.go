package startup

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
)

var Question = answer.Question{Name: "startup", Narrowing: []string{"--algorithms", "--sizes", "--libraries"},
	Layout: layOut,
	Asks: layout.Text{EN: "When should a service open its secrets: at build, at start, or on each use?",
		ZH: "服务应何时解开配置中的机密：构建时、启动时，还是每次使用时？"}}

// layOut lays out what a start and a use take by when secrets are opened, and from how many uses on each way pays.
func layOut(v *answer.View) layout.Layout {
	s := newView(v)
	return layout.Layout{
		Line:     answer.FirstSaid(s.line()),
		Title:    layout.Text{EN: "Secrets of a configuration", ZH: "配置中的机密"},
		Answers:  s.answers(),
		Headline: answer.NonEmpty(s.ways(), s.keys()),
		Tables:   answer.NonEmpty(s.all()),
		Charts:   s.charts(),
		Next: []layout.Next{
			answer.Run("startup --sizes 200,2KiB", "your own sizes of secrets", "自定义机密长度"),
			s.fuller(),
		},
	}
}

// fuller is the full form, with the token that was named, or how to name one.
func (s *view) fuller() layout.Next {
	if s.token() {
		return answer.Run("startup", "10 to 100,000 secrets, SM4 too", "10 至 100,000 条机密，含 SM4")
	}
	return answer.Run("startup --library pkcs11=/usr/lib/softhsm/libsofthsm2.so",
		"10 to 100,000 secrets, SM4 too, and the key in a token (here SoftHSM's)",
		"10 至 100,000 条机密，含 SM4，以及由令牌（此处为 SoftHSM）保管的密钥")
}

// token says whether one was asked to unwrap the key.
func (s *view) token() bool { return slices.ContainsFunc(s.keyed, byToken) }

func byToken(r *document.Row) bool { return r.Operation == algorithm.Unwrap }

// logIn is what a token tells beside an unwrapping: how long it took to log in.
const logIn = "login_ns"

type view struct {
	*answer.View
	setups []*setup
	keyed  []*document.Row // how the key is unwrapped
}

// setup is a configuration under a cipher of a library.
type setup struct {
	held
	starts, uses map[parameter.Opening]*document.Row
}

type held struct {
	who, cipher string
	shape
}

func newView(v *answer.View) *view {
	s := &view{View: v}
	of := map[held]*setup{}
	for _, r := range v.Rows {
		opened := parameter.Opened.In(r.Parameters)
		if opened == "" {
			s.keyed = append(s.keyed, r)
			continue
		}
		k := held{r.Who(), answer.CaseName(r.Algorithm, r.Mode),
			shape{parameter.Secrets.In(r.Parameters), parameter.Each.In(r.Parameters)}}
		if of[k] == nil {
			of[k] = &setup{k, map[parameter.Opening]*document.Row{}, map[parameter.Opening]*document.Row{}}
			s.setups = append(s.setups, of[k])
		}
		if r.Operation == algorithm.StartUp {
			of[k].starts[opened] = r
		} else {
			of[k].uses[opened] = r
		}
	}
	return s
}

// main is the setup that the answer is about: the usual configuration, established libraries first.
func (s *view) main() *setup {
	m := main(document.Mapped(s.setups, func(u *setup) shape { return u.shape }))
	return answer.First(s.setups, func(u *setup) bool { return u.shape == m })
}

// called names a configuration: "1,000 secrets of 1 KiB (AES-256-GCM, go)".
func (u *setup) called() layout.Text {
	return layout.Say("%s secrets of %s (%s, %s)", "%s 条机密，每条 %s（%s，%s）", layout.FormatThousands(u.secrets), layout.FormatSize(u.each), u.cipher, answer.Label(u.who))
}

// pays is from how many uses on opening at start takes less than opening on each use; ok where all times are known.
func (u *setup) pays() (uses float64, ok bool) {
	start, ok1 := answer.Nanoseconds(u.starts[parameter.AtStart])
	later, ok2 := answer.Nanoseconds(u.starts[parameter.OnUse])
	kept, ok3 := answer.Nanoseconds(u.uses[parameter.AtStart])
	opened, ok4 := answer.Nanoseconds(u.uses[parameter.OnUse])
	if !ok1 || !ok2 || !ok3 || !ok4 || opened <= kept {
		return 0, false
	}
	return max(0, (start-later)/(opened-kept)), true
}

func (u *setup) evidence() []string {
	start := func(o parameter.Opening) *document.Row { return u.starts[o] }
	use := func(o parameter.Opening) *document.Row { return u.uses[o] }
	return answer.IDs(answer.Present(slices.Concat(document.Mapped(openings, start), document.Mapped(openings, use))))
}

// rounded prints a number of uses to two figures, which is what they are known to.
func rounded(x float64) string {
	n, unit := int64(x+0.5), int64(1)
	for n >= 100*unit {
		unit *= 10
	}
	return layout.FormatThousands((n + unit/2) / unit * unit)
}

// payWords says from how many uses on opening at start pays, or that it adds nothing to a start.
func (s *view) payWords(u *setup) layout.Text {
	uses, _ := u.pays()
	c := s.Compare(u.starts[parameter.AtStart], u.starts[parameter.OnUse])
	switch {
	case uses < 1, c != nil && (c.Verdict == "same" || c.Verdict == "slower"):
		return layout.Text{EN: "opening at start pays from the first use on", ZH: "从第一次使用起，启动时解密就更划算"}
	case c != nil && c.Verdict == "inconclusive":
		return layout.Say("opening at start pays from about %s uses on (%s)", "约用到 %s 次起，启动时解密更划算（%s）", rounded(uses), answer.Open(c))
	}
	return layout.Say("opening at start pays from about %s uses on", "约用到 %s 次起，启动时解密更划算", rounded(uses))
}

// line is when to open, and from how many uses on that pays: one line of the screen that all questions share.
func (s *view) line() *layout.Answer {
	u := s.main()
	if u == nil {
		return nil
	}
	uses, ok := u.pays()
	if !ok {
		return nil
	}
	l := answer.Summary{Mark: layout.Choose, Do: layout.Text{EN: "Open secrets at start", ZH: "请在启动时解密"}, Evidence: u.evidence()}
	starts, _ := answer.Nanoseconds(u.starts[parameter.AtStart])
	later, _ := answer.Nanoseconds(u.starts[parameter.OnUse])
	c := s.Compare(u.starts[parameter.AtStart], u.starts[parameter.OnUse])
	switch {
	case c != nil && c.Verdict == "inconclusive":
		l.Mark = layout.Unclear
		l.Pay(layout.Say("%s of %s take about %s (%s)", "%s 条 %s 的机密约需 %s（%s）", layout.FormatThousands(u.secrets),
			layout.FormatSize(u.each), layout.FormatTime(max(0, starts-later)), answer.Open(c)), c)
	case starts > later:
		l.Pay(layout.Say("%s of %s take %s", "%s 条 %s 的机密需 %s", layout.FormatThousands(u.secrets), layout.FormatSize(u.each),
			layout.FormatTime(starts-later)))
	}
	if uses < 1 {
		l.Pay(layout.Text{EN: "pays from the first use on", ZH: "从第一次使用起就划算"})
	} else {
		l.Pay(layout.Say("pays from about %s uses on", "累计使用约 %s 次起划算", rounded(uses)))
	}
	return new(l.Answer())
}

func (s *view) answers() []layout.Answer {
	main := s.main()
	if main == nil {
		return answer.Said(answer.Short(s.wrapping()))
	}
	said := []*layout.Answer{answer.Short(s.advice(main)), answer.Short(s.wrapping()), s.plain(main)}
	for _, u := range s.setups {
		if u != main {
			said = append(said, s.from(u))
		}
	}
	return answer.Said(append(said, main.memory(), main.open())...)
}

// advice says when to open, what it takes, and from how many uses on it pays.
func (s *view) advice(u *setup) *layout.Answer {
	if _, ok := u.pays(); !ok {
		return nil
	}
	plain := layout.Text{}
	if u.starts[parameter.Never] != nil {
		plain = layout.Say(", %s if they are plain", "，明文为 %s", answer.Took(u.starts[parameter.Never]))
	}
	return &layout.Answer{Mark: layout.Choose, Evidence: u.evidence(), Text: layout.Say(
		"%s: open them at start. The first request is served after %s (%s if secrets are opened on each use%s). "+
			"A use takes %s (%s if opened each time). "+
			"%s; a service that opens each on its first use and keeps it starts as soon as with plain secrets, but finds a damaged one only when it is used.",
		"%s：请在启动时解密。首个请求在 %s 后得到响应（每次使用时解密为 %s%s）；每次使用 %s（每次解密为 %s）。"+
			"%s；首次使用时解密并保留，启动与明文一样快，但损坏的机密要到使用时才会发现。",
		u.called(), answer.Took(u.starts[parameter.AtStart]), answer.Took(u.starts[parameter.OnUse]), plain,
		answer.Took(u.uses[parameter.AtStart]), answer.Took(u.uses[parameter.OnUse]), answer.Upper(s.payWords(u)))}
}

// from says from how many uses on opening at start pays, of another configuration.
func (s *view) from(u *setup) *layout.Answer {
	if _, ok := u.pays(); !ok {
		return nil
	}
	return &layout.Answer{Mark: layout.Plain, Evidence: u.evidence(), Text: layout.Say(
		"%s: a start takes %s opened at start and %s opened on use; %s.",
		"%s：启动时解密，启动需 %s；使用时解密，启动需 %s；%s。",
		u.called(), answer.Took(u.starts[parameter.AtStart]), answer.Took(u.starts[parameter.OnUse]), s.payWords(u))}
}

func (s *view) wrapping() *layout.Answer {
	var said answer.Clauses
	for _, r := range s.keyed {
		if _, ok := answer.Nanoseconds(r); !ok {
			continue
		}
		if m, ok := answer.Metric(r, logIn); ok {
			said.Add(layout.Say("%s %s after %s to log in", "%s：登录 %[3]s 后 %[2]s",
				nameOf(r.Case()), answer.Took(r), layout.FormatTime(m.Value)), r.ID)
			continue
		}
		said.Add(layout.Say("%s %s", "%s：%s", nameOf(r.Case()), answer.Took(r)), r.ID)
	}
	return said.Sentence(layout.Plain, "The key is unwrapped once per start, which adds: %s.",
		"每次启动只需解开一次密钥，所需时间：%s。", said.Join())
}

// plain sets a start that opens all secrets against one that reads plain ones.
func (s *view) plain(u *setup) *layout.Answer {
	c := s.Compare(u.starts[parameter.AtStart], u.starts[parameter.Never])
	return answer.Found(c, layout.Text{EN: "one that opens them", ZH: "启动时解密"},
		"%s: a start with plain secrets %s.", "%s：机密为明文时，启动%s。", u.called())
}

func (u *setup) memory() *layout.Answer {
	var said answer.Clauses
	for _, o := range openings {
		if m, ok := answer.Metric(u.starts[o], "held_bytes"); ok {
			said.Add(layout.Say("%s %s", "%s %s", wayOf(o).does, answer.MemoryText(m.Value)), u.starts[o].ID)
		}
	}
	return said.Sentence(layout.Plain, "%s: memory that the service holds: %s.", "%s：服务占用内存：%s。", u.called(), said.Join())
}

func (u *setup) open() *layout.Answer {
	if u.starts[parameter.Never] == nil {
		return nil
	}
	return &layout.Answer{Mark: layout.Beware, Evidence: []string{u.starts[parameter.Never].ID}, Text: layout.Text{
		EN: "Whoever can read the file, a backup of it or an image layer that holds it can read plain secrets; sealed ones are as safe as their key, which must not lie beside them.",
		ZH: "能读到该文件、其备份或所在镜像层的人，都能读到明文机密；加密后的机密与其密钥一样安全，密钥不得与之放在一起。"}}
}
