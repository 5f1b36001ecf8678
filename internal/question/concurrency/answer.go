package concurrency

import (
	"slices"
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// Question is what the reports need to know of the question.
var Question = answer.Question{Name: "concurrency", Narrowing: []string{"--algorithms", "--goroutines", "--libraries"}, Layout: layOut,
	Asks: layout.Text{EN: "How does throughput grow with goroutines, and how should they hold the cipher?",
		ZH: "吞吐量如何随 goroutine 数增长？多个 goroutine 应怎样持有 cipher 实例？"}}

// layOut lays out how throughput grows with goroutines, how they should hold
// the cipher, and how long requests wait.
func layOut(v *answer.View) layout.Layout {
	c := newConcurrencyView(v)
	answers, findings := c.answers()
	return layout.Layout{
		Experiment: "concurrency",
		Title: layout.Text{EN: "Concurrency: goroutines, shared ciphers, latency under load",
			ZH: "并发：goroutine 数、cipher 实例的共享方式与负载下的延迟"},
		Answers:  answers,
		Headline: c.headlineTables(),
		Tables:   c.tables(),
		Charts:   c.charts(),
		Findings: findings,
		Next: []layout.Next{
			{Command: "cryptogauge run concurrency --goroutines 1,8,200", Why: layout.Text{EN: "your own numbers of goroutines", ZH: "自定 goroutine 数"}},
			{Command: "cryptogauge run concurrency", Why: layout.Text{EN: "every library, GOMAXPROCS and load", ZH: "全部密码库、GOMAXPROCS 与负载"}},
		},
	}
}

// cipherOf is a library's cipher: what a line of these tables and charts is about.
type cipherOf struct{ library, algorithm, mode string }

func (c cipherOf) name() string { return answer.CaseName(c.algorithm, c.mode) }

// of names it in a sentence.
func (c cipherOf) of() layout.Text {
	return layout.Say("%s of %s", "%[2]s 的 %[1]s", c.name(), answer.Label(c.library))
}

// concurrencyView is the view with what all parts of this layout need.
type concurrencyView struct {
	*answer.View
	cpus  int
	sizes []int64
	at    int64 // the message size of sentences and headline tables
}

func newConcurrencyView(v *answer.View) *concurrencyView {
	c := &concurrencyView{View: v, cpus: v.Doc.CPUs()}
	c.sizes = answer.Values(v.Rows, answer.BytesOf, func(*document.Row) bool { return true })
	slices.Sort(c.sizes)
	if len(c.sizes) > 0 {
		c.at = c.sizes[0]
	}
	return c
}

// ciphers that were measured with goroutines, in the plan's order; those of the
// scaling proper come first, since the plan has them first.
func (c *concurrencyView) ciphers() []cipherOf {
	return answer.Values(c.Rows, cipherOfRow, func(r *document.Row) bool { return r.Goroutines() > 0 })
}

func cipherOfRow(r *document.Row) cipherOf { return cipherOf{r.Who(), r.Algorithm, r.Mode} }

// shared is a cipher's row of so many goroutines that share it, at the size in hand.
func (c *concurrencyView) shared(x cipherOf, goroutines int) *document.Row {
	return c.held(x, goroutines, "shared")
}

func (c *concurrencyView) held(x cipherOf, goroutines int, how string) *document.Row {
	for _, r := range c.Rows {
		if cipherOfRow(r) == x && r.Bytes == c.at && r.Goroutines() == goroutines && r.Parameter("holding") == how && r.Environment == "" {
			return r
		}
	}
	return nil
}

// counts are the numbers of goroutines that shared a cipher, rising.
func (c *concurrencyView) counts(x cipherOf) []int {
	ns := answer.Values(c.Rows, (*document.Row).Goroutines, func(r *document.Row) bool {
		return cipherOfRow(r) == x && r.Goroutines() > 0 && r.Parameter("holding") == "shared" && r.Environment == ""
	})
	slices.Sort(ns)
	return ns
}

// growth is the comparison of more goroutines with one, the CPUs' number if there
// is one, else the nearest below it; and that number.
func (c *concurrencyView) growth(x cipherOf) (*document.Comparison, int) {
	counts := c.counts(x)
	for _, n := range slices.Backward(counts) {
		if n > 1 && n <= c.cpus {
			if got := c.Compare(c.shared(x, 1), c.shared(x, n)); got != nil {
				return got, n
			}
		}
	}
	return nil, 0
}

// beyond is the comparison of the most goroutines with as many as there are CPUs.
func (c *concurrencyView) beyond(x cipherOf) (*document.Comparison, int) {
	counts := c.counts(x)
	if len(counts) == 0 || counts[len(counts)-1] <= c.cpus {
		return nil, 0
	}
	most := counts[len(counts)-1]
	return c.Compare(c.shared(x, c.cpus), c.shared(x, most)), most
}

// many is the number of goroutines at which the ways of holding a cipher were set
// side by side.
func (c *concurrencyView) many() int {
	for _, r := range c.Rows {
		if how := r.Parameter("holding"); how != "" && how != "shared" {
			return r.Goroutines()
		}
	}
	return 0
}

// arrivals are the rows of a constant rate, of libraries.
func (c *concurrencyView) arrivals() (rows []*document.Row) {
	for _, r := range c.Rows {
		if r.Operation == algorithm.Arrival {
			rows = append(rows, r)
		}
	}
	return rows
}

// empty is the harness's row of empty requests at a constant rate; nil without one.
func (c *concurrencyView) empty() *document.Row {
	for i := range c.Doc.Rows {
		r := &c.Doc.Rows[i]
		if r.Experiment == c.Experiment && r.Library == "harness" && r.Operation == algorithm.Arrival {
			return r
		}
	}
	return nil
}

// distribution is a row's histogram of a name where the row may be believed; nil
// without one.
func (c *concurrencyView) distribution(r *document.Row, name string) *document.Distribution {
	if r == nil || r.Status != result.OK {
		return nil
	}
	return c.anyDistribution(r, name)
}

// anyDistribution is a row's histogram of a name, also of a row that was refused.
func (c *concurrencyView) anyDistribution(r *document.Row, name string) *document.Distribution {
	for i := range c.Doc.Distributions {
		if d := &c.Doc.Distributions[i]; d.RowID == r.ID && d.Name == name {
			return d
		}
	}
	return nil
}

// messagesOf is how many messages a call of a row has: those of the run's mix, or one.
func messagesOf(r *document.Row) (n int64, mixed bool) {
	n, err := strconv.ParseInt(r.Parameter("messages"), 10, 64)
	if err != nil || n < 1 {
		return 1, false
	}
	return n, true
}

// messagesText names the size of a row's messages.
func messagesText(r *document.Row) layout.Text {
	if _, mixed := messagesOf(r); mixed {
		return layout.Text{EN: "mixed", ZH: "混合"}
	}
	return layout.Same(answer.SizeText(r.Bytes))
}

// size names the message size in hand.
func (c *concurrencyView) size() layout.Text {
	for _, r := range c.Rows {
		if n, mixed := messagesOf(r); r.Bytes == c.at && mixed {
			return layout.Say("mixed sizes (mean %s)", "混合（平均 %s）", answer.SizeText(r.Bytes/n))
		}
	}
	return layout.Same(answer.SizeText(c.at))
}
