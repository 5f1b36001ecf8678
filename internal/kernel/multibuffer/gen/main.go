// Gen writes the assembly of package internal/kernel/multibuffer: avx512_amd64.s, avx2_amd64.s and sha_amd64.s.
//
//	go run ./gen [directory]
//
// A test compares its output with the files in the tree.
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
	for name, text := range generate() {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// generate returns the files' contents by name.
func generate() map[string]string {
	return map[string]string{
		"avx512_amd64.s": wide(),
		"avx2_amd64.s":   narrow(),
		"sha_amd64.s":    pairs(),
	}
}

func wide() string {
	p := new(program)
	p.wideData()
	for groups := 1; groups <= 4; groups++ {
		p.wideBlocks(md5(groups), wideFrame{groups: groups, overlapped: groups == 4})
	}
	for groups := 1; groups <= 2; groups++ {
		p.wideBlocks(sm3(groups), wideFrame{groups: groups, overlapped: groups == 2})
	}
	for groups := 1; groups <= 2; groups++ {
		p.wideBlocks(sha256(groups), wideFrame{groups: groups, overlapped: groups == 2})
	}
	for groups := 1; groups <= 3; groups++ {
		p.wideBlocks(sha1(groups), wideFrame{groups: groups})
	}
	p.wideEarliest()
	p.wideDigests()
	p.wideLongDigests()
	p.wideFill()
	p.wideFetch()
	return p.file()
}

func narrow() string {
	p := new(program)
	p.narrowData()
	p.narrowMD5()
	p.narrowSM3()
	return p.file()
}

func pairs() string {
	p := new(program)
	p.pairData()
	p.pairSHA256()
	p.pairSHA1()
	return p.file()
}
