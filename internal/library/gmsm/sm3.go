package gmsm

import (
	"github.com/emmansun/gmsm/sm3"

	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

var hashes = loop.HashAndMAC{Library: "gmsm", Hash: "SM3", MAC: "HMAC-SM3", New: sm3.New}

func hashConstantTime() result.ConstantTime { return reason.Timing("yes", "arx-sm3") }
