package chain

// addGeneric is the chain in Go: turns times Unroll steps from (a, b).
func addGeneric(a, b, turns uint64) (uint64, uint64) {
	for ; turns > 0; turns-- {
		for range Unroll / 16 {
			a += b
			b += a
			a += b
			b += a
			a += b
			b += a
			a += b
			b += a
			a += b
			b += a
			a += b
			b += a
			a += b
			b += a
			a += b
			b += a
		}
	}
	return a, b
}

// mulGeneric is the chain in Go: turns times Unroll steps from (a, b).
func mulGeneric(a, b, turns uint64) (uint64, uint64) {
	for ; turns > 0; turns-- {
		for range Unroll / 16 {
			a *= b
			b *= a
			a *= b
			b *= a
			a *= b
			b *= a
			a *= b
			b *= a
			a *= b
			b *= a
			a *= b
			b *= a
			a *= b
			b *= a
			a *= b
			b *= a
		}
	}
	return a, b
}
