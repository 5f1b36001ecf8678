// Package offload asks when a token or a device pays that does the cryptography for a service: a hardware security
// module, a smart card, a software token. The user names its PKCS#11 module; beside it Go's standard library does the
// same in process.
//
// A call to a token waits, so every row is on the wall clock, and the process's CPU clock stands beside it: what a
// token saves is CPU of the host. A token is used by several sessions at once, since one waits most of the time; a row
// of n sessions has n callers, each with a session and a key of its own, and is given the time between the ends of two
// calls of theirs. n times that is how long one of them waits.
//
// A device behind another interface (an engine of OpenSSL's, a QAT card, a GPU) is one more library of the same cases.
package offload

import (
	"runtime"
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

// Experiment asks how long calls to a token take, how many it does in a second by its sessions, and how much of the
// host's CPU it saves.
func Experiment() plan.Experiment {
	return plan.Experiment{
		Name: "offload", EveryCPU: true,
		Short: plan.Form{Sizes: []int64{1 << 10},
			Config: plan.Config{Blocks: 12, Rounds: 2, Least: 1, Target: time.Millisecond}},
		Full: plan.Form{Sizes: []int64{64, 1 << 10, 16 << 10},
			Config: plan.Config{Blocks: 15, Rounds: 4, Least: 2, Target: 10 * time.Millisecond}},
		Cases:   cases(),
		Flags:   []string{"sizes"},
		InShort: inShort,
		Make:    planOffload,
	}
}

// cases are what a token is asked whether it does it at all; the plan varies the sessions.
func cases() []result.Case {
	return document.Mapped([]result.Case{
		{Algorithm: algorithm.RSA2048, Mode: algorithm.PSS, Operation: algorithm.Sign},
		{Algorithm: algorithm.ECDSA256, Operation: algorithm.Sign},
		{Algorithm: algorithm.RSA2048, Mode: algorithm.OAEP, Operation: algorithm.Decrypt},
		{Algorithm: algorithm.RSA2048, Mode: algorithm.PKCS1v15, Operation: algorithm.Decrypt},
		{Algorithm: algorithm.AES256, Mode: algorithm.GCM, Operation: algorithm.Encrypt},
	}, func(c result.Case) result.Case { return by(c, 1) })
}

func by(c result.Case, sessions int) result.Case {
	c.Parameters = parameter.Sessions.Is(sessions)
	return c
}

// inShort leaves decryption under a key pair to the full form, where PKCS #1 v1.5 stands beside OAEP for tokens that
// lack OAEP with SHA-256.
func inShort(c result.Case) bool { return c.Operation != algorithm.Decrypt }

// many is how many sessions the answers stand on: a device that is asked by fewer waits for its callers.
const many = 8

// How many callers there are at once, in the short form and in full.
var (
	fewSessions = []int{1, many}
	allSessions = []int{1, 2, 4, many, 16, 32, 64}
)

func planOffload(s plan.Narrowed) (groups []plan.Group) {
	sessions := allSessions
	if s.Short {
		sessions = fewSessions
	}
	for _, c := range s.Cases {
		sizes := []int64{0}
		if algorithm.Of(c.Algorithm).Kind == algorithm.BlockCipher {
			sizes = s.Form.Sizes
		}
		for _, size := range sizes {
			c.Bytes = size
			groups = append(groups, planCase(c, s.Subjects(c), runtime.GOMAXPROCS(0), sessions)...)
		}
	}
	return groups
}

// planCase sets every token beside Go: one session beside one goroutine, and several beside a goroutine a CPU. Without
// a token there is what Go does, which a token would be held against.
func planCase(c result.Case, subjects []result.Subject, cpus int, sessions []int) []plan.Group {
	b := plan.NewBuilder(layout.Say("%s, %s", "%s，%s", c.Name(), answer.InPlan(c.Operation)))
	inProcess := slices.IndexFunc(subjects, func(s result.Subject) bool { return s.Library == subject.Go && s.Environment == "" })
	tokens := slices.DeleteFunc(slices.Clone(subjects), func(s result.Subject) bool { return s.Library != subject.PKCS11 })
	if inProcess < 0 {
		return nil
	}
	home := subjects[inProcess]
	alone, all := b.Add(home, by(c, 1)).Trial, b.Add(home, by(c, cpus)).Trial
	for _, token := range tokens {
		first := b.Add(token, by(c, 1)).Trial
		b.Compare(alone, first).Headline = true
		for _, n := range sessions[1:] {
			several := b.Add(token, by(c, n)).Trial
			b.Compare(first, several)
			b.Compare(all, several).Headline = n == many
		}
	}
	return b.Groups()
}
