package suite

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// feasible refuses a plan whose blocks can't carry an exact interval for all of
// its headline comparisons at once.
func (s *Suite) feasible() error {
	for _, st := range s.steps {
		need := stat.MinBlocks(stat.FamilyLevel(st.headlines()))
		if s.cfg.Blocks == 0 && st.config.Blocks < need {
			return fmt.Errorf("suite: internal error: %s declares %d headline comparisons, which need %d blocks", st.name, st.headlines(), need)
		}
	}
	return nil
}

// fits refuses goroutines and messages that memory can't hold. The trials of a group
// are open at once; half of what is available is left to the rest.
func (s *Suite) fits(m result.Machine) error {
	asked := s.cfg.Selection.Goroutines
	room := m.Memory.Available
	if limit := m.Cgroup.MemoryLimit; limit > 0 && (room == 0 || limit < room) {
		room = limit
	}
	if err := s.messagesFit(room); err != nil {
		return err
	}
	if len(asked) == 0 || room == 0 {
		return nil
	}
	var need int64
	for _, st := range s.steps {
		for _, g := range st.plan.Groups {
			var group int64
			for _, t := range g.Trials {
				n, _ := strconv.ParseInt(t.Case.Parameter("goroutines"), 10, 64)
				group += n * plan.GoroutineBytes(t.Case)
			}
			need = max(need, group)
		}
	}
	if room /= 2; need <= room {
		return nil
	}
	most := slices.Max(asked)
	return usage("--goroutines %d: they need %d MiB at once "+
		"and half of the available memory is %d MiB: give %d or fewer, or narrow the run with --libraries or --algorithms",
		"--goroutines %d：同时需要 %d MiB，而可用内存的一半为 %d MiB：请给 %d 以内，或用 --libraries、--algorithms 缩小范围",
		most, need>>20, room>>20, max(1, int64(float64(most)*float64(room)/float64(need))))
}

// messagesFit is fits for messages that are hashed at once, where their number was
// asked for.
func (s *Suite) messagesFit(room int64) error {
	asked := s.cfg.Selection.Messages
	if asked == 0 || room == 0 {
		return nil
	}
	var need int64
	for _, st := range s.steps {
		for _, g := range st.plan.Groups {
			need = max(need, plan.MessageRoom(g))
		}
	}
	if room /= 2; need <= room {
		return nil
	}
	return usage("--messages %d: with their digests in all libraries and a goroutine for each they take about %d MiB, "+
		"and half of the available memory is %d MiB: give fewer, or narrow the run with --sizes, --libraries or --algorithms",
		"--messages %d：连同各库的摘要与每条消息一个 goroutine，约需 %d MiB，而可用内存的一半为 %d MiB：请减少，或用 --sizes、--libraries、--algorithms 缩小范围",
		asked, need>>20, room>>20)
}
