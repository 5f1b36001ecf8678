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
	// Flags are those of run that narrow it and not every experiment: "sizes", where it reads those of a selection,
	// "goroutines", where it varies how many there are.
	Flags []string
	// OnRequest are algorithms among them that are asked of only by name.
	OnRequest []string
	// EveryCPU says that its trials use all CPUs: while others use some there are no verdicts.
	EveryCPU bool
	// Timed says which calls it must know the time of before it plans (Offer.Call); nil: none.
	Timed func(Narrowed) []result.Case
	// Crossing says that it asks what the ways of calling a library beyond Go cost,
	// and Beyond that it asks such libraries in its short form too.
	Crossing, Beyond bool
	// Own says that it measures the cases that workers bring (Offer.Own), beside its Cases.
	Own bool
	// Make makes the groups from what a selection leaves of it.
	Make func(Narrowed) []Group
}

// Takes says whether a flag of run, with its value, narrows the experiment.
func (e Experiment) Takes(flag, value string) bool {
	switch flag {
	case "sizes":
		if strings.HasPrefix(value, "@") { // a histogram to replay
			return e.LongestMixed > 0
		}
		return slices.Contains(e.Flags, flag)
	case "goroutines", "messages", "dir", "chunks", "total", "time", "memory", "logins":
		return slices.Contains(e.Flags, flag)
	case "sample":
		return slices.ContainsFunc(e.Cases, ofText)
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

// Form is the extent of an experiment where the user does not say otherwise.
type Form struct {
	Sizes  []int64
	Config Config
}

// Selection narrows an experiment. Empty lists mean everything.
//
// Its encoding is kept in the baselines of check, and a digest of it in their names: a field that is added, here or in
// what a field holds, has omitempty, or no baseline would be found any more.
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

// Narrowed is what a selection leaves of an experiment, and what is offered.
type Narrowed struct {
	Selection
	Cases []result.Case
	Form  Form
	Offers
}

// Narrowed narrows the experiment to a selection.
func (e Experiment) Narrowed(s Selection, offers Offers) Narrowed {
	return Narrowed{s, e.Narrow(s), e.Form(s), offers}
}

// Offering are those that offer a case that is kept, one a library: the kernel that it would run if nobody chose. The case
// is one of the experiment's Cases, and has no size yet.
func (n Narrowed) Offering(c result.Case) []result.Subject {
	if !slices.Contains(n.Cases, c) {
		return nil
	}
	return OneEach(n.Subjects(c))
}

// Plan makes the groups of a selection from what is offered.
func (e Experiment) Plan(s Selection, offers Offers) []Group { return e.Make(e.Narrowed(s, offers)) }

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
func (e Experiment) Brought(s Selection, cases []result.Case) []result.Case {
	return slices.DeleteFunc(slices.Clone(cases), func(c result.Case) bool {
		return !e.Own || !s.Keeps(c) || len(s.Sizes) > 0 && !slices.Contains(s.Sizes, c.Bytes)
	})
}

// OwnName is the experiment of the cases that workers bring.
const OwnName = "own"

// Brought measures the cases that workers bring and that no question asks for, all sizes of one in a
// group, so that workers which bring the same are compared.
func Brought() Experiment {
	form := Form{Config: Config{Blocks: 15, Rounds: 4, Target: time.Millisecond}}
	return Experiment{Name: OwnName, Short: form, Full: form, Flags: []string{"sizes"}, Own: true, Make: ownGroups}
}

func ownGroups(n Narrowed) []Group {
	var all Builders
	for _, o := range n.Offers {
		if o.Own {
			all.Titled(language.Same(o.Case.Name()+" "+o.Case.Operation)).Add(o.Subject, o.Case)
		}
	}
	return all.Groups(func(b *Builder) {
		for _, t := range b.Group.Trials {
			b.Compare(b.First(t.Case), t.Trial).Headline = true
		}
	})
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
	onRequest := func(c result.Case) bool {
		return slices.Contains(e.OnRequest, c.Algorithm) || s.Short && e.InShort != nil && !e.InShort(c)
	}
	return slices.DeleteFunc(slices.Clone(e.Cases), func(c result.Case) bool {
		return !s.Keeps(c) || len(s.Algorithms) == 0 && onRequest(c)
	})
}

func keeps(list []string, word string) bool {
	return len(list) == 0 || slices.ContainsFunc(list, func(s string) bool { return strings.EqualFold(s, word) })
}
