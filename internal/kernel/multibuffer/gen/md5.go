package main

// md5 is RFC 1321. A step is four additions, a ternary function and a rotation. The function is computed
// in the place of d, which saves a copy: what becomes of d, the next step's sum of a, word and constant,
// is begun before.
func md5(groups int) function {
	return function{name: "MD5", words: 4, maxGroups: 4, rounds: func(p *program, at places) {
		const a, b, c, d, free = 0, 1, 2, 3, 4
		var regs [4][5]int // a to d, of which a has its sum, and a free one
		for g := range groups {
			regs[g] = [5]int{5 * g, 5*g + 1, 5*g + 2, 5*g + 3, 5*g + 4}
			for w := range 4 {
				p.op("VMOVDQU64 %s, Z%d", at.state(g, w), regs[g][w])
			}
		}
		each := func(f func(g int, r [5]int)) {
			for g := range groups {
				f(g, regs[g])
			}
		}
		// sum starts a step's addition: to = from + word + constant.
		sum := func(i, from, to int) {
			table := 31 - i%2
			p.op("VPBROADCASTD md5Table<>+%d(SB), Z%d", 4*i, table)
			each(func(g int, r [5]int) { p.op("VPADDD %s, Z%d, Z%d", at.word(g, md5Word(i)), r[from], r[to]) })
			each(func(g int, r [5]int) { p.op("VPADDD Z%d, Z%d, Z%d", table, r[to], r[to]) })
		}
		sum(0, a, a)
		for i := range 64 {
			if i%16 == 0 {
				p.note("Round %d.", i/16+1)
			}
			at.besides(i)
			if i < 63 {
				sum(i+1, d, free)
			} else {
				each(func(g int, r [5]int) { p.op("VPADDD %s, Z%d, Z%d", at.state(g, 0), r[d], r[free]) })
			}
			each(func(g int, r [5]int) {
				p.op("VPTERNLOGD $%#02x, Z%d, Z%d, Z%d", md5Function(i), r[c], r[b], r[d])
			})
			each(func(g int, r [5]int) { p.op("VPADDD Z%d, Z%d, Z%d", r[d], r[a], r[a]) })
			each(func(g int, r [5]int) { p.op("VPROLD $%d, Z%d, Z%d", md5Shift(i), r[a], r[a]) })
			each(func(g int, r [5]int) { p.op("VPADDD Z%d, Z%d, Z%d", r[b], r[a], r[a]) })
			for g, r := range regs {
				regs[g] = [5]int{r[free], r[a], r[b], r[c], r[d]}
			}
		}
		each(func(g int, r [5]int) {
			for w := 1; w < 4; w++ {
				p.op("VPADDD %s, Z%d, Z%d", at.state(g, w), r[w], r[w])
			}
			for w := range 4 {
				p.op("VMOVDQU64 Z%d, %s", r[w], at.state(g, w))
			}
		})
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
