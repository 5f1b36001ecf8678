// Package stat turns timings into numbers that may be believed: a [Summary] of
// one trial, a [Comparison] of two, a [Fit] of time against size. Each carries
// the [Warning] values that a reader must see beside it.
//
//	samples ──▶ block medians ──▶ median ± exact interval ──▶ widened by the noise floor ──▶ verdict
//
// # Shape of the input
//
// Times are seconds per call, grouped as they were measured: an outer slice of
// blocks in time order, each a slice of rounds in time order. A block is what
// was measured between two restarts of the worker processes. NaN marks a sample
// that was measured and discarded. The input is never changed, nor reordered.
//
// # Unit of inference
//
// The value of a block is its median, and only blocks count as evidence. Rounds
// of one block share a process, hence a memory layout and a clock state; to
// treat them as independent is the usual mistake. Simulated, with workers that
// differ by 0.5 % (SD of the ratio) and rounds by 1 %, intervals at 99 % over
// 3 × 34 pooled rounds cover the truth in 86 % of runs, those over 15 blocks of 7
// rounds in 99.1 %, and in 99.9 % once widened by the noise floor
// (TestSimulatedBlocksAgainstPooling).
//
// # Intervals
//
// Intervals are a pair of order statistics of the block medians, which is the
// inversion of the sign test. They are exact for any continuous distribution
// and ask only that blocks are independent and share a median: not that they
// are normal, nor equally long, nor equally noisy. Ties make them wider than
// needed, never too narrow. Nothing is interpolated, so the level reached is
// the first at or above the one asked, and it is reported:
//
//	blocks   asked   order statistics   reached
//	     8   0.99    1st and 8th        0.9922
//	    12   0.99    2nd and 11th       0.9937
//	    15   0.99    3rd and 13th       0.9926
//	    15   0.9998  1st and 15th       0.99994
//
// The last is [FamilyLevel] of 50 comparisons; 15 blocks suffice for 163
// ([MinBlocks]). The widest interval possible has level 1 − 2^(1−n), and a
// result whose blocks can't give the level asked shows that one, with OK false
// and the warning "few-blocks"; below [LeastLevel] no one should read it.
//
// Verdicts that are read together share a level: see [CompareFamily].
//
// Reference: H. A. David and H. N. Nagaraja, Order Statistics, 3rd edition
// (2003), section 7.1.
//
// # Noise floor
//
// Every interval is then widened by a factor of 1 + floor at both ends, since an
// exact interval is exact about the blocks drawn and knows nothing of what all
// of them share: the order in a round, the slot of a worker. [NoiseFloor] reads
// that from one subject measured twice, between two workers.
//
// # Refusal
//
// No input makes this package panic. A time that is zero, negative or infinite
// is an error of the harness, and one such value refuses the whole result: OK
// is false, the numbers are zero and the warning "invalid" says which it was.
//
// # Versions and platforms
//
// The module follows semantic import versioning. Packages aes, gauge, multibuffer, result,
// sm4 and stat are its public face. Before v1.0.0 a minor version may change them, and the changelog says how; from then on
// what compiles and passes keeps doing so until /v2. Names of implementations, texts of warnings and
// times are no promise.
//
// Go 1.26 or later, on every platform, with the standard library alone. There is no cryptography in it,
// so FIPS 140 and 密评 don't apply. Nobody but its authors has reviewed the mathematics; the tests simulate
// it.
package stat
