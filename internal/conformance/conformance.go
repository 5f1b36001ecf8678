// Package conformance holds a worker to docs/worker-protocol.md: it speaks to it as a run does, and
// compares what it says of itself with what is seen from outside.
//
// What a busy machine can spoil is taken several times, and one good reading is enough: only a worker that
// is wrong every time fails.
package conformance

import (
	"context"
	"errors"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

type Config struct {
	Start func() (*worker.Process, error) // the worker that is tested
	Own   func() (*worker.Process, error) // the laboratory's, whose outputs are known to be right
	Seed  uint64
	// Deadline is how long the worker may take for an answer.
	Deadline time.Duration
}

type Verdict string

const (
	Passed  Verdict = "ok"
	Noted   Verdict = "note" // allowed, and to be known
	Failed  Verdict = "FAILED"
	Skipped Verdict = "skipped"
)

var verdictNames = map[Verdict]language.Text{
	Passed: {EN: string(Passed), ZH: "通过"}, Noted: {EN: string(Noted), ZH: "说明"},
	Failed: {EN: string(Failed), ZH: "失败"}, Skipped: {EN: string(Skipped), ZH: "跳过"},
}

// Outcome is a line of the table.
type Outcome struct {
	Check   language.Text
	Verdict Verdict
	Says    language.Text // what was seen; of a failure also what to do
}

func (o Outcome) Line() language.Text {
	return language.Say("%-7s %s: %s", "[%s] %s：%s", verdictNames[o.Verdict], o.Check, o.Says)
}

// session is one worker under test.
type session struct {
	Config
	p      *worker.Process
	handle int
	show   func(Outcome)

	offered int // cases, by all its subjects
}

// Run holds the worker to every check and hands each outcome to show as it comes. The error is that of the
// laboratory's own part, or of a worker that can't be started.
func Run(ctx context.Context, c Config, show func(Outcome)) error {
	s := &session{Config: c, show: show}
	hello, ok, err := s.greet(ctx)
	if err != nil || !ok {
		return err
	}
	defer func() { s.p.Stop() }()
	s.say(unknown, s.refuses(ctx))
	own, err := s.ownDigests(ctx)
	if err != nil {
		return err
	}
	for _, subject := range hello.Subjects {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s.subject(ctx, subject, hello.Cases, own)
		if s.dead() { // the next subject gets a worker of its own
			if s.p, _, err = s.start(ctx); err != nil {
				return nil // it greeted before; what it does wrong now has been said
			}
		}
	}
	if s.offered == 0 && !s.dead() {
		s.say(offers, failed("it offers no case that is asked for; name its own in hello.cases",
			"未提供任何被查询的测试项；请在 hello.cases 中列出其自有测试项"))
	}
	s.leaves()
	return ctx.Err()
}

func (s *session) say(check language.Text, o Outcome) {
	o.Check = check
	s.show(o)
}

func passed(en, zh string, args ...any) Outcome { return outcome(Passed, en, zh, args) }
func failed(en, zh string, args ...any) Outcome { return outcome(Failed, en, zh, args) }
func noted(en, zh string, args ...any) Outcome  { return outcome(Noted, en, zh, args) }

func outcome(v Verdict, en, zh string, args []any) Outcome {
	return Outcome{Verdict: v, Says: language.Say(en, zh, args...)}
}

func (s *session) within(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, s.Deadline)
}

func (s *session) start(ctx context.Context) (*worker.Process, worker.Hello, error) {
	p, err := s.Start()
	if err != nil {
		return nil, worker.Hello{}, err
	}
	ctx, cancel := s.within(ctx)
	defer cancel()
	hello, err := p.Hello(ctx, provider.Setting{Seed: s.Seed}, -1)
	if err != nil {
		p.Stop()
	}
	return p, hello, err
}

func (s *session) greet(ctx context.Context) (hello worker.Hello, ok bool, err error) {
	s.p, hello, err = s.start(ctx)
	switch {
	case s.p == nil:
		return hello, false, err
	case err != nil:
		s.say(greeting, failed("%s; answer hello by one line with protocol %d", "%s；请用一行回答 hello，protocol 为 %d", err, worker.Protocol))
		return hello, false, nil
	case len(hello.Subjects) == 0:
		s.p.Stop()
		s.say(greeting, failed("no subject is named; hello.subjects lists who does something",
			"未列出 subject；请在 hello.subjects 中列出被测对象"))
		return hello, false, nil
	}
	subjects := "%d subjects"
	if len(hello.Subjects) == 1 {
		subjects = "%d subject"
	}
	s.say(greeting, passed("protocol %d, "+subjects, "协议版本 %d，%d 个 subject", hello.Protocol, len(hello.Subjects)))
	return hello, true, nil
}

// refuses asks what no worker knows: it must say so and live on.
func (s *session) refuses(ctx context.Context) Outcome {
	ctx, cancel := s.within(ctx)
	defer cancel()
	err := s.p.Ask(ctx, "no-such-verb", 0)
	if _, fault := errors.AsType[*worker.Fault](err); fault {
		return passed("a verb that it does not know is refused by a fault", "对未知动词以 fault 拒绝")
	}
	if err == nil {
		return failed("a verb that does not exist is answered as if it did; answer a fault of kind %s",
			"不存在的动词被当作存在；请回答 kind 为 %s 的 fault", worker.Failed)
	}
	return failed("%s; answer what you don't know by a fault of kind %s, and live on",
		"%s；对未知请求请回答 kind 为 %s 的 fault 并继续运行", err, worker.Failed)
}

func (s *session) dead() bool { return s.p.Dead() != nil }

// leaves closes the worker's input, which must end it.
func (s *session) leaves() {
	if s.dead() {
		return
	}
	const grace = 1900 * time.Millisecond // Stop kills after two seconds
	begun := time.Now()
	s.p.Stop()
	if time.Since(begun) < grace {
		s.say(ending, passed("it ends with its input", "输入结束后自行退出"))
		return
	}
	s.say(ending, failed("it went on after its input ended and was killed; exit at the end of standard input",
		"输入结束后仍在运行，已被强行终止；标准输入结束时请立即退出"))
}

// ownDigests answers what output the laboratory's libraries have for the cases that are asked for.
func (s *session) ownDigests(ctx context.Context) (map[result.Case]string, error) {
	p, err := s.Own()
	if err != nil {
		return nil, err
	}
	defer p.Stop()
	hello, err := p.Hello(ctx, provider.Setting{Seed: s.Seed}, -1)
	if err != nil {
		return nil, err
	}
	digests := map[result.Case]string{}
	for _, c := range asked() {
		for i, subject := range hello.Subjects {
			if about, err := p.Open(ctx, i, result.Trial{Subject: subject, Case: c}, 0, ""); err == nil {
				digests[c] = about.Digest
				_ = p.Close(ctx, i)
				break
			}
		}
	}
	return digests, nil
}
