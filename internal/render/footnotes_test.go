package render

import "testing"

// TestMarks: notes are numbered as they are met, a cell's marks stand in order, and
// what is beyond those shown is one star.
func TestMarks(t *testing.T) {
	f := footnotes{shown: 3}
	for _, cell := range []struct {
		notes []string
		want  string
	}{
		{[]string{"a", "b"}, "¹,²"},
		{[]string{"c", "a"}, "¹,³"},
		{[]string{"d", "b", "e"}, "²,*"},
		{[]string{"e"}, "*"},
		{nil, ""},
	} {
		if got := f.marksOf(cell.notes); got != cell.want {
			t.Errorf("%q: %s, want %s", cell.notes, got, cell.want)
		}
	}
	if f.hidden() != 2 {
		t.Errorf("%d hidden, want 2", f.hidden())
	}
}
