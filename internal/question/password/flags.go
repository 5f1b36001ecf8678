package password

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/plan"
)

// What a login may be allowed. Less than LeastTime leaves no scheme any strength, and MostTime is more than a user
// waits.
const (
	LeastTime = time.Millisecond
	MostTime  = 10 * time.Second
)

func ParseMemory(text string) (int64, error) {
	n, err := plan.ParseMemory(text)
	if err != nil {
		return 0, language.Errorf("--memory: %w", "--memory：%s", err)
	}
	return n, nil
}

// ParseRate reads how often users log in: "20/s", "90/min", "500/h", or 20, which is a second.
func ParseRate(text string) (float64, error) {
	number, unit, divided := strings.Cut(text, "/")
	number, unit = strings.TrimSpace(number), strings.TrimSpace(unit)
	at := slices.IndexFunc(units(), func(u unitOfTime) bool { return u.name == unit || !divided && u.seconds == 1 })
	v, err := strconv.ParseFloat(number, 64)
	if at >= 0 {
		v /= units()[at].seconds
	}
	if err != nil || at < 0 || !(v >= leastRate && v <= mostRate) || strings.ContainsAny(number, "xXpP_") {
		return 0, language.Errorf("--logins %q: give the logins per second, minute or hour, from 1/h to 1000000/s, e.g. 20/s, 90/min or 500/h",
			"--logins %q：请给出每秒、每分钟或每小时登录次数，1/h 至 1000000/s，例如 20/s、90/min 或 500/h", text)
	}
	return v, nil
}

const (
	leastRate = 1.0 / 3600
	mostRate  = 1e6
)

type unitOfTime struct {
	name    string // as it is typed
	seconds float64
	per     layout.Text // as it is said in front of a number
}

func units() []unitOfTime {
	return []unitOfTime{{"s", 1, layout.Text{EN: "per second", ZH: "每秒"}}, {"min", 60, layout.Text{EN: "per minute", ZH: "每分钟"}},
		{"h", 3600, layout.Text{EN: "per hour", ZH: "每小时"}}}
}

// share is the part of the memory that can still be had that all logins at once may take.
const share = 2

// MostMemory is what a login may take where memory has room for one on each of some CPUs: room is what can still be
// had, 0 where nobody tells, and then there is no limit.
func MostMemory(room int64, cpus int) int64 {
	if room == 0 {
		return math.MaxInt64
	}
	return max(room/share/int64(cpus)>>20, 1) << 20
}

// Bear refuses memory of which this machine has none for a login on each of its CPUs at once.
func Bear(memory, room int64, cpus int) error {
	most := MostMemory(room, cpus)
	if memory <= most {
		return nil
	}
	return language.Errorf("--memory %s: with every CPU busy %d logins take that at once, and half of the available memory is %s: give %s or less",
		"--memory %s：全部 CPU 繁忙时有 %d 个登录同时占用，而可用内存的一半为 %s：请给 %s 以内",
		language.FormatSize(memory), cpus, language.FormatSize(room/share>>20<<20), language.FormatSize(most))
}
