//go:build !linux

package main

import "time"

const clockName = "wall clock"

var start = time.Now()

// now is time in nanoseconds.
func now() int64 { return int64(time.Since(start)) }
