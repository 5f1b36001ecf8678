package main

import "fmt"

// Layout of kernel.Table; a test in the package compares it. tableFirst is the place of H⁶⁴.
const (
	tablePowers = 96
	tableFirst  = 16 * (tablePowers - 64)
	tableMiddle = 16 * tablePowers

	fewPowers = 8
)

// Registers of key stream that are made ahead: at first, and then.
const (
	aheadFirst = 2
	aheadMost  = 6
)

// Offsets into kernel.Last.
const (
	lastMask       = 0
	lastCounter    = 16
	lastHash       = 32
	lastBits       = 48
	lastTag        = 64
	lastAdditional = 80
	lastLength     = 88
)

// Layout of kernel.Lanes.
const (
	laneGroups = 8
	lanesSrc   = 0
	lanesDst   = lanesSrc + 8*4*laneGroups
	lanesState = lanesDst + 8*4*laneGroups
	lanesTile  = lanesState + 64*laneGroups
	lanesRound = lanesTile + 64*4*laneGroups

	lanesRaw     = lanesRound + 64*(lastKey+1)*laneGroups
	lanesMore    = lanesRaw + 8*4*laneGroups
	lanesLeft    = lanesMore + 8*4*laneGroups
	lanesCount   = lanesLeft + 8*4*laneGroups
	lanesCounter = lanesCount + 64*laneGroups
	lanesKey     = lanesCounter + 64*laneGroups
	lanesMask    = lanesKey + 64*laneGroups
	lanesBits    = lanesMask + 64*laneGroups
	lanesSink    = lanesBits + 64*laneGroups
)

// Layout of kernel.Message.
const (
	messageKey   = 8
	messageNonce = 32
	messageDst   = 80
	messageSrc   = 104
	messageSize  = 144
)

func register(r int) string { return fmt.Sprintf("Z%d", r) }

func offset(n int, base string) string { return fmt.Sprintf("%d(%s)", n, base) }
