// Package floor holds the kernels of AES with nothing to wait for: see package bound. make bound generates its
// assembly, from that of the kernels.
package floor

//go:generate go run ./gen ../avx512_amd64.s
