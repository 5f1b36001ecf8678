package bulkhash

import (
	"sync"
	"unsafe"

	"github.com/cryptogauge/cryptogauge/internal/provider"
)

// messages are those of a vector, cut. Headers of slices and strings take 40 bytes a
// message, which is most of what short messages take, so the operations of a process
// that have a vector in common have these in common as well, and nobody writes to them.
type messages struct {
	slices  [][]byte
	strings []string
	users   int
}

// cuts are the messages that are in use.
var cuts = struct {
	mu sync.Mutex
	of map[*provider.Vector]*messages
}{of: map[*provider.Vector]*messages{}}

// cut gives the messages of a vector, of which there are n.
func cut(v *provider.Vector, n int64) *messages {
	cuts.mu.Lock()
	defer cuts.mu.Unlock()
	m := cuts.of[v]
	if m == nil {
		size := len(v.Plaintext) / int(n)
		m = &messages{slices: make([][]byte, n), strings: make([]string, n)}
		for i := range m.slices {
			m.slices[i] = v.Plaintext[i*size : (i+1)*size : (i+1)*size]
			m.strings[i] = unsafe.String(&m.slices[i][0], size) // vectors are never written to
		}
		cuts.of[v] = m
	}
	m.users++
	return m
}

// release gives back what cut gave.
func release(v *provider.Vector) {
	cuts.mu.Lock()
	defer cuts.mu.Unlock()
	if m := cuts.of[v]; m != nil {
		if m.users--; m.users == 0 {
			delete(cuts.of, v)
		}
	}
}
