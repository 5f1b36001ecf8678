package main

import "fmt"

// sha256 is FIPS 180-4, section 6.2.2. It leaves Z24 to Z31 to what is done beside the rounds.
func sha256(groups int) function {
	return function{name: "SHA256", words: 8, apart: 8, maxGroups: 2, bigEndian: true, spare: 24, rounds: func(p *program, at places) {
		var beside []string
		for j := range 64 {
			if j%16 == 0 {
				p.note("Rounds %d to %d.", j, j+15)
			}
			beside = append(beside, p.apart(func() { at.besides(j) })...)
			const a, b, c, d, e, f, g, h = 0, 1, 2, 3, 4, 5, 6, 7
			table := fmt.Sprintf("sha256Table<>+%d(SB)", 4*j)
			each := func(f func(r, t func(int) int, ring func(int) string)) {
				for group := range groups {
					f(func(n int) int { return 8*group + (n+64-j)%8 },
						func(n int) int { return 8*groups + 4*group + n },
						func(i int) string { return at.word(group, (j+i)%16) })
				}
				n := (len(beside) + 3) / 4
				p.lines(beside[:n])
				beside = beside[n:]
			}
			each(func(r, t func(int) int, ring func(int) string) {
				p.op("VPROLD $26, Z%d, Z%d", r(e), t(0))
				p.op("VPROLD $21, Z%d, Z%d", r(e), t(1))
				p.op("VPROLD $7, Z%d, Z%d", r(e), t(2))
				p.op("VPADDD %s, Z%d, Z%d", ring(0), r(h), r(h))
				p.op("VMOVDQA64 Z%d, Z%d", r(g), t(3))
			})
			each(func(r, t func(int) int, ring func(int) string) {
				p.op("VPADDD.BCST %s, Z%d, Z%d", table, r(h), r(h))
				p.op("VPTERNLOGD $%#02x, Z%d, Z%d, Z%d", choose, r(f), r(e), t(3))
				p.op("VPTERNLOGD $%#02x, Z%d, Z%d, Z%d", parity, t(1), t(2), t(0))
			})
			each(func(r, t func(int) int, ring func(int) string) {
				p.op("VPADDD Z%d, Z%d, Z%d", t(3), r(h), r(h))
				p.op("VPROLD $30, Z%d, Z%d", r(a), t(1))
				p.op("VMOVDQA64 Z%d, Z%d", r(c), t(3))
				p.op("VPROLD $19, Z%d, Z%d", r(a), t(2))
			})
			each(func(r, t func(int) int, ring func(int) string) {
				p.op("VPADDD Z%d, Z%d, Z%d", t(0), r(h), r(h)) // T1
				p.op("VPROLD $10, Z%d, Z%d", r(a), t(0))
				p.op("VPTERNLOGD $%#02x, Z%d, Z%d, Z%d", majority, r(b), r(a), t(3))
			})
			each(func(r, t func(int) int, ring func(int) string) {
				p.op("VPADDD Z%d, Z%d, Z%d", r(h), r(d), r(d))
				p.op("VPADDD Z%d, Z%d, Z%d", t(3), r(h), r(h))
				p.op("VPTERNLOGD $%#02x, Z%d, Z%d, Z%d", parity, t(1), t(2), t(0))
			})
			each(func(r, t func(int) int, ring func(int) string) {
				p.op("VPADDD Z%d, Z%d, Z%d", t(0), r(h), r(h))
			})
			if j >= 48 {
				continue
			}
			each(func(r, t func(int) int, ring func(int) string) {
				p.op("VMOVDQA64 %s, Z%d", ring(1), t(0))
				p.op("VPROLD $25, Z%d, Z%d", t(0), t(1))
				p.op("VPROLD $14, Z%d, Z%d", t(0), t(2))
				p.op("VPSRLD $3, Z%d, Z%d", t(0), t(0))
				p.op("VMOVDQA64 %s, Z%d", ring(0), t(3))
				p.op("VPADDD %s, Z%d, Z%d", ring(9), t(3), t(3))
				p.op("VPTERNLOGD $%#02x, Z%d, Z%d, Z%d", parity, t(1), t(2), t(0))
			})
			each(func(r, t func(int) int, ring func(int) string) {
				p.op("VMOVDQA64 %s, Z%d", ring(14), t(1))
				p.op("VPADDD Z%d, Z%d, Z%d", t(0), t(3), t(3))
				p.op("VPROLD $15, Z%d, Z%d", t(1), t(2))
				p.op("VPROLD $13, Z%d, Z%d", t(1), t(0))
				p.op("VPSRLD $10, Z%d, Z%d", t(1), t(1))
			})
			each(func(r, t func(int) int, ring func(int) string) {
				p.op("VPTERNLOGD $%#02x, Z%d, Z%d, Z%d", parity, t(2), t(0), t(1))
				p.op("VPADDD Z%d, Z%d, Z%d", t(1), t(3), t(3))
				p.op("VMOVDQA64 Z%d, %s", t(3), ring(0))
			})
		}
		p.lines(beside)
		p.leave(at, groups, 8, "VPADDD")
	}}
}

// choose is x ? y : z for z in the destination, x second, y first.
var choose = ternary(func(z, x, y bool) bool { return x && y || !x && z })

// sha1 is FIPS 180-4, section 6.1.2.
func sha1(groups int) function {
	return function{name: "SHA1", words: 5, apart: 5, maxGroups: 3, bigEndian: true, rounds: func(p *program, at places) {
		const table = 31
		for j := range 80 {
			at.besides(j)
			if j%20 == 0 {
				p.note("Steps %d to %d.", j, j+19)
				p.op("VPBROADCASTD sha1Table<>+%d(SB), Z%d", j/20*4, table)
			}
			const a, b, c, d, e = 0, 1, 2, 3, 4
			each := func(f func(r, t func(int) int, ring func(int) string)) {
				for group := range groups {
					f(func(n int) int { return 5*group + (n+80-j)%5 },
						func(n int) int { return 5*groups + 3*group + n },
						func(i int) string { return at.word(group, (j+i)%16) })
				}
			}
			each(func(r, t func(int) int, ring func(int) string) {
				p.op("VPADDD %s, Z%d, Z%d", ring(0), r(e), r(e))
				p.op("VMOVDQA64 Z%d, Z%d", r(d), t(0))
				p.op("VPROLD $5, Z%d, Z%d", r(a), t(1))
			})
			each(func(r, t func(int) int, ring func(int) string) {
				p.op("VPADDD Z%d, Z%d, Z%d", table, r(e), r(e))
				p.op("VPTERNLOGD $%#02x, Z%d, Z%d, Z%d", []int{choose, parity, majority, parity}[j/20], r(c), r(b), t(0))
			})
			each(func(r, t func(int) int, ring func(int) string) {
				p.op("VPADDD Z%d, Z%d, Z%d", t(1), r(e), r(e))
				p.op("VPROLD $30, Z%d, Z%d", r(b), r(b))
			})
			each(func(r, t func(int) int, ring func(int) string) {
				p.op("VPADDD Z%d, Z%d, Z%d", t(0), r(e), r(e))
			})
			if j >= 64 {
				continue
			}
			each(func(r, t func(int) int, ring func(int) string) {
				p.op("VMOVDQA64 %s, Z%d", ring(0), t(2))
				p.op("VPXORD %s, Z%d, Z%d", ring(2), t(2), t(2))
				p.op("VMOVDQA64 %s, Z%d", ring(8), t(1))
				p.op("VPTERNLOGD $%#02x, %s, Z%d, Z%d", parity, ring(13), t(1), t(2))
				p.op("VPROLD $1, Z%d, Z%d", t(2), t(2))
				p.op("VMOVDQA64 Z%d, %s", t(2), ring(0))
			})
		}
		p.leave(at, groups, 5, "VPADDD")
	}}
}
