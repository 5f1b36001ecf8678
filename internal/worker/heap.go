package worker

import "runtime"

// settle gives the heap the memory that it uses from one collection to the next, so that what a sample allocates has
// been used before, as in a program that runs for longer than a sample does, and collects what is garbage. The kernel
// gives memory by the page, when it is first touched; a worker that is a few milliseconds old pays for that in every
// call: 704 bytes a call, which is what 1 KiB of SM4-CTR takes in gmsm, made it 13 % slower.
func settle() {
	const room = 4 << 20 // the least goal of a heap, at GOGC=100, and by how much it grows
	if !populate(room) {
		touch(room)
	}
	runtime.GC()
}

// touch allocates so many bytes in pieces, which fill the gaps of the heap, and leaves them as garbage. What processors
// have put by for what they allocate next stays untouched.
func touch(bytes int) {
	const piece, page = 32 << 10, 4 << 10
	var pieces [][]byte
	for range bytes / piece {
		p := make([]byte, piece)
		for i := 0; i < piece; i += page {
			p[i] = 1
		}
		pieces = append(pieces, p)
	}
	runtime.KeepAlive(pieces)
}
