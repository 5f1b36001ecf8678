package worker

import (
	"math"
	"runtime"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// fieldsOf are the fields of the protocol's run, and sampleOf reads them.
func fieldsOf(s result.Sample) []int64 {
	return []int64{s.Calls, s.Thread, s.Process, s.Wall, s.Cycles,
		s.SpinBefore, s.SpinAfter, int64(s.Collections), int64(s.Migrated)}
}

func sampleOf(f []int64) result.Sample {
	return result.Sample{Calls: f[0], Thread: f[1], Process: f[2], Wall: f[3], Cycles: f[4],
		SpinBefore: f[5], SpinAfter: f[6], Collections: int32(f[7]), Migrated: int32(f[8])}
}

const clockSlack = int64(time.Millisecond)

// implausible says why a sample's fields can't be, or nil. The whole call took
// elapsed by the laboratory's own clock.
func implausible(f []int64, calls int64, elapsed time.Duration) error {
	if len(f) != 9 {
		return reason.New("sample-fields", len(f))
	}
	most := int64(elapsed+elapsed/50) + clockSlack
	switch thread, process, wall := f[1], f[2], f[3]; {
	case f[0] != calls:
		return reason.New("sample-calls", f[0], calls)
	case thread <= 0 || process <= 0 || wall <= 0:
		return reason.New("sample-no-time")
	case wall > most:
		return reason.New("sample-too-long")
	case thread > wall+wall/50+clockSlack:
		return reason.New("sample-thread-wall")
	case thread > process+process/50+clockSlack:
		return reason.New("sample-thread-process")
	case process > most*int64(runtime.NumCPU()):
		return reason.New("sample-cpus")
	case f[4] < -1 || f[5] < 0 || f[6] < 0:
		return reason.New("sample-negative")
	case f[7] < 0 || f[7] > math.MaxInt32 || f[8] < 0 || f[8] > 1:
		return reason.New("sample-flag")
	}
	return nil
}
