package main

import "fmt"

// The key schedules of lanes: what schedule.go does with one key, with four in a register.

// The registers that a schedule takes of each register of lanes, from a first one on.
const (
	wordsA, wordsB, wordsSub, wordsTemp, wordsCarried = 0, 1, 2, 3, 4
	wordsAll                                          = 5
)

// A laneSchedule makes the schedules of four keys in each of some registers.
type laneSchedule struct {
	*program
	rounds int
	first  []int // registers, for each of lanes
	rotate int   // of constants, and repeat and zero behind it
	keep   func(group, register, round int)
}

// constants loads those of keys of any length.
func (e laneSchedule) constants() {
	e.Op("VBROADCASTI32X4 rotate<>(SB), Z%d", e.rotate)
	e.Op("VBROADCASTI32X4 repeat<>(SB), Z%d", e.rotate+1)
	e.Op("VPXORQ Z%[1]d, Z%[1]d, Z%[1]d", e.rotate+2)
}

// expandLanes writes the schedules of keys of so many bytes, four by four.
func (p *program) expandLanes(name string, bytes int) {
	p.Function(name, 16, "func "+name+"(l *Lanes, groups int)")
	p.Op("MOVQ l+0(FP), DX")
	p.Op("MOVQ groups+8(FP), BX")
	p.Op("LEAQ %d(DX), DI", lanesRound)
	rounds := bytes/4 + 6
	e := laneSchedule{p, rounds, []int{0}, wordsAll, func(_, r, i int) {
		p.Op("VMOVDQU64 Z%d, %d(DI)", r, 64*slot(i, rounds))
	}}
	e.constants()
	loop := p.Label("loop")
	p.Place(loop)
	e.expand(func(_, lane int) { p.text(lane, lanesRaw) })
	p.Op("ADDQ $32, DX")
	p.Op("ADDQ $%d, DI", keyBytes)
	p.Op("SUBQ $1, BX")
	p.Op("JNZ %s", loop)
	p.leave()
}

// expand makes the schedules. key loads the pointer to the key of a lane into R10.
func (e laneSchedule) expand(key func(group, lane int)) {
	e.gather(key, 0, wordsA)
	switch e.rounds {
	case 10:
		e.expand128()
	case 12:
		e.gather(key, 8, wordsB)
		e.each("VPSRLDQ $8, Z%d, Z%d", wordsB, wordsB)
		e.expand192()
	case 14:
		e.gather(key, 16, wordsB)
		e.expand256()
	}
}

// each writes an instruction for every register of lanes.
func (e laneSchedule) each(format string, rs ...int) {
	for _, first := range e.first {
		var args []any
		for _, r := range rs {
			args = append(args, first+r)
		}
		e.Op(format, args...)
	}
}

// gather loads 16 bytes of each key.
func (e laneSchedule) gather(key func(group, lane int), at, to int) {
	for g, first := range e.first {
		for i := range 4 {
			key(g, i)
			if i == 0 {
				e.Op("VMOVDQU64 %d(R10), X%d", at, first+to)
			} else {
				e.Op("VINSERTI32X4 $%d, %d(R10), Z%d, Z%d", i, at, first+to, first+to)
			}
		}
	}
}

func (e laneSchedule) made(r, i int) {
	for g, first := range e.first {
		e.keep(g, first+r, i)
	}
}

// next replaces the words of r by the next ones: their running sums and the substituted word.
func (e laneSchedule) next(r int) {
	e.each("VPSLLDQ $4, Z%d, Z%d", r, wordsTemp)
	e.each("VPXORQ Z%d, Z%d, Z%d", wordsTemp, r, r)
	e.each("VPSLLDQ $8, Z%d, Z%d", r, wordsTemp)
	e.each("VPTERNLOGQ $0x96, Z%d, Z%d, Z%d", wordsSub, wordsTemp, r)
}

// substitute is that of one key.
func (e laneSchedule) substitute(r, constant int) {
	if constant < 0 {
		e.each(fmt.Sprintf("VPSHUFB Z%d, Z%%d, Z%%d", e.rotate+1), r, wordsSub)
		e.each(fmt.Sprintf("VAESENCLAST Z%d, Z%%d, Z%%d", e.rotate+2), wordsSub, wordsSub)
		return
	}
	e.each(fmt.Sprintf("VPSHUFB Z%d, Z%%d, Z%%d", e.rotate), r, wordsSub)
	e.each(fmt.Sprintf("VBROADCASTI32X4 roundConstants<>+%d(SB), Z%%d", 16*constant), wordsTemp)
	e.each("VAESENCLAST Z%d, Z%d, Z%d", wordsTemp, wordsSub, wordsSub)
}

func (e laneSchedule) expand128() {
	e.made(wordsA, 0)
	for i := 1; i <= e.rounds; i++ {
		e.substitute(wordsA, i-1)
		e.next(wordsA)
		e.made(wordsA, i)
	}
}

func (e laneSchedule) expand256() {
	e.made(wordsA, 0)
	e.made(wordsB, 1)
	for i := 2; i <= e.rounds; i++ {
		r, before, constant := wordsA, wordsB, i/2-1
		if i%2 == 1 {
			r, before, constant = wordsB, wordsA, -1
		}
		e.substitute(before, constant)
		e.next(r)
		e.made(r, i)
	}
}

// expand192 makes six words at a time: four in A and two in the lower half of B. Twelve are three keys.
func (e laneSchedule) expand192() {
	for i := range 9 {
		if i > 0 {
			e.each("VPSLLDQ $8, Z%d, Z%d", wordsB, wordsTemp)
			e.substitute(wordsTemp, i-1)
			e.next(wordsA)
			e.each("VPSLLDQ $4, Z%d, Z%d", wordsB, wordsTemp)
			e.each("VPSHUFD $0xff, Z%d, Z%d", wordsA, wordsSub)
			e.each("VPTERNLOGQ $0x96, Z%d, Z%d, Z%d", wordsSub, wordsTemp, wordsB)
		}
		if i%2 == 0 {
			e.made(wordsA, 3*i/2)
			e.each("VMOVDQA64 Z%d, Z%d", wordsB, wordsCarried)
			continue
		}
		e.each("VPUNPCKLQDQ Z%d, Z%d, Z%d", wordsA, wordsCarried, wordsTemp)
		e.made(wordsTemp, 3*i/2)
		e.each("VSHUFPD $0x55, Z%d, Z%d, Z%d", wordsB, wordsA, wordsTemp)
		e.made(wordsTemp, 3*i/2+1)
	}
}
