// Package treehash hashes files and trees of files, as many at once as the machine has CPUs and the
// algorithm has lanes, and gives the results back in the order in which the files were named.
//
//	source ──names──▶ batches ──▶ workers ──▶ collector ──▶ Emit, in order
//	(one goroutine)               │     ▲    (one goroutine)
//	                              ▼     │
//	                           long files, gathered for lanes
//
// A source walks trees, or reads names, and makes batches of them. A worker has the kernel open many files
// of a batch at once where it can (ahead_linux.go), reads them one by one, and hashes many short ones
// together. Long files are put aside, and read in step by as many lanes as there are; where an algorithm
// has no lanes, one by one, each hashed while the next part is read. What is ready is held back until all
// before it is. Batches in flight are bounded, and so is memory, whatever is fed; only the names of one
// folder are held all at once, to be sorted.
//
// A file counts as changed while it was read if its size, or the time when it or its inode was changed,
// isn't the same before and after. See quick_linux.go for how one look is enough for short files.
package treehash
