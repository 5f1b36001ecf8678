package parameter

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Step is a part of a transaction: what a library does, and how often a transaction does it.
type Step struct {
	Library, Algorithm, Mode, Operation string
	Bytes                               int64
	Parameters                          string
	Times                               float64
}

// StepMetric names the CPU time of a call of a transaction's step by itself; the first is step 0.
func StepMetric(i int) string { return fmt.Sprintf("step_%d_cpu_ns", i+1) }

const (
	betweenSteps  = ";"
	betweenFields = "|"
	fieldsOfStep  = 7
	mostTimes     = 1e6
)

// JoinSteps writes the steps of a transaction, as the mode of its case.
func JoinSteps(steps []Step) string {
	texts := make([]string, len(steps))
	for i, s := range steps {
		texts[i] = strings.Join([]string{s.Library, s.Algorithm, s.Mode, s.Operation, strconv.FormatInt(s.Bytes, 10), s.Parameters,
			strconv.FormatFloat(s.Times, 'g', -1, 64)}, betweenFields)
	}
	return strings.Join(texts, betweenSteps)
}

// ReadSteps reads what JoinSteps wrote.
func ReadSteps(text string) (steps []Step, err error) {
	for part := range strings.SplitSeq(text, betweenSteps) {
		f := strings.Split(part, betweenFields)
		if len(f) != fieldsOfStep {
			return nil, fmt.Errorf("step %q has %d fields, not %d", part, len(f), fieldsOfStep)
		}
		bytes, err := strconv.ParseInt(f[4], 10, 64)
		if err != nil || bytes < 0 {
			return nil, fmt.Errorf("step %q: %q bytes", part, f[4])
		}
		times, err := strconv.ParseFloat(f[6], 64)
		if err != nil || !(times > 0) || times > mostTimes || math.IsNaN(times) {
			return nil, fmt.Errorf("step %q: %q times", part, f[6])
		}
		steps = append(steps, Step{f[0], f[1], f[2], f[3], bytes, f[5], times})
	}
	return steps, nil
}
