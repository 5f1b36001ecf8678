package multibuffer

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"

	"github.com/emmansun/gmsm/sm3"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/multibuffer"
)

// SumMD5 puts the MD5 digest of messages[i] into digests[i]. It panics if there are fewer digests than
// messages. Read the package's security note.
func SumMD5(digests [][md5.Size]byte, messages [][]byte) { fastest.SumMD5(digests, messages) }

// SumSM3 puts the SM3 digest of messages[i] into digests[i]. It panics if there are fewer digests than
// messages.
func SumSM3(digests [][sm3.Size]byte, messages [][]byte) { fastest.SumSM3(digests, messages) }

// SumSHA256 puts the SHA-256 digest of messages[i] into digests[i]. It panics if there are fewer digests
// than messages.
func SumSHA256(digests [][sha256.Size]byte, messages [][]byte) { fastest.SumSHA256(digests, messages) }

// SumSHA1 puts the SHA-1 digest of messages[i] into digests[i]. It panics if there are fewer digests
// than messages. Read the package's security note.
func SumSHA1(digests [][sha1.Size]byte, messages [][]byte) { fastest.SumSHA1(digests, messages) }

// SumMD5 is the function of that name by this implementation.
func (h Hasher) SumMD5(digests [][md5.Size]byte, messages [][]byte) {
	check(len(digests), len(messages))
	if len(messages) >= leastMD5 && h.pays(kernel.MD5, messages) {
		sum(h.kernel, kernel.MD5, flatten(digests), messages)
		return
	}
	for i := range messages {
		digests[i] = md5.Sum(messages[i])
	}
}

// SumSM3 is the function of that name by this implementation.
func (h Hasher) SumSM3(digests [][sm3.Size]byte, messages [][]byte) {
	check(len(digests), len(messages))
	if len(messages) >= leastSM3 && h.pays(kernel.SM3, messages) {
		sum(h.kernel, kernel.SM3, flatten(digests), messages)
		return
	}
	for i := range messages {
		digests[i] = sm3.Sum(messages[i])
	}
}

// SumSHA256 is the function of that name by this implementation.
func (h Hasher) SumSHA256(digests [][sha256.Size]byte, messages [][]byte) {
	check(len(digests), len(messages))
	if len(messages) >= leastSHA256 && h.pays(kernel.SHA256, messages) {
		sum(h.kernel, kernel.SHA256, flatten(digests), messages)
		return
	}
	for i := range messages {
		digests[i] = sha256.Sum256(messages[i])
	}
}

// SumSHA1 is the function of that name by this implementation.
func (h Hasher) SumSHA1(digests [][sha1.Size]byte, messages [][]byte) {
	check(len(digests), len(messages))
	if len(messages) >= leastSHA1 && h.pays(kernel.SHA1, messages) {
		sum(h.kernel, kernel.SHA1, flatten(digests), messages)
		return
	}
	for i := range messages {
		digests[i] = sha1.Sum(messages[i])
	}
}

func check(digests, messages int) {
	if digests < messages {
		panic("multibuffer: fewer digests than messages")
	}
}
