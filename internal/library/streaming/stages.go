package streaming

import "github.com/cryptogauge/cryptogauge/internal/clock"

type stage int

const (
	reading stage = iota
	packing
	sealing
	writing
	stageCount
)

// stageMetrics name the mean wall time of each stage of a chunk.
var stageMetrics = [stageCount]string{"stage_read_ns", "stage_compress_ns", "stage_seal_ns", "stage_write_ns"}

// stagedEvery is after how many bytes a chunk is timed stage by stage: the clock is read three times more for it, which
// is less than a thousandth of the time of so much data.
const stagedEvery = 1 << 20

// laps time the stages of some chunks, one behind the other.
type laps struct {
	spent  [stageCount]int64 // ns
	chunks int64
	last   int64
}

// staged are the laps of a chunk where it is one that is timed by stages, else nil. The first chunk of a stream is cold.
func (s *stream) staged(number uint32, began int64) *laps {
	every := uint32(max(1, stagedEvery/s.Chunk))
	if number%every != every-1 {
		return nil
	}
	s.laps.last = began
	s.laps.chunks++
	return &s.laps
}

func (l *laps) end(of stage) {
	if l == nil {
		return
	}
	now := clock.Wall()
	l.spent[of] += now - l.last
	l.last = now
}

// metrics are the means since the last time; nothing is said of a stage that there is not.
func (l *laps) metrics(add func(name string, value float64, unit string), shape Shape) {
	for i, name := range stageMetrics {
		if l.chunks > 0 && (stage(i) != packing || shape.Compress) {
			add(name, float64(l.spent[i])/float64(l.chunks), "ns")
		}
	}
	*l = laps{}
}
