package main

// md5 is RFC 1321. A step is four additions, a ternary function and a rotation.
func md5(groups int) function {
	return function{name: "MD5", words: 4, maxGroups: 4, rounds: func(p *program, word wordsAt, besides func(int)) {
		for i := range 64 {
			besides(i)
			if i%16 == 0 {
				p.note("Round %d.", i/16+1)
			}
			// State turns around by a register a step.
			reg := func(g, n int) int { return 4*g + (n+64-i)%4 }
			const a, b, c, d = 0, 1, 2, 3
			temp := func(g int) int { return 4*groups + g }
			k := 31 - i%2
			p.op("VPBROADCASTD md5Table<>+%d(SB), Z%d", 4*i, k)
			for g := range groups {
				if i/16 == 2 && i%16 > 0 {
					// The sum of three of the step before: what was d then is a, and b is new.
					p.op("VPTERNLOGD $%#02x, Z%d, Z%d, Z%d", parity, reg(g, a), reg(g, b), temp(g))
					continue
				}
				p.op("VMOVDQA64 Z%d, Z%d", reg(g, d), temp(g))
			}
			for g := range groups {
				p.op("VPADDD %s, Z%d, Z%d", word(g, md5Word(i)), reg(g, a), reg(g, a))
			}
			for g := range groups {
				if i/16 != 2 || i%16 == 0 {
					p.op("VPTERNLOGD $%#02x, Z%d, Z%d, Z%d", md5Function(i), reg(g, c), reg(g, b), temp(g))
				}
			}
			for g := range groups {
				p.op("VPADDD Z%d, Z%d, Z%d", k, reg(g, a), reg(g, a))
			}
			for g := range groups {
				p.op("VPADDD Z%d, Z%d, Z%d", temp(g), reg(g, a), reg(g, a))
			}
			for g := range groups {
				p.op("VPROLD $%d, Z%d, Z%d", md5Shift(i), reg(g, a), reg(g, a))
			}
			for g := range groups {
				p.op("VPADDD Z%d, Z%d, Z%d", reg(g, b), reg(g, a), reg(g, a))
			}
		}
	}}
}

// md5Function is the function of step i, for d in the destination, b second and c first.
func md5Function(i int) int {
	return ternary([]func(d, b, c bool) bool{
		func(d, b, c bool) bool { return b && c || !b && d },
		func(d, b, c bool) bool { return d && b || !d && c },
		func(d, b, c bool) bool { return b != c != d },
		func(d, b, c bool) bool { return c != (b || !d) },
	}[i/16])
}
