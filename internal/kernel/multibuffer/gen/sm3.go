package main

import "fmt"

// sm3 is GB/T 32905-2016, section 5.3. The 16 words last used stand in a ring on the stack. It leaves Z24
// to Z31 to what is done beside the rounds.
func sm3(groups int) function {
	return function{name: "SM3", words: 8, apart: 8, maxGroups: 2, bigEndian: true, spare: 24, rounds: func(p *program, at places) {
		var beside []string
		for j := range 64 {
			if j%16 == 0 {
				p.note("Rounds %d to %d.", j, j+15)
			}
			beside = append(beside, p.apart(func() { at.besides(j) })...)
			const a, b, c, d, e, f, g, h = 0, 1, 2, 3, 4, 5, 6, 7
			table := fmt.Sprintf("sm3Table<>+%d(SB)", 4*j)
			each := func(f func(r, t func(int) int, ring func(int) string)) {
				for group := range groups {
					// A … D and E … H turn around by a register a round.
					f(func(n int) int { return 8*group + n&^3 + (n+64-j)%4 },
						func(n int) int { return 8*groups + 4*group + n },
						func(i int) string { return at.word(group, (j+i)%16) })
				}
				n := (len(beside) + 3) / 4
				p.lines(beside[:n])
				beside = beside[n:]
			}
			each(func(r, t func(int) int, ring func(int) string) {
				p.op("VPADDD.BCST %s, Z%d, Z%d", table, r(e), t(1))
				p.op("VPROLD $12, Z%d, Z%d", r(a), t(0))
				p.op("VMOVDQA64 %s, Z%d", ring(0), t(3))
				p.op("VMOVDQA64 Z%d, Z%d", r(g), t(2))
			})
			each(func(r, t func(int) int, ring func(int) string) {
				p.op("VPADDD Z%d, Z%d, Z%d", t(0), t(1), t(1))
				p.op("VPADDD Z%d, Z%d, Z%d", t(3), r(h), r(h))
				p.op("VPTERNLOGD $%#02x, Z%d, Z%d, Z%d", sm3GG(j), r(f), r(e), t(2))
				p.op("VPXORD %s, Z%d, Z%d", ring(4), t(3), t(3))
			})
			each(func(r, t func(int) int, ring func(int) string) {
				p.op("VPROLD $7, Z%d, Z%d", t(1), t(1)) // SS1
				p.op("VPADDD Z%d, Z%d, Z%d", t(2), r(h), r(h))
				p.op("VMOVDQA64 Z%d, Z%d", r(c), t(2))
				p.op("VPADDD Z%d, Z%d, Z%d", t(3), r(d), r(d))
			})
			each(func(r, t func(int) int, ring func(int) string) {
				p.op("VPADDD Z%d, Z%d, Z%d", t(1), r(h), r(h)) // TT2
				p.op("VPXORD Z%d, Z%d, Z%d", t(1), t(0), t(0)) // SS2
				p.op("VPTERNLOGD $%#02x, Z%d, Z%d, Z%d", sm3FF(j), r(b), r(a), t(2))
				p.op("VPROLD $19, Z%d, Z%d", r(f), r(f))
			})
			each(func(r, t func(int) int, ring func(int) string) {
				p.op("VPADDD Z%d, Z%d, Z%d", t(0), r(d), r(d))
				p.op("VPROLD $9, Z%d, Z%d", r(h), t(1))
				p.op("VPROLD $17, Z%d, Z%d", r(h), t(3))
				p.op("VPROLD $9, Z%d, Z%d", r(b), r(b))
			})
			each(func(r, t func(int) int, ring func(int) string) {
				p.op("VPADDD Z%d, Z%d, Z%d", t(2), r(d), r(d))                     // TT1
				p.op("VPTERNLOGD $%#02x, Z%d, Z%d, Z%d", parity, t(1), t(3), r(h)) // P0
			})
			if j >= 52 {
				continue
			}
			each(func(r, t func(int) int, ring func(int) string) {
				p.op("VPROLD $15, %s, Z%d", ring(13), t(0))
				p.op("VMOVDQA64 %s, Z%d", ring(0), t(1))
				p.op("VPTERNLOGD $%#02x, %s, Z%d, Z%d", parity, ring(7), t(1), t(0))
			})
			each(func(r, t func(int) int, ring func(int) string) {
				p.op("VPROLD $15, Z%d, Z%d", t(0), t(1))
				p.op("VPROLD $23, Z%d, Z%d", t(0), t(2))
				p.op("VPROLD $7, %s, Z%d", ring(3), t(3))
			})
			each(func(r, t func(int) int, ring func(int) string) {
				p.op("VPTERNLOGD $%#02x, Z%d, Z%d, Z%d", parity, t(1), t(2), t(0)) // P1
				p.op("VPTERNLOGD $%#02x, %s, Z%d, Z%d", parity, ring(10), t(3), t(0))
				p.op("VMOVDQA64 Z%d, %s", t(0), ring(0))
			})
		}
		p.lines(beside)
		p.leave(at, groups, 8, "VPXORD")
	}}
}

// sm3FF is FFj for c in the destination; sm3GG is GGj for g there, e second and f first.
func sm3FF(j int) int {
	if j < 16 {
		return parity
	}
	return majority
}

func sm3GG(j int) int {
	if j < 16 {
		return parity
	}
	return ternary(func(g, e, f bool) bool { return e && f || !e && g })
}
