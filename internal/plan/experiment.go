// Package plan holds what a question is made of before anything is measured: groups
// of trials and how much of each (plan.go), an [Experiment] with its short and its
// full form, what a user keeps of it, what libraries offer of it, and the tools that
// make groups of that. Plans are data; package measure runs them. The questions
// themselves are in packages of their own.
package plan

import (
	"slices"
	"strings"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/result"
)

// Experiment is a question with its groups in two forms. The short form holds
// the headline cells and belongs to the quick suite; the full form holds them all.
type Experiment struct {
	Name  string
	Short Form
	Full  Form
	// Cases are what could be asked of a library, without sizes. Which of them a
	// library offers is found out by asking it.
	Cases []result.Case
	// InShort says which of them the short form's answer needs, where no algorithm is
	// asked for by name; nil: all of them.
	InShort func(result.Case) bool
	// LongestMixed is the longest message that it replays of a histogram of sizes
	// (Selection.Mix), in bytes; 0 where it measures fixed sizes alone.
	LongestMixed int64
	// Goroutines says that it varies how many there are (Selection.Goroutines).
	Goroutines bool
	// Messages says that it varies how many messages there are (Selection.Messages),
	// and Files that it reads or writes files (Setting.Dir).
	Messages, Files bool
	// OnRequest are algorithms among them that are asked of only by name.
	OnRequest []string
	// EveryCPU says that its trials use all CPUs: while others use some there are no verdicts.
	EveryCPU bool
	// Logins says that it chooses password hashes for a budget (Selection.Logins), and Timed which calls it must know
	// the time of to do so, before it plans (Offer.Call); nil: none.
	Logins bool
	Timed  func(Selection) []result.Case
	// Crossing says that it asks what the ways of calling a library beyond Go cost,
	// and Beyond that it asks such libraries in its short form too.
	Crossing, Beyond bool
	// Own says that it measures the cases that workers bring (Offer.Own), beside its Cases.
	Own bool
	// Plan makes the groups from what is offered.
	Plan func(Selection, Offers) []Group
}

// Takes says whether a flag of run, with its value, narrows the experiment.
func (e Experiment) Takes(flag, value string) bool {
	switch flag {
	case "sizes":
		if strings.HasPrefix(value, "@") { // a histogram to replay
			return e.LongestMixed > 0
		}
		return !e.streams()
	case "goroutines":
		return e.Goroutines
	case "time", "memory", "logins":
		return e.Logins
	case "messages":
		return e.Messages
	case "sample":
		return slices.ContainsFunc(e.Cases, ofText)
	case "dir", "chunks":
		return e.Files
	case "total":
		return e.streams()
	}
	return true
}

// ofText says whether a case works on a text of any length.
func ofText(c result.Case) bool {
	switch algorithm.Of(c.Algorithm).Kind {
	case algorithm.BlockCipher:
		return c.Mode != algorithm.KeyWrap && c.Operation != algorithm.Schedule
	case algorithm.KeyStream, algorithm.AEAD, algorithm.HashFunction, algorithm.KeyedHash, algorithm.Hybrid:
		return true
	}
	return false
}

// streams says that it has streams of a length, and no messages.
func (e Experiment) streams() bool { return e.Name == "streaming" }

// Form is the extent of an experiment where the user does not say otherwise.
type Form struct {
	Sizes  []int64
	Config Config
}

// Selection narrows an experiment. Empty lists mean everything.
type Selection struct {
	Short      bool
	Algorithms []string
	Modes      []string
	Operations []string
	Libraries  []string
	Sizes      []int64
	Mix        []result.SizeShare // replayed instead of fixed sizes, where an experiment can
	Seed       uint64             // the run's, from which what is replayed of Mix is drawn
	Chunks     []int64            // of streams
	Total      int64              // bytes that each stream is long, over all samples; 0: the form's
	Own        bool               `json:",omitempty"` // the user gave data to encrypt
	// Blocks and Rounds, where they are not the form's: what a sample holds of a
	// total depends on them.
	Blocks, Rounds int
	Goroutines     []int               // of experiments that vary them
	Logins         *result.LoginBudget // that password hashes are chosen for; nil: the usual one
	Messages       int64               // that are hashed at once, of experiments that vary them; 0: the form's
}

func (e Experiment) Form(s Selection) Form {
	f := e.Full
	if s.Short {
		f = e.Short
	}
	if len(s.Sizes) > 0 {
		f.Sizes = s.Sizes
	}
	return f
}

// Brought keeps the cases that a worker brings, with their sizes, of those that the experiment measures.
func (e Experiment) Brought(s Selection, cases []result.Case) (kept []result.Case) {
	for _, c := range cases {
		if e.Own && s.Keeps(c) && (len(s.Sizes) == 0 || slices.Contains(s.Sizes, c.Bytes)) {
			kept = append(kept, c)
		}
	}
	return kept
}

// OwnName is the experiment of the cases that workers bring.
const OwnName = "own"

// Brought measures the cases that workers bring and that no question asks for, all sizes of one in a
// group, so that workers which bring the same are compared.
func Brought() Experiment {
	form := Form{Config: Config{Blocks: 15, Rounds: 4, Target: time.Millisecond}}
	return Experiment{Name: OwnName, Short: form, Full: form, Own: true, Plan: ownGroups}
}

func ownGroups(_ Selection, offers Offers) (groups []Group) {
	var all Builders
	for _, o := range offers {
		if o.Own {
			b := all.Titled(language.Same(o.Case.Name() + " " + o.Case.Operation))
			added := b.Add(o.Subject, o.Case).Trial
			b.Compare(b.First(o.Case), added).Headline = true
		}
	}
	for _, b := range all {
		groups = append(groups, b.Groups()...)
	}
	return groups
}

// NamesMode says that the user asks for a mode by its name, alone or behind an algorithm's.
func (s Selection) NamesMode(mode string) bool {
	return slices.ContainsFunc(s.Modes, func(m string) bool { return strings.EqualFold(m, mode) })
}

// Keeps says whether the words of a selection name a case, whatever its size.
func (s Selection) Keeps(c result.Case) bool {
	called := func(word string) bool { return calls(AlgorithmNames(c), word) }
	return (len(s.Algorithms) == 0 || slices.ContainsFunc(s.Algorithms, called)) &&
		keeps(s.Modes, c.Mode) && keeps(s.Operations, c.Operation)
}

func (e Experiment) Narrow(s Selection) []result.Case {
	var kept []result.Case
	for _, c := range e.Cases {
		if len(s.Algorithms) == 0 && slices.Contains(e.OnRequest, c.Algorithm) {
			continue
		}
		if s.Short && len(s.Algorithms) == 0 && e.InShort != nil && !e.InShort(c) {
			continue
		}
		if s.Keeps(c) {
			kept = append(kept, c)
		}
	}
	return kept
}

func keeps(list []string, word string) bool {
	return len(list) == 0 || slices.ContainsFunc(list, func(s string) bool { return strings.EqualFold(s, word) })
}
