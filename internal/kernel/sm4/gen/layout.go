package main

// Offsets into kernel.Schedule; a test in the package compares them with unsafe.Offsetof.
const (
	schedSliceIn = 0   // [4]uint32
	schedChain   = 16  // [4]uint32
	schedIn      = 32  // uint32
	schedRound   = 36  // [32]uint32
	schedOut     = 164 // [16]byte

	// Offset into kernel.work, which begins with the parked state.
	workSlice = 2048 // kernel.Slices
)

// Offsets into kernel.Lanes and the key tables.
const (
	lanesSrc  = 0
	lanesDst  = 512
	lanesIV   = 1024
	lanesTile = 2048
	lanesOut  = 8192

	table64Round = 0
	table64In    = 8192
	table64Out   = 8448

	table16In    = 0
	table16Round = 64
	table16Out   = 2112
	table16Bytes = 2368
)

// Offsets into kernel.Sixteen.
const (
	sixteenSrc     = 0
	sixteenDst     = 128
	sixteenLeft    = 640
	sixteenIV      = 768
	sixteenWords   = 1024
	sixteenLengths = 1280
	sixteenZero    = 1536
	sixteenPower   = 1792
	sixteenHash    = 2816
	sixteenMask    = 3072
	sixteenSum     = 3328
	sixteenTable   = 3584
	sixteenSpare   = 5952
	sixteenSlices  = 6016
	sixteenPair    = 15488
)

// Offsets into kernel.Message.
const (
	messageSchedule     = 0
	messagePowers       = 8
	messageDst          = 16
	messageSrc          = 24
	messageN            = 32
	messageAdditional   = 40
	messageAdditionalN  = 48
	messageCounter      = 56
	messageFirstCounter = 60
	messageFirst        = 64
	messageHash         = 80
	messageLengths      = 96
	messageTag          = 112
	messageTagMask      = 128
	messageVerdict      = 144
)
