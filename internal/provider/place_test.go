package provider

import "testing"

func TestPlaced(t *testing.T) {
	for _, place := range []int{0, 1, Line, Page - Line, Page - 1} {
		for _, size := range []struct{ n, room int }{{0, 0}, {0, 16}, {16, 16}, {1024, 1040}, {Page, Page}, {1 << 20, 1<<20 + 1}} {
			b := Placed(place, size.n, size.room)
			if len(b) != size.n || cap(b) != size.room || size.room > 0 && PlaceOf(b) != place {
				t.Errorf("%d bytes of %d at %d: %d of %d at %d", size.n, size.room, place, len(b), cap(b), PlaceOf(b))
			}
			for _, v := range b[:cap(b)] {
				if v != 0 {
					t.Fatal("it is not zero")
				}
			}
		}
	}
}
