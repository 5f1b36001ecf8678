// Package question is the list of the questions that cryptogauge answers. Each has a
// package of its own below this one: plan.go says which groups of trials are measured
// and which comparisons the answer will stand on; answer.go and what stands beside it
// turn the rows and comparisons of a run into sentences, tables and charts.
//
// To add one, make such a package and give [rooms] a line.
package question

import (
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/question/acceleration"
	"github.com/cryptogauge/cryptogauge/internal/question/batches"
	"github.com/cryptogauge/cryptogauge/internal/question/boundary"
	"github.com/cryptogauge/cryptogauge/internal/question/bulkhash"
	"github.com/cryptogauge/cryptogauge/internal/question/chunking"
	"github.com/cryptogauge/cryptogauge/internal/question/compare"
	"github.com/cryptogauge/cryptogauge/internal/question/concurrency"
	"github.com/cryptogauge/cryptogauge/internal/question/envelope"
	"github.com/cryptogauge/cryptogauge/internal/question/exchange"
	"github.com/cryptogauge/cryptogauge/internal/question/gc"
	"github.com/cryptogauge/cryptogauge/internal/question/handshake"
	"github.com/cryptogauge/cryptogauge/internal/question/messages"
	"github.com/cryptogauge/cryptogauge/internal/question/modes"
	"github.com/cryptogauge/cryptogauge/internal/question/offload"
	"github.com/cryptogauge/cryptogauge/internal/question/password"
	"github.com/cryptogauge/cryptogauge/internal/question/primitives"
	"github.com/cryptogauge/cryptogauge/internal/question/rsa"
	"github.com/cryptogauge/cryptogauge/internal/question/service"
	"github.com/cryptogauge/cryptogauge/internal/question/signatures"
	"github.com/cryptogauge/cryptogauge/internal/question/startup"
	"github.com/cryptogauge/cryptogauge/internal/question/streaming"
	"github.com/cryptogauge/cryptogauge/internal/subject"
)

// room is a question: what it measures, and what the reports say of it.
type room struct {
	plan   func() plan.Experiment
	answer answer.Question
}

// rooms are the questions in reading order.
var rooms = []room{
	{modes.Experiment, modes.Question},
	{primitives.Experiment, primitives.Question},
	{messages.Experiment, messages.Question},
	{streaming.Experiment, streaming.Question},
	{concurrency.Experiment, concurrency.Question},
	{gc.Experiment, gc.Question},
	{rsa.Experiment, rsa.Question},
	{signatures.Experiment, signatures.Question},
	{exchange.Experiment, exchange.Question},
	{envelope.Experiment, envelope.Question},
	{handshake.Experiment, handshake.Question},
	{service.Experiment, service.Question},
	{boundary.Experiment, boundary.Question},
	{chunking.Experiment, chunking.Question},
	{acceleration.Experiment, acceleration.Question},
	{bulkhash.Experiment, bulkhash.Question},
	{batches.Experiment, batches.Question},
	{password.Experiment, password.Question},
	{startup.Experiment, startup.Question},
	{offload.Experiment, offload.Question},
}

// ofVerbs are questions that verbs of their own ask, and run does not.
var ofVerbs = []answer.Question{compare.Question}

// All returns what the questions measure, in reading order.
func All() []plan.Experiment {
	return document.Mapped(rooms, func(r room) plan.Experiment { return r.plan() })
}

// Asked is what an experiment asks, in one line.
func Asked(experiment string) (asks language.Text) {
	for _, q := range answers() {
		if q.Name == experiment {
			asks = q.Asks
		}
	}
	return asks
}

// Answer gives a document the layouts and answers of all questions.
func Answer(d *document.Document) { answer.Add(d, answers()) }

func answers() (all []answer.Question) {
	for _, r := range rooms {
		r.answer.Takes = func(flag, value string) bool { return r.plan().Takes(flag, value) }
		all = append(all, r.answer)
	}
	return append(all, ofVerbs...)
}

// Find returns the experiments of the given names, or all of them for none. What workers bring of
// their own is an experiment that is only run by its name, or beside others.
func Find(names []string) ([]plan.Experiment, error) {
	all := All()
	if len(names) == 0 {
		return all, nil
	}
	known := document.Mapped(all, func(e plan.Experiment) string { return e.Name })
	var found []plan.Experiment
	all, known = append(all, plan.Brought()), append(known, plan.OwnName)
	for _, name := range names {
		i := slices.Index(known, name)
		if i < 0 {
			return nil, unknown(name, known[:len(known)-1])
		}
		if !slices.ContainsFunc(found, func(e plan.Experiment) bool { return e.Name == name }) {
			found = append(found, all[i])
		}
	}
	return found, nil
}

// unknown says of a word that names no experiment what it could have been.
func unknown(word string, known []string) error {
	if near := plan.Nearest(word, subject.Libraries()); len(near) > 0 {
		return language.Errorf("unknown experiment %q; nearest is the library %s: --libraries %[2]s", "没有名为 %q 的实验；最接近的是密码库 %s：--libraries %[2]s", word, near[0])
	}
	all := strings.Join(known, ", ")
	if near := plan.Nearest(word, known); len(near) > 0 {
		return language.Errorf("unknown experiment %q; nearest: %s; there are: %s", "没有名为 %q 的实验；最接近的是 %s；现有：%s", word, strings.Join(near, ", "), all)
	}
	return language.Errorf("unknown experiment %q; there are: %s", "没有名为 %q 的实验；现有：%s", word, all)
}
