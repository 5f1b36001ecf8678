package main

// sm3 is GB/T 32905-2016, section 5.3. The 16 words last used stand in a ring on the stack.
func sm3(groups int) function {
	return function{name: "SM3", words: 8, apart: 8, maxGroups: 2, bigEndian: true, rounds: func(p *program, at places) {
		for j := range 64 {
			at.besides(j)
			if j%16 == 0 {
				p.note("Rounds %d to %d.", j, j+15)
			}
			const a, b, c, d, e, f, g, h = 0, 1, 2, 3, 4, 5, 6, 7
			// A … D and E … H turn around by a register a round.
			reg := func(group, n int) int { return 8*group + n&^3 + (n+64-j)%4 }
			temp := func(group, n int) int { return 8*groups + 7*group + n }
			ring := func(group, i int) string { return at.word(group, (j+i)%16) }
			const table = 31
			p.op("VPBROADCASTD sm3Table<>+%d(SB), Z%d", 4*j, table)
			each := func(f func(group int, r func(int) int, t func(int) int)) {
				for group := range groups {
					f(group, func(n int) int { return reg(group, n) }, func(n int) int { return temp(group, n) })
				}
			}
			each(func(group int, r, t func(int) int) {
				p.op("VPADDD Z%d, Z%d, Z%d", table, r(e), t(1))
				p.op("VPROLD $12, Z%d, Z%d", r(a), t(0))
				p.op("VMOVDQA64 %s, Z%d", ring(group, 0), t(5))
			})
			each(func(group int, r, t func(int) int) {
				p.op("VPADDD Z%d, Z%d, Z%d", t(0), t(1), t(1))
				p.op("VMOVDQA64 Z%d, Z%d", r(c), t(2))
				p.op("VPXORD %s, Z%d, Z%d", ring(group, 4), t(5), t(4))
				p.op("VPADDD Z%d, Z%d, Z%d", t(5), r(h), r(h))
			})
			each(func(group int, r, t func(int) int) {
				p.op("VPROLD $7, Z%d, Z%d", t(1), t(1)) // SS1
				p.op("VPTERNLOGD $%#02x, Z%d, Z%d, Z%d", sm3FF(j), r(b), r(a), t(2))
				p.op("VPADDD Z%d, Z%d, Z%d", t(4), r(d), r(d))
				p.op("VMOVDQA64 Z%d, Z%d", r(g), t(3))
			})
			each(func(group int, r, t func(int) int) {
				p.op("VPTERNLOGD $%#02x, Z%d, Z%d, Z%d", sm3GG(j), r(f), r(e), t(3))
				p.op("VPXORD Z%d, Z%d, Z%d", t(1), t(0), t(0)) // SS2
				p.op("VPADDD Z%d, Z%d, Z%d", t(2), r(d), r(d))
				p.op("VPADDD Z%d, Z%d, Z%d", t(1), r(h), r(h))
			})
			each(func(group int, r, t func(int) int) {
				p.op("VPADDD Z%d, Z%d, Z%d", t(3), r(h), r(h)) // TT2
				p.op("VPADDD Z%d, Z%d, Z%d", t(0), r(d), r(d)) // TT1
				p.op("VPROLD $9, Z%d, Z%d", r(b), r(b))
				p.op("VPROLD $19, Z%d, Z%d", r(f), r(f))
			})
			if j < 52 {
				each(func(group int, r, t func(int) int) {
					p.op("VPROLD $15, %s, Z%d", ring(group, 13), t(0))
					p.op("VPTERNLOGD $%#02x, %s, Z%d, Z%d", parity, ring(group, 7), t(5), t(0))
					p.op("VPROLD $7, %s, Z%d", ring(group, 3), t(6))
				})
			}
			each(func(group int, r, t func(int) int) {
				p.op("VPROLD $9, Z%d, Z%d", r(h), t(1))
				p.op("VPROLD $17, Z%d, Z%d", r(h), t(2))
			})
			if j < 52 {
				each(func(group int, r, t func(int) int) {
					p.op("VPROLD $15, Z%d, Z%d", t(0), t(3))
					p.op("VPROLD $23, Z%d, Z%d", t(0), t(4))
				})
			}
			each(func(group int, r, t func(int) int) {
				p.op("VPTERNLOGD $%#02x, Z%d, Z%d, Z%d", parity, t(1), t(2), r(h)) // P0
			})
			if j < 52 {
				each(func(group int, r, t func(int) int) {
					p.op("VPTERNLOGD $%#02x, Z%d, Z%d, Z%d", parity, t(3), t(4), t(0)) // P1
					p.op("VPTERNLOGD $%#02x, %s, Z%d, Z%d", parity, ring(group, 10), t(6), t(0))
					p.op("VMOVDQA64 Z%d, %s", t(0), ring(group, 0))
				})
			}
		}
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
