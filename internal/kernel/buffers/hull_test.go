package buffers

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// The first look takes nothing for apart that isn't, and does take what lies in order.
func TestHullsAndOutputs(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 71))
	arena := make([]byte, 300)
	piece := func() []byte {
		at := r.IntN(len(arena))
		return arena[at : at+r.IntN(min(9, len(arena)-at+1))]
	}
	apart := 0
	for range 20_000 {
		var read Hull
		var written Outputs
		var in, out [][]byte
		for range 1 + r.IntN(3) {
			in, out = append(in, piece()), append(out, piece())
			read, written = read.With(in[len(in)-1]), written.With(out[len(out)-1])
		}
		overlaps := false
		for i, o := range out {
			for j := range in {
				overlaps = overlaps || AnyOverlap(o, in[j]) || i != j && j < len(out) && AnyOverlap(o, out[j])
			}
		}
		if !written.Mixed && written.Apart(read) {
			if apart++; overlaps {
				t.Fatalf("%v written and %v read are taken for apart", out, in)
			}
		}
	}
	if apart < 1000 {
		t.Errorf("%d of 20000 are taken for apart, which tries too little", apart)
	}
	inOrder := Outputs{}.With(arena[:5]).With(nil).With(arena[5:9]).With(arena[20:30])
	if inOrder.Mixed || !inOrder.Apart(Hull{}.With(arena[30:40])) || !(Hull{}).Apart(inOrder.Hull) || !(Hull{}).Apart(Hull{}) {
		t.Error("what lies in order, or nowhere, is not taken for apart")
	}
}

// sorted is order by sorting.
func sorted(written []span) {
	slices.SortFunc(written, func(a, b span) int { return cmp.Compare(a.From, b.From) })
	for i := 1; i < len(written); i++ {
		if written[i].From < written[i-1].To {
			panic(Overlap)
		}
	}
}

// order does what sorting does, for any order of the spans.
func TestOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(72, 72))
	for round := range 2000 {
		spans := make([]span, r.IntN(40))
		for i := range spans {
			from := uintptr(1000 + 10*i)
			spans[i] = span{from, from + uintptr(r.IntN(10+round%2)) + 1, i}
		}
		for range r.IntN(2 + len(spans)) { // blocks of them exchanged, or all
			if i, j := r.IntN(len(spans)+1), r.IntN(len(spans)+1); i < j {
				spans = slices.Concat(spans[j:], spans[i:j], spans[:i])
			}
		}
		if round%5 == 0 {
			r.Shuffle(len(spans), func(i, j int) { spans[i], spans[j] = spans[j], spans[i] })
		}
		want, got, wrong := slices.Clone(spans), []span(nil), caught(func() { sorted(slices.Clone(spans)) })
		if other := caught(func() { got = order(spans, make([]span, len(spans))) }); other != wrong {
			t.Fatalf("%v: %v, sorting says %v", want, other, wrong)
		}
		if wrong == nil {
			if sorted(want); !slices.Equal(got, want) {
				t.Fatalf("%v is not in order", got)
			}
		}
	}
}

func caught(f func()) (value any) {
	defer func() { value = recover() }()
	f()
	return nil
}
