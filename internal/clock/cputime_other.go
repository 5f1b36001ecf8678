//go:build !linux && !darwin

package clock

const HasCPUTime = false

func Thread() int64  { return 0 }
func Process() int64 { return 0 }
