// Gen writes the assembly of package internal/kernel/aes, avx512_amd64.s:
//
//	go run ./gen [directory]
//
// A test compares its output with the file in the tree.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/cryptogauge/cryptogauge/internal/kernel/emit"
)

func main() {
	dir := "."
	if len(os.Args) > 1 {
		dir = os.Args[1]
	}
	if err := os.WriteFile(filepath.Join(dir, fileName), []byte(generate()), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

const fileName = "avx512_amd64.s"

// A program is the file in the making.
type program struct{ emit.File }

// generate returns the file's content.
func generate() string {
	p := new(program)
	p.data()
	p.expand128()
	p.expand192()
	p.expand256()
	p.inverse()
	p.block("wideEncryptBlock", forward)
	p.block("wideDecryptBlock", backward)
	p.ecb("wideECBEncrypt", forward)
	p.ecb("wideECBDecrypt", backward)
	p.cbcEncrypt()
	p.cbcDecrypt()
	p.ctr()
	p.ahead()
	p.xor()
	p.xts("wideXTSEncrypt", forward)
	p.xts("wideXTSDecrypt", backward)
	p.powers("widePowers", tablePowers)
	p.powers("wideFewPowers", fewPowers)
	p.ghash("wideGHASH", "Table", wholeTable)
	p.ghash("wideFewGHASH", "few", fewTable)
	p.gcmBulk()
	p.gcmLast("wideSealLast", sealing)
	p.gcmLast("wideAuthenticate", authenticating)
	p.gcmWhole("wideSealWhole", sealing)
	p.gcmWhole("wideOpenWhole", authenticating)
	p.hashedCounter()
	p.expandLanes("wideExpandLanes128", 16)
	p.expandLanes("wideExpandLanes192", 24)
	p.expandLanes("wideExpandLanes256", 32)
	p.cbcLanes("wideCBCLanes", oneKey)
	p.cbcLanes("wideCBCLanesKeyed", ownKeys)
	p.startLanes()
	p.ctrLanes()
	p.absorbLanes()
	p.tagLanes()
	for _, bytes := range []int{16, 24, 32} {
		p.laneShort(fmt.Sprintf("wideSealShort%d", 8*bytes), sealing, bytes)
		p.laneShort(fmt.Sprintf("wideOpenShort%d", 8*bytes), authenticating, bytes)
	}
	return p.Text("amd64 && !purego")
}
