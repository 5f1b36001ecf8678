package main

// Offsets into kernel.Lanes; a test in the package compares them with unsafe.Offsetof.
const (
	lanesStart  = 0
	lanesLen    = 512
	lanesBorn   = 1024
	lanesBefore = 1536
	lanesState  = 2048
)
