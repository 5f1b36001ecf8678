package plan

import "testing"

func TestSlips(t *testing.T) {
	if slips("kitten", "sitting") != 3 || slips("", "ab") != 2 || slips("ab", "") != 2 || slips("gmc", "gcm") != 1 {
		t.Error("the distance is wrong")
	}
}
