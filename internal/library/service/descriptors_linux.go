package service

import (
	"math"
	"os"

	"golang.org/x/sys/unix"

	"github.com/cryptogauge/cryptogauge/internal/provider"
)

// roomFor says whether so many more files and connections can be open. A server that can't accept a connection does
// not say so: its client would wait for an answer that never comes.
func roomFor(connections int) error {
	const beside = 8 // the listener, the pipe to the client, and what the runtime opens
	var limit unix.Rlimit
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil || unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) != nil {
		return nil // accepting tells
	}
	if left := int(min(limit.Cur, math.MaxInt32)) - len(open); connections+beside > left {
		return provider.Unsupported("descriptors", connections+beside, max(0, left))
	}
	return nil
}
