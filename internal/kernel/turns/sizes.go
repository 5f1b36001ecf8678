package turns

// SweepSizes are the lengths at which the benchmarks of ciphers look for the worst: all short ones, and those around every
// multiple of what a kernel takes at once, to 64 KiB.
func SweepSizes() (ns []int) {
	for n := range 130 {
		ns = append(ns, n)
	}
	for n := 144; n <= 2048; n += 16 {
		ns = append(ns, n, n+5)
	}
	for n := 2560; n <= 64<<10; n += n / 5 &^ 15 {
		ns = append(ns, n, n+16, n+37)
	}
	return append(ns, 4<<10, 8<<10, 16<<10, 32<<10, 64<<10)
}
