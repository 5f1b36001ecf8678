package gmsm

import (
	"github.com/emmansun/gmsm/sm3"

	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/result"
)

var hashes = loop.HashAndMAC{Library: "gmsm", Hash: "SM3", MAC: "HMAC-SM3", New: sm3.New}

var hashConstantTime = result.ConstantTime{Value: "yes", Basis: "SM3 is additions, rotations and logic, without tables or branches on its input"}
