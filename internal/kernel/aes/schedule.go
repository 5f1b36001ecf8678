package aes

// A Schedule is the round keys of one direction. The key of the last round is the last one for every length
// of keys, and those between are not used where there are fewer rounds.
type Schedule struct {
	//lint:ignore U1000 the kernels write and read it
	round  [15][blockSize]byte
	rounds int32
}

// Keys are the schedules of a key for both directions.
type Keys struct {
	enc, dec Schedule
}

// Expand makes the schedules of a key of 16, 24 or 32 bytes.
func (k *Keys) Expand(key []byte) {
	k.enc.expand(key)
	k.dec.rounds = k.enc.rounds
	wideInverse(&k.enc, &k.dec)
}

// ExpandForward makes what encryption takes, which is all that CTR and GCM need.
func (k *Keys) ExpandForward(key []byte) { k.enc.expand(key) }

// Made says whether k has been expanded.
func (k *Keys) Made() bool { return k.enc.rounds != 0 }

// expand makes the schedule of encryption, which is all that CTR and GCM need.
func (s *Schedule) expand(key []byte) {
	s.rounds = int32(RoundsOf(len(key)))
	switch len(key) {
	case 16:
		wideExpand128(&key[0], s)
	case 24:
		wideExpand192(&key[0], s)
	case 32:
		wideExpand256(&key[0], s)
	default:
		panic("aes: internal error: a key of another length")
	}
}
