package verify

import (
	"math"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/statement"
	"github.com/cryptogauge/cryptogauge/result"
)

// A claim is called impossible only where what was measured contradicts it already, and an
// argument, which is printed, gives a time that no program can go below on a processor of
// this kind. The arguments are generous: they grant every unit of the processor for every
// cycle, and leave out all that a library has to do besides. Rows with parameters have none:
// several goroutines, calls or messages may share their time.

// least is the least time of a row, and why.
type least struct {
	ns  float64
	why layout.Text
}

// impossible argues that a statement can't be true of its row here; it is empty where nothing
// is known that forbids it. Ratios and metrics are never argued about.
func (j judge) impossible(v *Judged) layout.Text {
	if v.Kind != statement.Row {
		return layout.Text{}
	}
	r := j.doc.Row(v.Rows[0])
	if r.Parameters != "" || r.NsPerOp == nil || r.NsPerOp.Low == nil {
		return layout.Text{}
	}
	for _, f := range v.Found {
		if f.verdict() != Contradicted {
			continue
		}
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
			// A bound that the row itself goes below argues nothing.
			if l, ok := bound(r); ok && longest < l.ns && l.ns <= *r.NsPerOp.Low {
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

// clocked is the highest clock of the machine, and how that is known: it is what the machine
// states, or what the fixed loop showed where that is more. Where neither is known it is
// beyond any.
func (j judge) clocked() (hertz float64, how layout.Text) {
	hertz = j.doc.Machine.CPU.MaxHertz
	how = layout.Text{EN: "the highest clock that this machine states", ZH: "本机标称的最高主频"}
	var spins []float64
	for i := range j.doc.Run.Samples {
		if s := &j.doc.Run.Samples[i]; s.SpinBefore > 0 {
			spins = append(spins, float64(s.SpinBefore))
		}
	}
	const few, fastest = 50, 0.01 // a reading of the clock may be off by its grain
	if len(spins) >= few {
		slices.Sort(spins)
		if seen := spinCycles * 1e9 / spins[int(fastest*float64(len(spins)))]; seen > hertz {
			hertz, how = seen, layout.Text{EN: "the highest clock that this run showed", ZH: "本次运行测得的最高主频"}
		}
	}
	if hertz < 5e8 || hertz > mostHertz {
		return mostHertz, layout.Text{EN: "which is beyond any processor", ZH: "高于任何处理器"}
	}
	return hertz, how
}

// pace is a clock with how it is known.
func (j judge) pace() (hertz float64, text layout.Text) {
	hertz, how := j.clocked()
	return hertz, layout.Say("%s GHz (%s)", "%s GHz（%s）", layout.FormatNumber(hertz/1e9), how)
}

// products are the products of two 64-bit words that a core completes in a cycle at the most, in
// its multiplier for whole numbers and its vector units together:
//
//   - 7 with 512-bit vectors: two multiply-and-adds of 52 bits in eight lanes, of which two make
//     a product of 52 bits, are 5.3 products of 64; and one in the multiplier.
//   - 4 with 256-bit vectors that may multiply and add 52 bits (AVX-IFMA, which is not among the
//     features that are read, on others than AMD's), and with four vector units of 128 bits on arm64.
//   - 3 with 256-bit vectors without that: what multiplies 32 bits, or in floating point 53, spends
//     half of the vector units on additions.
//
// Matrix units, which multiply bytes, are left out; the text says so.
func (j judge) products() float64 {
	m := &j.doc.Machine
	switch {
	case slices.ContainsFunc(m.CPU.Features, func(f string) bool { return f == "avx512f" || f == "sve" || f == "sve2" }):
		return 7
	case m.Arch == "amd64" && m.CPU.Vendor == "AuthenticAMD":
		return 3
	}
	return 4
}

// unsplit is the number of words up to which multiplying them each by each is fastest. Libraries
// tune where Karatsuba's method begins to pay; GMP splits 64-bit words from about 20 on.
const unsplit = 16

// squaring and product are how many products of words a square and a product of n words take.
// Karatsuba's method takes three of half the length.
func squaring(n float64) float64 {
	if n <= unsplit {
		return n * (n + 1) / 2
	}
	return 3 * squaring(math.Ceil(n/2))
}

func product(n float64) float64 {
	if n <= unsplit {
		return n * n
	}
	return 3 * product(math.Ceil(n/2))
}

// multiplications bounds RSA. A multiplication modulo a number takes a product and another one
// to reduce it, a squaring a square and that. With the exponent 65537 the public side takes
// 16 squarings and a multiplication. The private side takes a squaring for each bit of its
// exponent: with two primes, twice half the bits at half the length.
func (j judge) multiplications(r *document.Row) (l least, ok bool) {
	bits := algorithm.RSABits(r.Algorithm)
	if bits == 0 {
		return l, false
	}
	words := math.Ceil(float64(bits) / 64)
	products := 16*(squaring(words)+product(words)) + 2*product(words)
	calls := layout.Text{EN: "16 squarings and a multiplication (exponent 65537)", ZH: "16 次平方与 1 次乘法（指数 65537）"}
	switch r.Operation {
	case algorithm.Encrypt, algorithm.Verify:
	case algorithm.Decrypt, algorithm.Sign:
		half := math.Ceil(words / 2)
		products = float64(bits) * (squaring(half) + product(half))
		calls = layout.Say("%d squarings modulo a prime of half the length", "%d 次以半长素数为模的平方", bits)
	default:
		return l, false
	}
	hertz, pace := j.pace()
	l.ns = products / j.products() / hertz * 1e9
	l.why = layout.Say("RSA of %d bits takes %s: %s products of 64-bit words, with numbers above %d words split by Karatsuba's method. "+
		"A core of this kind completes at most %s a cycle, its multiplier and its vector units (%s) together, matrix units aside. At %s they take %s",
		"%d 位 RSA 需 %s，即 %s 次 64 位字乘积（超过 %d 个字的数按 Karatsuba 法拆分）。此类核心的乘法器与向量单元（%[6]s）合计每周期至多 %[5]s 次，矩阵单元不计。主频 %[7]s 下至少需 %[8]s",
		bits, calls, layout.FormatCount(products), unsplit, layout.FormatCount(j.products()), j.vectors(), pace, layout.FormatTime(l.ns))
	return l, true
}

// vectors names the machine's vector units, by the widest of its features.
func (j judge) vectors() string {
	for _, known := range []struct{ feature, name string }{{"avx512ifma", "AVX-512 IFMA"}, {"avx512f", "AVX-512"}, {"sve2", "SVE2"}, {"sve", "SVE"},
		{"avx2", "AVX2"}, {"neon", "NEON"}} {
		if slices.Contains(j.doc.Machine.CPU.Features, known.feature) {
			return known.name
		}
	}
	return j.doc.Machine.Arch
}

// cyclesARound are the fewest cycles after which an instruction for a round of AES gives what the next
// one needs: three on x86 (Intel since Ice Lake; AMD four), two on arm64 with the two instructions
// of a round fused.
var cyclesARound = map[string]float64{"amd64": 3, "arm64": 2}

// rounds bounds AES where each block waits for the one before.
func (j judge) rounds(r *document.Row) (l least, ok bool) {
	count := map[string]float64{algorithm.AES128: 10, algorithm.AES192: 12, algorithm.AES256: 14}[r.Algorithm]
	chained := slices.Contains([]string{algorithm.CBC, algorithm.CFB, algorithm.OFB}, r.Mode)
	cycles, known := cyclesARound[j.doc.Machine.Arch]
	if count == 0 || !chained || !known || r.Operation != algorithm.Encrypt || r.Bytes == 0 {
		return l, false
	}
	hertz, pace := j.pace()
	blocks := math.Floor(float64(r.Bytes) / 16)
	l.ns = blocks * count * cycles / hertz * 1e9
	l.why = layout.Say("in %s each block waits for the one before: %s blocks of %s rounds, of at least %s cycles each, at %s take %s",
		"%s 模式下每个分组须等待前一分组：%s 个分组、各 %s 轮、每轮至少 %s 周期，主频 %s 下至少需 %s",
		r.Mode, layout.FormatCount(blocks), layout.FormatCount(count), layout.FormatCount(cycles), pace, layout.FormatTime(l.ns))
	return l, true
}

// loads bounds whatever reads a message on one core: it loads 128 bytes a cycle at the most, two
// vectors of 64. No core that is built loads more.
func (j judge) loads(r *document.Row) (l least, ok bool) {
	if r.Bytes == 0 || r.Loop == "scenario" || r.Status != result.OK {
		return l, false
	}
	const perCycle = 128
	hertz, pace := j.pace()
	l.ns = float64(r.Bytes) / perCycle / hertz * 1e9
	l.why = layout.Say("a core loads %d bytes a cycle at the most: at %s %s take %s, if nothing else is done",
		"单核每周期至多读取 %d 字节：主频 %s 下，即使不作其他运算，%s 也需 %s",
		perCycle, pace, answer.SizeText(r.Bytes), layout.FormatTime(l.ns))
	return l, true
}
