//go:build !linux && !darwin

package clock

// HasCPUTime says whether [Thread] and [Process] are clocks on this system.
const HasCPUTime = false

// Thread returns 0: there is no such clock here.
func Thread() int64 { return 0 }

// Process returns 0: there is no such clock here.
func Process() int64 { return 0 }
