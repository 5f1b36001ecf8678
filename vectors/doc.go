// Package vectors runs Project Wycheproof's test vectors against the judge, internal/reference, and against the
// libraries that cryptogauge measures, as they are measured. It is a module of its own because the vectors are
// 109 MB: who uses cryptogauge need not download them. Run it with: cd vectors && go test ./...
//
// Every subject runs every case of a file, or the case is named in skips.txt with its reason.
package vectors
