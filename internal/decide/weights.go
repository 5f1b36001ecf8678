package decide

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/language"
)

// criteria are what candidates are weighed by, in the order of [Weights].
var criteria = []string{"time", "throughput", "errors", "resources"}

// Weights are the shares of the criteria, which sum to 1.
type Weights [4]float64

// ParseWeights reads "time=40,throughput=30,errors=20,resources=10".
func ParseWeights(text string) (*Weights, error) {
	const mostWeight = 1e9
	var w Weights
	var sum float64
	seen := map[int]bool{}
	for pair := range strings.SplitSeq(text, ",") {
		name, number, _ := strings.Cut(pair, "=")
		i := slices.Index(criteria, strings.TrimSpace(name))
		if i < 0 {
			return nil, language.Errorf("--weights: %w", "--weights：%s",
				unknown(language.Text{EN: "criterion", ZH: "指标"}, strings.TrimSpace(name), criteria))
		}
		v, ok := decimal(number)
		if !ok || v < 0 || v > mostWeight || seen[i] {
			return nil, language.Errorf("--weights %q: give each criterion one number from 0 on, e.g. time=40,throughput=30,errors=20,resources=10",
				"--weights %q：每项指标给一个不小于 0 的数，例如 time=40,throughput=30,errors=20,resources=10", text)
		}
		w[i], seen[i], sum = v, true, sum+v
	}
	if !(sum > 0) {
		return nil, language.Error("--weights: all are 0; give one of them more", "--weights：全部为 0；至少一项应大于 0")
	}
	for i := range w {
		w[i] /= sum
	}
	return &w, nil
}

// Weighed is what weights rank first, and how much that depends on them.
type Weighed struct {
	First  *Candidate
	Scores []Score // best first
	Share  float64 // of all weightings under which the same candidate is first
}

// Score is a candidate's, from 0 to 1.
type Score struct {
	*Candidate
	Value float64
}

// draws are so many weightings that a share is known to a percent.
const draws = 20_000

// weigh ranks those that nothing dominates. A score is the weighted mean of how near a
// candidate comes to the best: of time alone, of time on busy CPUs, of errors (every candidate
// left has none), and of bytes sent and allocated.
func (w *Weights) weigh(all []*Candidate) (result Weighed) {
	in := answer.Select(all, func(c *Candidate) bool { return c.Standing == Chosen || c.Standing == Front || c.Standing == New })
	if len(in) == 0 {
		return result
	}
	points := make([][4]float64, len(in))
	for i, c := range in {
		points[i] = [4]float64{c.CPU.Median, c.cost().Median, 1, resources(c)}
	}
	least := points[0]
	for _, p := range points {
		for k := range least {
			least[k] = min(least[k], p[k])
		}
	}
	for i := range points {
		for k := range points[i] {
			points[i][k] = least[k] / points[i][k]
		}
	}
	for i, c := range in {
		result.Scores = append(result.Scores, Score{c, w.score(points[i])})
	}
	first := leading(*w, points)
	result.First = in[first]
	slices.SortStableFunc(result.Scores, func(a, b Score) int { return cmp.Compare(b.Value, a.Value) })
	stands, rng := 0, rand.New(rand.NewPCG(1, 1)) // the same weightings for everyone
	for range draws {
		if leading(anyWeights(rng), points) == first {
			stands++
		}
	}
	result.Share = float64(stands) / draws
	return result
}

func resources(c *Candidate) float64 {
	total := 1.0
	for _, x := range []*float64{c.Bytes, c.Memory} {
		if x != nil {
			total += *x
		}
	}
	return total
}

func (w *Weights) score(point [4]float64) (sum float64) {
	for k := range w {
		sum += w[k] * point[k]
	}
	return sum
}

func leading(w Weights, points [][4]float64) (first int) {
	for i := range points {
		if w.score(points[i]) > w.score(points[first]) {
			first = i
		}
	}
	return first
}

// anyWeights are drawn evenly from all that sum to 1.
func anyWeights(rng *rand.Rand) (w Weights) {
	var sum float64
	for k := range w {
		w[k] = rng.ExpFloat64()
		sum += w[k]
	}
	for k := range w {
		w[k] /= sum
	}
	return w
}
