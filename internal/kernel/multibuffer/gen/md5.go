package main

// md5 is RFC 1321. A step is four additions, a ternary function and a rotation. The function is computed
// in the place of d, which saves a copy: what becomes of d, the next step's sum of a, word and constant,
// is begun before.
func md5(groups int) function {
	return function{name: "MD5", words: 4, apart: 5, maxGroups: 4, spare: 22, skipsZeros: true, rounds: func(p *program, at places) {
		const a, b, c, d, free = 0, 1, 2, 3, 4
		// The register of a value before step i: a to d, of which a has its sum, and a free one.
		reg := func(g, i, value int) int { return 5*g + (value+65-i)%5 }
		table := func(i int) int { return 31 - i%2 }
		constant := func(i int) { p.op("VPBROADCASTD md5Table<>+%d(SB), Z%d", 4*i, table(i)) }
		addWord := func(g, i, from, to int) {
			if at.zero(md5Word(i)) {
				p.op("VPADDD Z%d, Z%d, Z%d", table(i), from, to)
				return
			}
			p.op("VPADDD %s, Z%d, Z%d", at.word(g, md5Word(i)), from, to)
		}
		addConstant := func(i, to int) {
			if !at.zero(md5Word(i)) { // else it is added already
				p.op("VPADDD Z%d, Z%d, Z%d", table(i), to, to)
			}
		}

		constant(0)
		for g := range groups {
			addWord(g, 0, reg(g, 0, a), reg(g, 0, a))
		}
		for g := range groups {
			addConstant(0, reg(g, 0, a))
		}
		// The six operations of step i, for one group.
		step := []func(g, i int){
			func(g, i int) {
				if i < 63 {
					addWord(g, i+1, reg(g, i, d), reg(g, i, free))
				} else { // no step follows, but the sum with the state
					p.op("VPADDD %s, Z%d, Z%d", at.state(g, 0), reg(g, i, d), reg(g, i, free))
				}
			},
			func(g, i int) {
				p.op("VPTERNLOGD $%#02x, Z%d, Z%d, Z%d", md5Function(i), reg(g, i, c), reg(g, i, b), reg(g, i, d))
			},
			func(g, i int) { p.op("VPADDD Z%d, Z%d, Z%d", reg(g, i, d), reg(g, i, a), reg(g, i, a)) },
			func(g, i int) { p.op("VPROLD $%d, Z%d, Z%d", md5Shift(i), reg(g, i, a), reg(g, i, a)) },
			func(g, i int) { p.op("VPADDD Z%d, Z%d, Z%d", reg(g, i, b), reg(g, i, a), reg(g, i, a)) },
			func(g, i int) {
				if i < 63 {
					addConstant(i+1, reg(g, i, free))
				}
			},
		}
		// What is done beside the steps stands between their operations, a part of it at a time.
		var beside []string
		for i := range 64 {
			if i%16 == 0 {
				p.note("Round %d.", i/16+1)
			}
			beside = append(beside, p.apart(func() { at.besides(i) })...)
			if i < 63 {
				constant(i + 1)
			}
			for _, operation := range step {
				for g := range groups {
					operation(g, i)
				}
				n := (len(beside) + 3) / 4
				p.lines(beside[:n])
				beside = beside[n:]
			}
		}
		p.lines(beside)
		p.note("Davies and Meyer, back to the registers that the block began with.")
		for g := range groups {
			p.op("VMOVDQA64 Z%d, Z%d", reg(g, 64, a), reg(g, 0, a))
			for w := b; w <= d; w++ {
				p.op("VPADDD %s, Z%d, Z%d", at.state(g, w), reg(g, 64, w), reg(g, 0, w))
			}
			for w := a; w <= d; w++ {
				p.op("VMOVDQU64 Z%d, %s", reg(g, 0, w), at.state(g, w))
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
