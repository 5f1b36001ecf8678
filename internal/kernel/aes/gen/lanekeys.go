package main

// The key schedules of lanes: what schedule.go does with one key, with four in a register.

const (
	wordsA, wordsB, wordsSub, wordsTemp, wordsCarried = 0, 1, 2, 3, 4
	wordsRotate, wordsRepeat, wordsZero               = 5, 6, 7
)

// expandLanes writes the schedules of keys of so many bytes, four by four.
func (p *program) expandLanes(name string, bytes int) {
	p.Function(name, 16, "func "+name+"(l *Lanes, groups int)")
	p.Op("MOVQ l+0(FP), DX")
	p.Op("MOVQ groups+8(FP), BX")
	p.Op("LEAQ %d(DX), DI", lanesRound)
	p.Op("VBROADCASTI32X4 rotate<>(SB), Z%d", wordsRotate)
	p.Op("VBROADCASTI32X4 repeat<>(SB), Z%d", wordsRepeat)
	p.Op("VPXORQ Z%[1]d, Z%[1]d, Z%[1]d", wordsZero)
	loop := p.Label("loop")
	p.Place(loop)
	e := laneSchedule{p, bytes/4 + 6}
	e.gather(0, wordsA)
	switch bytes {
	case 16:
		e.expand128()
	case 24:
		e.gather(8, wordsB)
		e.Op("VPSRLDQ $8, Z%d, Z%d", wordsB, wordsB)
		e.expand192()
	case 32:
		e.gather(16, wordsB)
		e.expand256()
	}
	p.Op("ADDQ $32, DX")
	p.Op("ADDQ $%d, DI", keyBytes)
	p.Op("SUBQ $1, BX")
	p.Op("JNZ %s", loop)
	p.leave()
}

// A laneSchedule makes the schedules of four keys.
type laneSchedule struct {
	*program
	rounds int
}

// gather loads 16 bytes of each key.
func (e laneSchedule) gather(at, to int) {
	for i := range 4 {
		e.text(i, lanesRaw)
		if i == 0 {
			e.Op("VMOVDQU64 %d(R10), X%d", at, to)
		} else {
			e.Op("VINSERTI32X4 $%d, %d(R10), Z%d, Z%d", i, at, to, to)
		}
	}
}

func (e laneSchedule) keep(r, i int) { e.Op("VMOVDQU64 Z%d, %d(DI)", r, 64*slot(i, e.rounds)) }

// next replaces the words of r by the next ones: their running sums and the substituted word.
func (e laneSchedule) next(r int) {
	for _, n := range []int{4, 8} {
		e.Op("VPSLLDQ $%d, Z%d, Z%d", n, r, wordsTemp)
		e.Op("VPXORQ Z%d, Z%d, Z%d", wordsTemp, r, r)
	}
	e.Op("VPXORQ Z%d, Z%d, Z%d", wordsSub, r, r)
}

// substitute is that of one key.
func (e laneSchedule) substitute(r, constant int) {
	if constant < 0 {
		e.Op("VPSHUFB Z%d, Z%d, Z%d", wordsRepeat, r, wordsSub)
		e.Op("VAESENCLAST Z%d, Z%d, Z%d", wordsZero, wordsSub, wordsSub)
		return
	}
	e.Op("VPSHUFB Z%d, Z%d, Z%d", wordsRotate, r, wordsSub)
	e.Op("VBROADCASTI32X4 roundConstants<>+%d(SB), Z%d", 16*constant, wordsTemp)
	e.Op("VAESENCLAST Z%d, Z%d, Z%d", wordsTemp, wordsSub, wordsSub)
}

func (e laneSchedule) expand128() {
	e.keep(wordsA, 0)
	for i := 1; i <= e.rounds; i++ {
		e.substitute(wordsA, i-1)
		e.next(wordsA)
		e.keep(wordsA, i)
	}
}

func (e laneSchedule) expand256() {
	e.keep(wordsA, 0)
	e.keep(wordsB, 1)
	for i := 2; i <= e.rounds; i++ {
		r, before, constant := wordsA, wordsB, i/2-1
		if i%2 == 1 {
			r, before, constant = wordsB, wordsA, -1
		}
		e.substitute(before, constant)
		e.next(r)
		e.keep(r, i)
	}
}

// expand192 makes six words at a time: four in A and two in the lower half of B. Twelve are three keys.
func (e laneSchedule) expand192() {
	for i := range 9 {
		if i > 0 {
			e.Op("VPSLLDQ $8, Z%d, Z%d", wordsB, wordsTemp)
			e.substitute(wordsTemp, i-1)
			e.next(wordsA)
			e.Op("VPSLLDQ $4, Z%d, Z%d", wordsB, wordsTemp)
			e.Op("VPSHUFD $0xff, Z%d, Z%d", wordsA, wordsSub)
			e.Op("VPTERNLOGQ $0x96, Z%d, Z%d, Z%d", wordsSub, wordsTemp, wordsB)
		}
		if i%2 == 0 {
			e.keep(wordsA, 3*i/2)
			e.Op("VMOVDQA64 Z%d, Z%d", wordsB, wordsCarried)
			continue
		}
		e.Op("VPUNPCKLQDQ Z%d, Z%d, Z%d", wordsA, wordsCarried, wordsTemp)
		e.keep(wordsTemp, 3*i/2)
		e.Op("VSHUFPD $0x55, Z%d, Z%d, Z%d", wordsB, wordsA, wordsTemp)
		e.keep(wordsTemp, 3*i/2+1)
	}
}
