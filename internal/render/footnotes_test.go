package render

import "testing"

// TestMarks: notes are numbered as they are met, and a cell's marks stand in order.
func TestMarks(t *testing.T) {
	f := footnotes{}
	for _, cell := range []struct {
		notes []string
		want  string
	}{
		{[]string{"a", "b"}, "¹,²"},
		{[]string{"c", "a"}, "¹,³"},
		{[]string{"d", "b", "e"}, "²,⁴,⁵"},
		{[]string{"e"}, "⁵"},
		{nil, ""},
	} {
		if got := f.marksOf(cell.notes); got != cell.want {
			t.Errorf("%q: %s, want %s", cell.notes, got, cell.want)
		}
	}
}
