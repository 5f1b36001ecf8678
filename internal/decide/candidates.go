package decide

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// Standings of candidates.
const (
	Chosen    = "chosen"
	Front     = "front"     // nothing is better in everything
	New       = "new"       // as good, but not established
	Dominated = "dominated" // another is at least as good in everything, and better in something
	Excluded  = "excluded"
)

// Candidate is one way to meet a step's need, by one library.
type Candidate struct {
	variant
	Row      *document.Row // of its first part, alone
	loaded   *document.Row // the same with every CPU busy; nil where that was not measured
	CPU      *document.Estimate
	Busy     *document.Estimate // with every CPU busy; nil where that was not measured
	VCPU     *document.Estimate
	Bytes    *float64 // sent, message included
	Memory   *float64 // allocated a call
	Standing string
	By       *Candidate // that dominates it
	Excluded []Exclusion

	// Seconds of CPU a call by block: alone, and on busy CPUs where that is known.
	alone, load []float64
	beside      []float64 // on busy CPUs, in turns with the other candidates; nil where that is not known
	both        []float64 // on busy CPUs, both sides of a handshake; nil where that is not known
	took        []float64 // so by part, a call
	again       bool      // load is of the check, later than the rows
	cpus        int       // that were busy
	shares      []float64 // by part, of its time: what the service pays for
}

// Exclusion is why a candidate is out; by no requirement where nothing could let it in.
type Exclusion struct {
	Requirement Requirement
	Why         language.Text
}

// Pool is where rows come from: runs of this machine, the first that has one counts.
type Pool []*document.Document

// located is a row and the run that it stands in.
type located struct {
	*document.Row
	doc *document.Document
}

// who is whom a row is of.
type who struct{ library, version, path string }

func whoOf(r *document.Row) who { return who{r.Library, r.Version, r.CallPath} }

// find is the row of a case by a library: the kernel that it runs by itself comes first.
func (p Pool) find(c result.Case, by who) (found located, ok bool) {
	for _, doc := range p {
		for _, r := range doc.Rows {
			if r.Environment == "" && whoOf(r) == by && r.Case() == c {
				if timed(r) {
					return located{r, doc}, true
				}
				if !ok {
					found, ok = located{r, doc}, true
				}
			}
		}
	}
	return found, ok
}

// timed says whether a row has times: on a machine too busy for an interval they are a plan's numbers
// still, without one.
func timed(r *document.Row) bool { return r.NsPerOp != nil || r.Cause.Code == "exact-blocks" }

// busy is the row of a case on as many CPUs at once as was measured.
func (p Pool) busy(c result.Case, by who) (found located, ok bool) {
	most := 0
	for _, doc := range p {
		for _, r := range doc.Rows {
			n, alone := parameter.Busy.In(r.Parameters), r.Case()
			alone.Parameters = parameter.Without(alone.Parameters, parameter.Busy)
			if n > most && timed(r) && r.Environment == "" && whoOf(r) == by && alone == c {
				found, ok, most = located{r, doc}, true, n
			}
		}
	}
	return found, ok
}

// by lists who has rows of a case, established libraries first as runs list them.
func (p Pool) by(c result.Case) (all []who) {
	for _, doc := range p {
		for _, r := range doc.Rows {
			if r.Library != subject.Harness && r.Environment == "" && r.Case() == c && !answer.CalledOtherwise(r.Who()) && !slices.Contains(all, whoOf(r)) {
				all = append(all, whoOf(r))
			}
		}
	}
	return all
}

// Has says whether the pool has a trial's row already.
func (p Pool) Has(t result.Trial) bool {
	r, ok := p.find(t.Case, who{t.Subject.Library, t.Subject.Version, t.Subject.CallPath})
	return ok && (r.NsPerOp != nil || r.Status == result.Incorrect)
}

// candidates are all that have rows for a step's need.
func (p Pool) candidates(s *Step) (all []*Candidate) {
	for _, v := range s.variants() {
		for _, by := range p.by(v.main()) {
			if c := p.candidate(v, by); c != nil {
				c.exclude(s)
				all = append(all, c)
			}
		}
	}
	return all
}

// candidate is what a library's rows say of a variant; nil where it does not have all of it.
func (p Pool) candidate(v variant, by who) *Candidate {
	c := &Candidate{variant: v}
	var alone, busy, both [][]float64
	var floor float64
	for i, part := range v.parts {
		row, ok := p.find(part.Case, by)
		if !ok {
			return nil
		}
		if i == 0 {
			c.Row = row.Row
		}
		server, known := serverShare(row)
		if !timed(row.Row) || !known {
			c.Row = row.Row // which says why
			return c
		}
		floor = max(floor, row.doc.NoiseFloor)
		share := server * part.times
		alone, c.shares = append(alone, blocksOf(row, share)), append(c.shares, server)
		if row, ok := p.busy(part.Case, by); ok {
			busy, both = append(busy, blocksOf(row, share)), append(both, blocksOf(row, part.times))
			c.took, c.cpus = append(c.took, stat.Median(blocksOf(row, 1))), parameter.Busy.In(row.Parameters)
			if i == 0 {
				c.loaded = row.Row
			}
		}
		c.add(part, row.Row)
	}
	c.alone = zip(alone)
	c.load = c.alone
	c.CPU = inNanoseconds(c.load, floor)
	if len(busy) == len(v.parts) {
		c.load, c.both = zip(busy), zip(both)
		c.Busy, c.beside = inNanoseconds(c.load, floor), c.load
	}
	return c
}

// add counts a part's bytes and memory.
func (c *Candidate) add(p part, r *document.Row) {
	sum := func(into **float64, x float64) {
		if *into == nil {
			*into = new(float64)
		}
		**into += x * p.times
	}
	if bytes, ok := sent(r); ok {
		sum(&c.Bytes, bytes)
	}
	if r.AllocBytesPerOp != nil {
		sum(&c.Memory, *r.AllocBytesPerOp)
	}
}

// serverShare is the share of a row's time that the service pays for: of a handshake, of
// which both sides are measured, the server's. It is read of the blocks where these are too few for a row.
func serverShare(r located) (share float64, known bool) {
	if r.Operation != algorithm.Handshake {
		return 1, true
	}
	client, server := r.doc.Readings(r.Trial, "client_cpu_ns"), r.doc.Readings(r.Trial, "server_cpu_ns")
	if len(client) == 0 || len(server) == 0 {
		return 0, false
	}
	share = stat.Median(server) / (stat.Median(client) + stat.Median(server))
	return share, share > 0
}

// blocksOf are the seconds of a row's blocks in order of time, times a factor.
func blocksOf(r located, factor float64) (times []float64) {
	medians := r.doc.BlockMedians(r.Trial)
	for _, n := range slices.Sorted(maps.Keys(medians)) {
		times = append(times, medians[n]*factor)
	}
	return times
}

// zip adds up what was measured block by block.
func zip(all [][]float64) (sums []float64) {
	if len(all) == 0 {
		return nil
	}
	n := len(slices.MinFunc(all, func(a, b []float64) int { return cmp.Compare(len(a), len(b)) }))
	sums = make([]float64, n)
	for _, xs := range all {
		for i := range sums {
			sums[i] += xs[i]
		}
	}
	return sums
}

// estimate is the median of block values with its interval.
func estimate(values []float64, floor, scale float64) *document.Estimate {
	s := stat.Summarize(singles(values), stat.RowLevel, floor)
	if !(s.Median > 0) {
		return nil
	}
	e := &document.Estimate{Median: s.Median * scale}
	if s.Level >= stat.LeastLevel {
		low, high := s.Low*scale, s.High*scale
		e.Low, e.High, e.Level = &low, &high, min(s.Level, stat.RowLevel)
	}
	return e
}

func inNanoseconds(seconds []float64, floor float64) *document.Estimate {
	return estimate(seconds, floor, 1e9)
}

// tagBytes is the tag of GCM, CCM and ChaCha20-Poly1305 (NIST SP 800-38D §5.2.1.2, RFC 8439 §2.8).
const tagBytes = 16

// sent is how many bytes go over the wire, the message included.
func sent(r *document.Row) (bytes float64, known bool) {
	a := algorithm.Of(r.Algorithm)
	_, mac, composite := strings.Cut(r.Mode, "+")
	switch {
	case r.Operation == algorithm.Handshake:
		to, from := r.Metrics["bytes_to_server"], r.Metrics["bytes_to_client"]
		return to.Value + from.Value, to.Value > 0
	case r.Operation == algorithm.Sign || r.Operation == algorithm.Verify:
		return float64(a.Signature), a.Signature > 0
	case r.Operation == algorithm.Session:
		return float64(a.Public + a.Reply), a.Reply > 0
	case a.Hashes():
		return float64(a.Size), a.Size > 0
	case a.Kind == algorithm.Hybrid:
		e, ok := algorithm.EnvelopeOf(r.Mode)
		nonce := 0
		if !e.Derived {
			nonce = algorithm.NonceBytes(e.Cipher, algorithm.GCM)
		}
		return float64(r.Bytes) + float64(e.Wrapped+nonce+tagBytes), ok
	case composite: // padded to whole blocks
		padded := (r.Bytes/int64(max(a.Block, 1)) + 1) * int64(a.Block)
		return float64(padded) + float64(a.Block+algorithm.Of(mac).Size), true
	case algorithm.Authenticates(r.Algorithm, r.Mode):
		return float64(r.Bytes) + float64(algorithm.NonceBytes(r.Algorithm, r.Mode)+tagBytes), true
	case r.Operation == algorithm.Encrypt || r.Operation == algorithm.Decrypt:
		return float64(r.Bytes) + float64(algorithm.NonceBytes(r.Algorithm, r.Mode)), true
	}
	return 0, false
}

// leastStrength is that of NIST SP 800-57 for anything new.
const leastStrength = 112

// exclude notes why a candidate is out: wrong outputs first.
func (c *Candidate) exclude(s *Step) {
	r := c.Row
	out := func(by Requirement, why language.Text) { c.Excluded = append(c.Excluded, Exclusion{by, why}) }
	switch {
	case r.Status == result.Incorrect:
		out("", language.Text{EN: "its output is wrong", ZH: "输出错误"})
	case r.Withheld:
		out("", language.Text{EN: "the same code is wrong elsewhere", ZH: "同一代码在其他测试项中输出错误"})
	case c.CPU == nil:
		out("", language.Say("%s: %s", "%s：%s", r.StatusText(), answer.ReasonOf(r)))
	}
	for _, w := range r.Weaknesses() {
		out("", answer.LackOf(w).Is)
	}
	if strength := c.Strength(); strength > 0 && strength < leastStrength {
		out("", language.Say("only %d bits of strength", "安全强度仅 %d 比特", strength))
	}
	for _, name := range s.Require {
		if !name.met(r) {
			out(name, ruleOf(name).lackOf(r.Library))
		}
	}
	if len(c.Excluded) > 0 {
		c.Standing = Excluded
	}
}

// evidence are the rows that a candidate's numbers rest on, of those that the plan's run has.
func (c *Candidate) evidence() []string {
	if c.loaded == nil || c.again {
		return []string{c.Row.ID}
	}
	return []string{c.loaded.ID, c.Row.ID}
}

// compared are the rows that a comparison of two rests on: on busy CPUs, where both have such.
func compared(a, b *Candidate) []string {
	if a.loaded == nil || b.loaded == nil {
		return []string{a.Row.ID, b.Row.ID}
	}
	return []string{a.loaded.ID, b.loaded.ID}
}

// cost is what a call takes, on busy CPUs where that is known.
func (c *Candidate) cost() *document.Estimate { return cmp.Or(c.Busy, c.CPU) }

func (c *Candidate) established() bool { return c.Row.Library != subject.Engine }

// ends are the ends of an interval; a value without one stands for both.
func ends(e *document.Estimate) (low, high float64) {
	if e.Low == nil || e.High == nil {
		return e.Median, e.Median
	}
	return *e.Low, *e.High
}

// dominates says whether a candidate is at least as good in everything, and better in
// something. Memory counts where it differs by more than a little.
func (c *Candidate) dominates(other *Candidate) bool {
	if c == other || !c.established() && other.established() {
		return false
	}
	level, fewer := c.cost().Median <= other.cost().Median, compareKnown(c.Bytes, other.Bytes)
	return (c.faster(other) || level && fewer < 0) && fewer <= 0 && !lessMemory(other, c)
}

// faster says whether a candidate is shown to take less than another, block by block.
func (c *Candidate) faster(other *Candidate) bool {
	v := versus(other, c)
	return v.Low != nil && *v.Low > 1
}

// compareKnown orders two numbers where both are known; else they are level.
func compareKnown(a, b *float64) int {
	if a == nil || b == nil {
		return 0
	}
	return cmp.Compare(math.Round(*a), math.Round(*b))
}

// lessMemory says whether a allocates much less than b: half, and a kilobyte a call.
func lessMemory(a, b *Candidate) bool {
	const much, factor = 1 << 10, 2
	return a.Memory != nil && b.Memory != nil && *a.Memory*factor < *b.Memory && *b.Memory-*a.Memory > much
}

// rank gives those that are not excluded their standing, and returns the chosen one; nil
// where there is none. Today may be nil.
func rank(all []*Candidate, today *Candidate) (chosen *Candidate) {
	in := answer.Select(all, func(c *Candidate) bool { return len(c.Excluded) == 0 })
	slices.SortStableFunc(in, func(a, b *Candidate) int { return cmp.Compare(a.cost().Median, b.cost().Median) })
	for _, c := range in {
		c.Standing = Front
		if i := slices.IndexFunc(in, func(o *Candidate) bool { return o.dominates(c) }); i >= 0 {
			c.Standing, c.By = Dominated, in[i]
		} else if !c.established() {
			c.Standing = New
		}
	}
	if chosen = best(in, today); chosen != nil {
		chosen.Standing, chosen.By = Chosen, nil
	}
	return chosen
}

// best is the established one that takes the least; of those that are level the one that
// sends fewer bytes, then the stronger, then what runs today: nobody changes for nothing.
func best(in []*Candidate, today *Candidate) *Candidate {
	pick := answer.Select(in, (*Candidate).established)
	if len(pick) == 0 {
		pick = slices.Clone(in)
	}
	if len(pick) == 0 {
		return nil
	}
	first := slices.MinFunc(pick, func(a, b *Candidate) int { return cmp.Compare(a.cost().Median, b.cost().Median) })
	other := answer.Behind(func(c *Candidate) bool { return c != today })
	level := answer.Select(pick, func(c *Candidate) bool { return c == first || !first.faster(c) })
	slices.SortStableFunc(level, func(a, b *Candidate) int {
		return cmp.Or(compareKnown(a.Bytes, b.Bytes), cmp.Compare(b.Strength(), a.Strength()), other(a, b),
			cmp.Compare(a.cost().Median, b.cost().Median))
	})
	return level[0]
}

// worse lists in what a candidate is behind the one that dominates it, strength among it.
func (c *Candidate) worse() (in []language.Text) {
	add := func(is bool, en, zh string) {
		if is {
			in = append(in, language.Text{EN: en, ZH: zh})
		}
	}
	add(c.By.faster(c), "slower", "更慢")
	add(compareKnown(c.Bytes, c.By.Bytes) > 0, "larger", "更大")
	add(c.Strength() < c.By.Strength(), "weaker", "强度更低")
	return in
}
