// Gen writes the assembly of package internal/kernel/sm4/floor and its counts of instructions, both from
// the assembly of the kernels:
//
//	go run ./gen ../avx512_amd64.s
package main

import (
	"os"

	"github.com/cryptogauge/cryptogauge/internal/kernel/bound/uncouple"
)

var kernels = []uncouple.Kernel{
	{Name: "wideShort", Argument: "n", Turn: 64, Whole: true},
	{Name: "wideECB", Argument: "n", Turn: 2048},
	{Name: "wideCBCDecrypt", Argument: "n", Turn: 2048},
	{Name: "wideCTR", Argument: "n", Turn: 2048},
	{Name: "wideLanes64", Argument: "steps", Turn: 4},
	{Name: "wideGHASH", Argument: "n", Turn: 1024},
	{Name: "wideGCMSeal", Argument: "pairs", Turn: 1},
	{Name: "wideExpand16", Whole: true},
	{Name: "wideCounters16", Whole: true},
	{Name: "wideKeys16", Whole: true},
	{Name: "wideFirst16", Whole: true},
	{Name: "wideFew16", Argument: "full", Turn: 1, Whole: true},
	{Name: "wideTags16", Whole: true},
}

func main() { uncouple.Main(os.Args[1:], kernels) }
