package concurrency

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/result"
)

var Question = answer.Question{Name: "concurrency", Narrowing: []string{"--algorithms", "--goroutines",
	"--libraries"}, Layout: layOut,
	Asks: layout.Text{EN: "How does throughput grow with goroutines, and how should they hold the cipher?",
		ZH: "吞吐量如何随 goroutine 数增长？多个 goroutine 应怎样持有 cipher 实例？"}}

// layOut lays out how throughput grows with goroutines, how they should hold
// the cipher, and how long requests wait.
func layOut(v *answer.View) layout.Layout {
	c := view{View: v, cpus: v.Doc.CPUs(), sizes: answer.Values(v.Rows, answer.BytesOf, nil)}
	slices.Sort(c.sizes)
	c.at = c.sizes[0]
	answers, findings := c.answers()
	chosen, sentences := c.Chosen(c.advice()...)
	return layout.Layout{
		Line: answer.FirstSaid(c.line(), chosen),
		Title: layout.Text{EN: "Concurrency: goroutines, shared ciphers, latency under load",
			ZH: "并发：goroutine 数、cipher 实例的共享方式与负载下的延迟"},
		Answers:  answer.Beside(answers, sentences),
		Headline: answer.NonEmpty(c.headline(), c.holdings()),
		Tables:   c.tables(),
		Charts:   c.charts(),
		Findings: findings,
		Next: []layout.Next{
			{Command: "cryptogauge run concurrency --goroutines 1,8,200",
				Why: layout.Text{EN: "your own numbers of goroutines", ZH: "自定义 goroutine 数"}},
			{Command: "cryptogauge run concurrency", Why: layout.Text{EN: "every library, GOMAXPROCS and load",
				ZH: "全部密码库、GOMAXPROCS 与负载"}},
		},
	}
}

type view struct {
	*answer.View
	cpus  int
	sizes []int64 // rising
	at    int64   // the message size in hand: of sentences and the headline table the least
}

// cipherOf is a library's cipher: what a line of these tables and charts is about.
type cipherOf struct{ library, algorithm, mode string }

func cipherOfRow(r *document.Row) cipherOf { return cipherOf{r.Who(), r.Algorithm, r.Mode} }

func (x cipherOf) name() string { return answer.CaseName(x.algorithm, x.mode) }

func (x cipherOf) of() layout.Text {
	return layout.Say("%s of %s", "%[2]s 的 %[1]s", x.name(), answer.Label(x.library))
}

// ciphers that were measured with goroutines, in the plan's order; those of the
// scaling proper come first, since the plan has them first.
func (c view) ciphers() []cipherOf {
	return answer.Values(c.Rows, cipherOfRow, func(r *document.Row) bool { return r.Goroutines() > 0 })
}

func holding(r *document.Row) parameter.Hold { return parameter.Holding.In(r.Parameters) }

// parallel are a cipher's rows of goroutines that hold it in a way, on the whole machine.
func (c view) parallel(x cipherOf, how parameter.Hold) []*document.Row {
	return answer.Select(c.Rows, func(r *document.Row) bool {
		return cipherOfRow(r) == x && r.Goroutines() > 0 && holding(r) == how && r.Environment == ""
	})
}

func (c view) held(x cipherOf, goroutines int, how parameter.Hold) *document.Row {
	return answer.First(c.parallel(x, how), func(r *document.Row) bool {
		return r.Bytes == c.at && r.Goroutines() == goroutines
	})
}

func (c view) shared(x cipherOf, goroutines int) *document.Row {
	return c.held(x, goroutines, parameter.Shared)
}

func (c view) counts(x cipherOf) []int {
	ns := answer.Values(c.parallel(x, parameter.Shared), (*document.Row).Goroutines, nil)
	slices.Sort(ns)
	return ns
}

// growth is the comparison of more goroutines with one, the CPUs' number if there
// is one, else the nearest below it; and that number.
func (c view) growth(x cipherOf) (*document.Comparison, int) {
	for _, n := range slices.Backward(c.counts(x)) {
		if got := c.Compare(c.shared(x, 1), c.shared(x, n)); got != nil && n > 1 && n <= c.cpus {
			return got, n
		}
	}
	return nil, 0
}

// beyond is the comparison of the most goroutines with as many as there are CPUs.
func (c view) beyond(x cipherOf) (*document.Comparison, int) {
	counts := c.counts(x)
	if len(counts) == 0 || counts[len(counts)-1] <= c.cpus {
		return nil, 0
	}
	most := counts[len(counts)-1]
	return c.Compare(c.shared(x, c.cpus), c.shared(x, most)), most
}

// many is the number of goroutines at which the ways of holding a cipher were set
// side by side.
func (c view) many() int {
	r := answer.First(c.Rows, func(r *document.Row) bool { return holding(r) != "" && holding(r) != parameter.Shared })
	if r == nil {
		return 0
	}
	return r.Goroutines()
}

func isArrival(r *document.Row) bool { return r.Operation == algorithm.Arrival }

// arrivals are the rows of a constant rate, of libraries.
func (c view) arrivals() []*document.Row { return answer.Select(c.Rows, isArrival) }

func (c view) empty() *document.Row { return c.Laboratory(isArrival) }

// distribution is a row's histogram of a name where the row may be believed; nil
// without one.
func (c view) distribution(r *document.Row, name string) *document.Distribution {
	if r == nil || r.Status != result.OK {
		return nil
	}
	return c.Distribution(r, name)
}

// messagesOf is how many messages a call of a row has: those of the run's mix, or one.
func messagesOf(r *document.Row) (n int64, mixed bool) {
	n, mixed = parameter.Messages.Read(r.Parameters)
	return max(n, 1), mixed
}

func messagesText(r *document.Row) layout.Text {
	if _, mixed := messagesOf(r); mixed {
		return layout.Text{EN: "mixed", ZH: "混合"}
	}
	return layout.Same(answer.SizeText(r.Bytes))
}

func (c view) size() layout.Text {
	for _, r := range c.Rows {
		if n, mixed := messagesOf(r); r.Bytes == c.at && mixed {
			return layout.Say("mixed sizes (mean %s)", "混合（平均 %s）", answer.SizeText(r.Bytes/n))
		}
	}
	return layout.Same(answer.SizeText(c.at))
}
