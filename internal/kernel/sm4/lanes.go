package sm4

// Lanes are the messages of one call to CBC encryption of many, one block of each at a time. IV is
// replaced by the last ciphertext block of each lane. A call with fewer lanes uses the first ones.
type Lanes struct {
	Src, Dst [64]*byte
	IV       [64][16]byte
}

// Table64 and Table16 are the schedules of 64 and of 16 lanes with a key each, turned so that one load
// takes an operand for all lanes.
type Table64 struct {
	Round [32][4][64]byte
	In    [4][64]byte
	Out   [64][16]byte
}

type Table16 struct {
	Round [32][16]uint32
	In    [16]uint32
	Out   [16][16]byte
}

// Set gives lane the key of s.
func (t *Table64) Set(lane int, s *Schedule) {
	// The slice form has block 4q+l at byte 16l+q of a register (gen/slice.go, transpose).
	slot := lane%4*16 + lane/4%16
	for i := range t.Round {
		for b := range t.Round[i] {
			t.Round[i][b][slot] = byte(s.Slice[i][b])
		}
	}
	for b := range t.In {
		t.In[b][slot] = byte(s.SliceIn[b])
	}
	t.Out[lane&63] = s.Out
}

// Set gives lane the key of s.
func (t *Table16) Set(lane int, s *Schedule) {
	for i := range t.Round {
		t.Round[i][lane&15] = s.Round[i]
	}
	t.In[lane&15] = s.In
	t.Out[lane&15] = s.Out
}
