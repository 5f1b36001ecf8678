// Gen writes the assembly of package internal/kernel/aes/floor and its counts of instructions, both from
// the assembly of the kernels:
//
//	go run ./gen ../avx512_amd64.s
package main

import (
	"fmt"
	"os"

	"github.com/cryptogauge/cryptogauge/internal/kernel/bound/uncouple"
)

// kernels are those for keys of 128 and of 256 bits: the number of rounds lies behind the keys of a schedule. Those for
// short messages have no turns.
func kernels() (ks []uncouple.Kernel) {
	for _, bits := range []int64{128, 256} {
		add := func(name, argument string, turn int64, memory string) {
			ks = append(ks, uncouple.Kernel{Name: name, As: name + fmt.Sprint(bits), Argument: argument, Turn: turn,
				Given: map[string]int64{memory: bits/32 + 6, "groups": 8}})
		}
		for _, name := range []string{"wideECBEncrypt", "wideCBCDecrypt", "wideCTR", "wideXTSEncrypt", "wideGHASH", "wideSealBulk"} {
			add(name, "n", 8<<10, "240(R8)")
		}
		add("wideCBCLanes", "blocks", 4, "240(R8)")
		whole := func(name, as string, given map[string]int64) {
			ks = append(ks, uncouple.Kernel{Name: name, As: as + fmt.Sprint(bits), Whole: true, Given: given})
		}
		whole("wideSealWhole", "wideSealWhole64", map[string]int64{"240(R8)": bits/32 + 6, "n": 64})
		whole("wideSealWhole", "wideSealWhole1350", map[string]int64{"240(R8)": bits/32 + 6, "n": 1350})
		whole(fmt.Sprint("wideSealShort", bits), "wideSealShort", map[string]int64{"groups": 4, "n": 64})
	}
	return ks
}

func main() { uncouple.Main(os.Args[1:], kernels()) }
