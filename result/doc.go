// Package result is the wall between measuring and reading: the records of a
// run, and the file that holds them.
//
// A run file is JSON lines. Its first line is the [Header]; each following line
// is an object with one field that names what it carries:
//
//	header    once, first: machine, libraries, seed
//	trial     a subject on a case, with what opening it revealed
//	group     which trials were compared with each other, and how
//	opened    a trial made ready in a block: calls per sample, allocations
//	s         one sample, as an array of integers (see [Sample])
//	closed    a trial's output was right again at the end of a block
//	status    a trial left the comparison: incorrect, unsupported, crashed
//	record    what a scenario measured: named metrics and histograms
//	artifact  a file made during the run, such as a picture
//	end       once, last: number of samples, whether the run is partial, CRC-32 of the lines before and of itself
//
// Lines are written as things happen, each in one write, so a run that is
// killed leaves a file that reads up to its last sample. A file without an end
// line is a partial run; a file whose end line does not match what stands
// before it is damaged, and is refused.
//
// Times are integer nanoseconds as the clocks gave them; sizes are bytes.
//
// # Versions and platforms
//
// The module follows semantic import versioning. Packages aes, gauge, multibuffer, result,
// sm4 and stat are its public face. Before v1.0.0 a minor version may change them, and the changelog says how; from then on
// what compiles and passes keeps doing so until /v2. Names of implementations, texts of reasons and
// times are no promise.
//
// The file has a version of its own, [SchemaRun]. Fields are added to it; what one means does not change,
// and files of earlier versions are read. A reader should leave alone what it does not know.
//
// Go 1.26 or later, on every platform. The package takes no time, runs no cryptography and has no FIPS
// 140 or 密评 to stand: it reads and writes text.
package result
