package stat

import (
	"fmt"
	"math"
)

// Warning is doubt that travels with a number: a stable code for programs (one
// of the Code constants) and a sentence in English for people.
type Warning struct {
	Code string
	Text string
}

func (w Warning) String() string { return w.Text }

// Codes of warnings. The first two come with OK false.
const (
	CodeInvalid   = "invalid"    // an argument or a time that can't be; the result is refused
	CodeFewBlocks = "few-blocks" // too few blocks for an exact interval at the level asked
	CodeDiscarded = "discarded"  // samples were marked NaN and left out
	CodeUnpaired  = "unpaired"   // rounds of one side without a partner on the other, left out
	CodeTies      = "ties"       // the interval has no width but the floor: a coarse clock, or no clock
	CodeDrift     = "drift"      // the last quarter of the blocks differs from the first
	CodeBlocks    = "blocks"     // blocks differ by more than their rounds explain
	CodeOutlier   = "outlier"    // sizes that a fit left out
	CodeFixed     = "fixed"      // a fixed cost lost in the fit's residuals
)

func warn(code, format string, args ...any) Warning {
	return Warning{code, fmt.Sprintf(format, args...)}
}

// isTime reports whether a clock could have shown it.
func isTime(seconds float64) bool { return seconds > 0 && !math.IsInf(seconds, 1) }

// checkSettings refuses what no caller means. The zero Warning is approval.
func checkSettings(level, floor float64) (w Warning, ok bool) {
	switch {
	case !(level > 0 && level < 1):
		return warn(CodeInvalid, "level %v is not between 0 and 1", level), false
	case !(floor >= 0) || math.IsInf(floor, 1):
		return warn(CodeInvalid, "noise floor %v is not a finite share of 0 or more", floor), false
	}
	return Warning{}, true
}

// percent prints a log difference as people read it.
func percent(log float64) string { return fmt.Sprintf("%.2g %%", 100*math.Expm1(log)) }
