// Gen writes the assembly of package internal/kernel/sm4: avx512_amd64.s and gfni_amd64.s.
//
//	go run ./gen [directory]
//
// It derives every matrix from the S-box of the standard and writes nothing when they don't
// reproduce it. A test compares its output with the files in the tree.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	dir := "."
	if len(os.Args) > 1 {
		dir = os.Args[1]
	}
	if err := run(dir); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(dir string) error {
	files, err := generate()
	if err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// generate returns the files' contents by name.
func generate() (map[string]string, error) {
	c, err := derive()
	if err != nil {
		return nil, fmt.Errorf("deriving the kernels' constants: %w", err)
	}
	const constraint = "amd64 && !purego"
	return map[string]string{
		"avx512_amd64.s": wide(c).file(constraint),
		"gfni_amd64.s":   narrow(c).file(constraint),
	}, nil
}

func wide(c constants) *program {
	p := new(program)
	p.constantsData(c)
	p.wideData(c)
	p.wideExpand(c)
	p.wideShort()
	p.wideFlight()
	p.wideXTSFlight()
	p.wideCTRFlight()
	p.wideMessageSeal()
	p.wideMessageOpen()
	p.wideOnce(c, "wideOnceSeal", (*flight).onceSeal)
	p.wideOnce(c, "wideOnceOpen", (*flight).onceOpen)
	p.wideECB()
	p.wideCBCDecrypt()
	p.wideCBCEncrypt()
	p.wideCTR()
	p.wideXTS()
	p.wideLanes64(laneForm{"wideLanes64", 64, false})
	p.wideLanes64(laneForm{"wideLanes64Keyed", 64, true})
	p.wideLanes32(laneForm{"wideLanes32", 32, false})
	p.wideLanes16(laneForm{"wideLanes16", 16, false})
	p.wideLanes16(laneForm{"wideLanes16Keyed", 16, true})
	p.wideFewPowers()
	p.widePowers()
	p.wideGHASH()
	p.wideGCMSeal()
	p.sixteenData()
	p.wideExpand16(c)
	p.wideGather16()
	p.wideScatter16()
	p.wideSlice64()
	p.wideSpread16()
	p.wideCounters16()
	p.wideFirst16()
	p.wideCTR16()
	p.widePair16()
	p.widePowers16()
	p.wideHash16()
	p.wideFew16()
	p.wideTags16()
	return p
}

func narrow(c constants) *program {
	p := new(program)
	p.constantsData(c)
	p.narrowData()
	p.narrowExpandKey(c)
	p.narrowSpread()
	p.narrowOut()
	p.narrowShort("narrowSixteen", 2)
	p.narrowShort("narrowEight", 1)
	p.narrowPowers()
	p.narrowGHASH()
	return p
}
