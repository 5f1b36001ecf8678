package main

// Offsets into kernel.Schedule; a test in the package compares them with unsafe.Offsetof.
const (
	schedRound   = 0   // [32]uint32
	schedOut     = 128 // [16]byte
	schedChain   = 144 // [4]uint32
	schedIn      = 160 // uint32
	schedSliceIn = 176 // [4]uint32

	// Offset into kernel.work, which begins with the parked state.
	workSlice = 2048 // kernel.Slices
)

// Offsets into kernel.Lanes and the key tables.
const (
	lanesSrc  = 0
	lanesDst  = 512
	lanesIV   = 1024
	lanesTile = 2048

	table64Round = 0
	table64In    = 8192
	table64Out   = 8448

	table16Round = 0
	table16In    = 2048
	table16Out   = 2112
)
