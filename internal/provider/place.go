package provider

import "unsafe"

// Where a buffer lies moves the time of a call. A CPU holds a load against earlier stores by the low twelve bits of
// their addresses first, so an output that lies in its page as the stack does in another delays what runs: AES-128-CBC
// of 1 KiB by 6 % on an AMD Zen 1. An allocator gives two equal operations of a process different places, and the same
// two in every process: a fresh process is no fresh layout in this regard, and a comparison would find a difference
// that is none. So the places of a case's input and output are drawn for each block, alike for all that are compared
// in it, and an operation of one message puts its output where in a page the expected one lies (PlaceOf): what a place
// costs falls on both sides, and from block to block it is noise, of which intervals tell. Texts of more than a mebibyte
// and the many messages of one call lie where the allocator puts them.

// Page is the bytes within which a place counts, Line what buffers are drawn to begin at.
const (
	Page = 4096
	Line = 64
)

// PlaceOf is how many bytes after the beginning of a page b begins.
func PlaceOf(b []byte) int { return int(uintptr(unsafe.Pointer(unsafe.SliceData(b))) % Page) }

// PlacedLike is n zero bytes, with room for so many in all, that lie in their page as want does.
func PlacedLike(want []byte, n, room int) []byte { return Placed(PlaceOf(want), n, room) }

// Placed is n zero bytes, with room for so many in all, that begin so many bytes after the beginning of a page.
func Placed(place, n, room int) []byte {
	raw := make([]byte, Page-1+room)
	at := (place - PlaceOf(raw) + Page) % Page
	return raw[at : at+n : at+room]
}
