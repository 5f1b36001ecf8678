package plan

import (
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

// Offer is a subject that offers a case, or would if the machine or a policy let
// it; such a trial goes into the plan all the same and is reported with its reason.
type Offer struct {
	Subject result.Subject
	Case    result.Case // without its size
	Loop    string      // the kind of timed loop it runs in, where that is known
	// Call is how long a call takes, where an experiment must know (Experiment.Timed); else 0.
	Call time.Duration
	// Own says that the worker brought the case, with its size, and that no experiment asks for it.
	Own bool
}

// Offers are all of them, established libraries first.
type Offers []Offer

// Subjects returns the subjects that offer a case, in their order. Where several
// experiments ask for one there are as many offers of it.
func (o Offers) Subjects(c result.Case) []result.Subject {
	c.Bytes = 0
	return o.Who(func(offer Offer) bool { return offer.Case == c })
}

// Who are the subjects of some of the offers, each once.
func (o Offers) Who(of func(Offer) bool) (s []result.Subject) {
	for _, offer := range o {
		if of(offer) && !slices.Contains(s, offer.Subject) {
			s = append(s, offer.Subject)
		}
	}
	return s
}

// Unopened is the one case of a library that can't be asked for its cases: it is not
// installed, or its worker does not start. It is refused with the reason.
var Unopened = result.Case{Algorithm: "library", Operation: algorithm.Open}

// Opened tells what libraries offer from the group of those that can't be asked, which
// takes no time.
func Opened(all Offers) (offers Offers, unopened []Group) {
	b := NewBuilder(language.Text{EN: "libraries that could not be opened", ZH: "无法打开的密码库"})
	for _, o := range all {
		if o.Case != Unopened {
			offers = append(offers, o)
		} else if o.Subject.Library != subject.Harness {
			t := b.Add(o.Subject, o.Case)
			t.Blocks, t.Window = 1, time.Nanosecond
		}
	}
	return offers, b.Groups()
}

// Builder puts a group together.
type Builder struct{ Group Group }

// NewBuilder begins a group of a title.
func NewBuilder(title language.Text) *Builder { return &Builder{Group{Name: title.EN, Title: title}} }

// InBytes is the length of messages, for titles.
func InBytes(n int64) language.Text { return language.Say("%d bytes", "%d 字节", n) }

// Builders make several groups, in the order in which they are first named.
type Builders []*Builder

// Titled is the builder of a group.
func (all *Builders) Titled(title language.Text) *Builder {
	for _, b := range *all {
		if b.Group.Title == title {
			return b
		}
	}
	*all = append(*all, NewBuilder(title))
	return (*all)[len(*all)-1]
}

// Add puts a trial into the group, unless it is there, and returns it: what else there
// is to say of it must be said before the next one is added.
func (b *Builder) Add(s result.Subject, c result.Case) *Trial {
	t := result.Trial{Subject: s, Case: c}
	if b.place(t) < 0 {
		b.Group.Trials = append(b.Group.Trials, Trial{Trial: t})
	}
	return &b.Group.Trials[b.place(t)]
}

// place is where a trial stands in the group; -1 where it does not.
func (b *Builder) place(t result.Trial) int {
	return slices.IndexFunc(b.Group.Trials, func(in Trial) bool { return in.Trial == t })
}

// First is the first trial of a case in the group, in nobody's hands where there is none.
func (b *Builder) First(c result.Case) result.Trial {
	for _, t := range b.Group.Trials {
		if t.Case == c {
			return t.Trial
		}
	}
	return result.Trial{}
}

// Compare declares a comparison of other against base where both are in the group, and
// returns it; else one that is declared nowhere.
func (b *Builder) Compare(base, other result.Trial) *result.Pair {
	i, j := b.place(base), b.place(other)
	if i < 0 || j < 0 || i == j {
		return &result.Pair{}
	}
	b.Group.Pairs = append(b.Group.Pairs, result.Pair{Base: i, Other: j})
	return &b.Group.Pairs[len(b.Group.Pairs)-1]
}

func (b *Builder) Groups() []Group {
	if len(b.Group.Trials) == 0 {
		return nil
	}
	return []Group{b.Group}
}

// Groups are those of all of them, each when its comparisons are declared.
func (all Builders) Groups(declare func(*Builder)) (groups []Group) {
	for _, b := range all {
		declare(b)
		groups = append(groups, b.Groups()...)
	}
	return groups
}

// Subjects keeps those that the experiment asks, of all that there are. What a
// crossing costs is a question of its own: elsewhere a library beyond Go is called
// in the everyday way, by cgo, or by purego where the native worker was built without
// a C compiler, and in full also from a loop in C, which shows its own speed.
// In a short form, which has seconds, it is asked where the experiment is about such
// libraries or the user names it.
func (e Experiment) Subjects(s Selection, all []result.Subject) []result.Subject {
	return slices.DeleteFunc(slices.Clone(all), func(sub result.Subject) bool { return !e.asks(s, sub, all) })
}

func (e Experiment) asks(s Selection, sub result.Subject, all []result.Subject) bool {
	switch {
	case !subject.Crosses(sub.CallPath) || e.Crossing || sub.Library == subject.PKCS11: // a token is there where the user named it
		return true
	case sub.Library == subject.Harness:
		return false // an empty crossing
	case s.Short && !e.Beyond && (len(s.Libraries) == 0 || !keeps(s.Libraries, sub.Library)):
		return false
	case sub.CallPath == subject.Purego:
		daily := sub
		daily.CallPath = subject.Cgo
		return !slices.Contains(all, daily)
	}
	return !s.Short || sub.CallPath == subject.Cgo
}

// Asked keeps the offers of those subjects, but for what is left to the full forms.
func (e Experiment) Asked(s Selection, offers Offers) (kept Offers) {
	asked := e.Subjects(s, offers.Who(func(Offer) bool { return true }))
	return slices.DeleteFunc(slices.Clone(offers), func(o Offer) bool {
		return !slices.Contains(asked, o.Subject) || s.leavesToFull(o)
	})
}

// leavesToFull says whether a short form has no time for an offer, unless the user names libraries: our own AES.
func (s Selection) leavesToFull(o Offer) bool {
	return s.Short && len(s.Libraries) == 0 && o.Subject.Library == subject.Engine &&
		slices.Contains([]string{algorithm.AES128, algorithm.AES192, algorithm.AES256}, o.Case.Algorithm)
}
