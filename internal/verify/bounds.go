package verify

import (
	"math"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// A claim is called impossible only where what was measured contradicts it already, and an
// argument, which is printed, gives a time that no program can go below on a processor of
// this kind. The arguments are generous: they grant every unit of the processor for every
// cycle, and leave out all that a library has to do besides.

// least is the least time of a row, and why.
type least struct {
	ns  float64
	why layout.Text
}

// impossible argues that a statement can't be true of its row here; it is empty where nothing
// is known that forbids it. Ratios and metrics are never argued about.
func (j judge) impossible(v *Judged) layout.Text {
	if len(v.Rows) != 1 {
		return layout.Text{}
	}
	i := slices.IndexFunc(j.doc.Rows, func(r document.Row) bool { return r.ID == v.Rows[0] })
	r := &j.doc.Rows[i]
	for _, f := range v.Found {
		longest := f.Asked.High // claimed, in ns
		if f.What == "rate" {
			work := 1e9
			if f.Asked.Unit != "1/s" {
				work *= float64(r.Bytes)
			}
			longest = work / f.Asked.Low
		} else if f.What != "time" {
			continue
		}
		for _, bound := range []func(*document.Row) (least, bool){j.multiplications, j.rounds, j.loads} {
			if l, ok := bound(r); ok && longest < l.ns {
				return l.why
			}
		}
	}
	return layout.Text{}
}

// spinCycles are those of the fixed loop around each sample: as many additions, each of which
// needs the one before (clock.SpinSteps).
const spinCycles = 1 << 15

// mostHertz is more than any processor is clocked with.
const mostHertz = 7e9

// hertz is the highest clock of the machine: that which it states, or which the fixed loop
// showed where that is more. Where neither is known it is beyond any.
func (j judge) hertz() float64 {
	hertz := j.doc.Machine.CPU.MaxHertz
	var spins []float64
	for i := range j.doc.Run.Samples {
		if s := &j.doc.Run.Samples[i]; s.SpinBefore > 0 {
			spins = append(spins, float64(s.SpinBefore))
		}
	}
	const few, fastest = 50, 0.01 // a reading of the clock may be off by its grain
	if len(spins) >= few {
		slices.Sort(spins)
		hertz = max(hertz, spinCycles*1e9/spins[int(fastest*float64(len(spins)))])
	}
	if hertz < 5e8 || hertz > mostHertz {
		return mostHertz
	}
	return hertz
}

func gigahertz(hertz float64) string { return layout.FormatNumber(hertz/1e9) + " GHz" }

// products are the products of two 64-bit words that a core completes in a cycle at the most: a
// multiplier for whole numbers does one, and the vector units two in 256 bits or, with
// AVX-512 and its multiply-and-add of 52 bits, six.
func (j judge) products() float64 {
	if slices.ContainsFunc(j.doc.Machine.CPU.Features, func(f string) bool { return f == "avx512f" || f == "sve2" }) {
		return 7
	}
	return 3
}

// multiplications bounds RSA. A multiplication modulo a number of n words takes n² products,
// and n² more to reduce; a squaring takes n(n+1)/2, and n² to reduce. With the exponent
// 65537 the public side takes 16 squarings and a multiplication. The private side takes a
// squaring for each bit of its exponent: with the primes, twice half the bits at half the length.
func (j judge) multiplications(r *document.Row) (l least, ok bool) {
	bits := algorithm.RSABits(r.Algorithm)
	if bits == 0 || r.Parameters != "" {
		return l, false
	}
	words := math.Ceil(float64(bits) / 64)
	squaring := func(n float64) float64 { return n*(n+1)/2 + n*n }
	products, calls := 16*squaring(words)+2*words*words, layout.Text{EN: "16 squarings and a multiplication (exponent 65537)", ZH: "16 次平方与 1 次乘法（指数 65537）"}
	switch r.Operation {
	case algorithm.Encrypt, algorithm.Verify:
	case algorithm.Decrypt, algorithm.Sign:
		half := math.Ceil(words / 2)
		products = float64(bits) * squaring(half)
		calls = layout.Say("%d squarings modulo a prime of half the length", "%d 次以半长素数为模的平方", bits)
	default:
		return l, false
	}
	hertz := j.hertz()
	l.ns = products / j.products() / hertz * 1e9
	l.why = layout.Say("RSA of %d bits takes %s: %s products of 64-bit words. At %s a cycle, which no core of this kind exceeds, and %s they take %s",
		"%d 位 RSA 需 %s，即 %s 次 64 位字乘积；按此类核心每周期至多 %s 次、主频 %s 计，至少需 %s",
		bits, calls, layout.FormatCount(products), layout.FormatCount(j.products()), gigahertz(hertz), layout.FormatTime(l.ns))
	return l, true
}

// rounds bounds AES where each block waits for the one before. An instruction for a round
// takes two cycles at the least on arm64 and three on x86.
func (j judge) rounds(r *document.Row) (l least, ok bool) {
	count := map[string]float64{algorithm.AES128: 10, algorithm.AES192: 12, algorithm.AES256: 14}[r.Algorithm]
	chained := slices.Contains([]string{algorithm.CBC, algorithm.CFB, algorithm.OFB}, r.Mode)
	if count == 0 || !chained || r.Operation != algorithm.Encrypt || r.Bytes == 0 {
		return l, false
	}
	cycles := 3.0
	if j.doc.Machine.Arch == "arm64" {
		cycles = 2
	}
	hertz, blocks := j.hertz(), math.Floor(float64(r.Bytes)/16)
	l.ns = blocks * count * cycles / hertz * 1e9
	l.why = layout.Say("in %s each block waits for the one before: %s blocks of %s rounds, of at least %s cycles each, take %s at %s",
		"%s 模式下每个分组须等待前一分组：%s 个分组、各 %s 轮、每轮至少 %s 周期，按主频计至少需 %s（%s）",
		r.Mode, layout.FormatCount(blocks), layout.FormatCount(count), layout.FormatCount(cycles), layout.FormatTime(l.ns), gigahertz(hertz))
	return l, true
}

// loads bounds whatever reads a message on one core: it loads 128 bytes a cycle at the most, two
// vectors of 64.
func (j judge) loads(r *document.Row) (l least, ok bool) {
	if r.Bytes == 0 || r.Loop == "scenario" || r.Status != result.OK {
		return l, false
	}
	const perCycle = 128
	hertz := j.hertz()
	l.ns = float64(r.Bytes) / perCycle / hertz * 1e9
	l.why = layout.Say("a core loads %d bytes a cycle at the most: at %s %s take %s, if nothing else is done",
		"单核每周期至多读取 %d 字节：主频 %s 下，即使不作其他运算，%s 也需 %s",
		perCycle, gigahertz(hertz), answer.SizeText(r.Bytes), layout.FormatTime(l.ns))
	return l, true
}
