package multibuffer

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"unsafe"

	"github.com/emmansun/gmsm/sm3"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/multibuffer"
)

// SumMD5 puts the MD5 digest of messages[i] into digests[i]. It panics if there are fewer digests than
// messages, and if digests[i] overlaps the memory of another message than messages[i]. Read the package's
// security note.
func SumMD5(digests [][md5.Size]byte, messages [][]byte) { fastest.SumMD5(digests, messages) }

// SumSM3 is SumMD5 for SM3.
func SumSM3(digests [][sm3.Size]byte, messages [][]byte) { fastest.SumSM3(digests, messages) }

// SumSHA256 is SumMD5 for SHA-256.
func SumSHA256(digests [][sha256.Size]byte, messages [][]byte) { fastest.SumSHA256(digests, messages) }

// SumSHA1 is SumMD5 for SHA-1. Read the package's security note.
func SumSHA1(digests [][sha1.Size]byte, messages [][]byte) { fastest.SumSHA1(digests, messages) }

// SumMD5 is the function of that name by this implementation.
func (h Hasher) SumMD5(digests [][md5.Size]byte, messages [][]byte) {
	check(digests, messages)
	if len(messages) >= leastMD5 && h.sumLanes(kernel.MD5, flatten(digests), messages) {
		return
	}
	for i, m := range messages {
		if len(m) > pieceSizes[kernel.MD5] {
			sumSerial(kernel.MD5, digests[i][:], m)
			continue
		}
		digests[i] = md5.Sum(m)
	}
}

// SumSM3 is the function of that name by this implementation.
func (h Hasher) SumSM3(digests [][sm3.Size]byte, messages [][]byte) {
	check(digests, messages)
	if len(messages) >= leastSM3 && h.sumLanes(kernel.SM3, flatten(digests), messages) {
		return
	}
	for i, m := range messages {
		if len(m) > pieceSizes[kernel.SM3] {
			sumSerial(kernel.SM3, digests[i][:], m)
			continue
		}
		digests[i] = sm3.Sum(m)
	}
}

// SumSHA256 is the function of that name by this implementation.
func (h Hasher) SumSHA256(digests [][sha256.Size]byte, messages [][]byte) {
	check(digests, messages)
	if len(messages) >= leastSHA256 && h.sumLanes(kernel.SHA256, flatten(digests), messages) {
		return
	}
	for i, m := range messages {
		if len(m) > pieceSizes[kernel.SHA256] {
			sumSerial(kernel.SHA256, digests[i][:], m)
			continue
		}
		digests[i] = sha256.Sum256(m)
	}
}

// SumSHA1 is the function of that name by this implementation.
func (h Hasher) SumSHA1(digests [][sha1.Size]byte, messages [][]byte) {
	check(digests, messages)
	if len(messages) >= leastSHA1 && h.sumLanes(kernel.SHA1, flatten(digests), messages) {
		return
	}
	for i, m := range messages {
		if len(m) > pieceSizes[kernel.SHA1] {
			sumSerial(kernel.SHA1, digests[i][:], m)
			continue
		}
		digests[i] = sha1.Sum(m)
	}
}

// sumLanes hashes messages into digests of the hash's size, unless lanes don't pay.
func (h Hasher) sumLanes(f kernel.Hash, digests []byte, messages [][]byte) bool {
	k := h.lanes(&costs, f, messages)
	if k == kernel.None {
		return false
	}
	j := job{kernel: k, hash: f, digests: digests, messages: messages}
	j.sum()
	return true
}

// sum hashes messages into digests of the hash's size, one after the other where lanes don't pay.
func (h Hasher) sum(f kernel.Hash, digests []byte, messages [][]byte) {
	if h.sumLanes(f, digests, messages) {
		return
	}
	size := 4 * f.Words()
	for i, m := range messages {
		sumSerial(f, digests[i*size:][:size], m)
	}
}

// check panics unless there are digests enough, and none that overlaps the message of another.
func check[D [16]byte | [20]byte | [32]byte](digests []D, messages [][]byte) {
	enough(len(digests), len(messages))
	all := flatten(digests[:len(messages)])
	begin := address(all)
	end := begin + uintptr(len(all))
	// Negative once a message begins before the end and ends behind the beginning. Without a branch it
	// costs next to nothing where messages are short.
	overlaps := 0
	for i := range messages {
		p := address(messages[i])
		overlaps |= int(p-end) & int(begin-p-uintptr(len(messages[i])))
	}
	for i := 0; overlaps < 0 && i < len(messages); i++ {
		checkOwn(flatten(digests[i:i+1]), all, messages[i])
	}
}

func address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// checkOwn panics if a message overlaps digests besides its own.
func checkOwn(own, all, m []byte) {
	begin, end := max(address(m), address(all)), min(address(m)+uintptr(len(m)), address(all)+uintptr(len(all)))
	if begin < end && (begin < address(own) || end > address(own)+uintptr(len(own))) {
		panic("multibuffer: a digest overlaps the message of another")
	}
}

func enough(digests, messages int) {
	if digests < messages {
		panic("multibuffer: fewer digests than messages")
	}
}
