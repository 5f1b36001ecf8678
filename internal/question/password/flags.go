package password

import (
	"strconv"
	"strings"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/plan"
)

// What a login may be allowed. Less than LeastTime leaves no scheme any strength, and MostTime is more than a user
// waits.
const (
	LeastTime = time.Millisecond
	MostTime  = 10 * time.Second
)

// ParseMemory reads the memory that a login may take.
func ParseMemory(text string) (int64, error) {
	n, err := plan.ParseMemory(text)
	if err != nil {
		return 0, language.Errorf("--memory: %w", "--memory：%s", err)
	}
	return n, nil
}

// ParseRate reads logins per second: "20/s", or 20.
func ParseRate(text string) (float64, error) {
	number := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "/s"))
	rate, err := strconv.ParseFloat(number, 64)
	if err != nil || !(rate >= 0.001 && rate <= 1e6) || strings.ContainsAny(number, "xXpP_") {
		return 0, language.Errorf("--logins %q: give the logins per second, from 0.001/s to 1000000/s, e.g. 20/s",
			"--logins %q：请给出每秒登录次数，0.001/s 至 1000000/s，例如 20/s", text)
	}
	return rate, nil
}
