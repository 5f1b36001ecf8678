package multibuffer_test

import (
	"crypto/hmac"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"github.com/emmansun/gmsm/sm3"

	"github.com/cryptogauge/cryptogauge/multibuffer"
)

// Fingerprints of many records at once.
func ExampleSumMD5() {
	records := [][]byte{[]byte(""), []byte("a"), []byte("abc"), []byte("message digest")}
	digests := make([][16]byte, len(records))
	multibuffer.SumMD5(digests, records)
	for i, d := range digests {
		fmt.Printf("%x  %q\n", d, records[i])
	}
	// Output:
	// d41d8cd98f00b204e9800998ecf8427e  ""
	// 0cc175b9c0f1b6a831c399e269772661  "a"
	// 900150983cd24fb0d6963f7d28e17f72  "abc"
	// f96b697d7cb7938d525a2f31aaf161d0  "message digest"
}

func ExampleSumSM3() {
	digests := make([][32]byte, 1)
	multibuffer.SumSM3(digests, [][]byte{[]byte("abc")})
	fmt.Printf("%x\n", digests[0])
	// Output:
	// 66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0
}

// Files are readers: they are hashed in step, and each has its own error.
func ExampleReadSM3() {
	readers := []io.Reader{strings.NewReader("abc"), strings.NewReader(strings.Repeat("abcd", 16))}
	digests, errs := make([][32]byte, len(readers)), make([]error, len(readers))
	multibuffer.ReadSM3(digests, errs, readers)
	for i, d := range digests {
		fmt.Printf("%x %v\n", d, errs[i])
	}
	// Output:
	// 66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0 <nil>
	// debe9ff92275b8a138604889c18e5a4d6fdb70e5387e5765293dcba39c0c5732 <nil>
}

// A server has one Coalescer for all its goroutines.
func ExampleCoalescer() {
	var c multibuffer.Coalescer
	fmt.Printf("%x\n", c.SumMD5([]byte("abc")))
	// Output:
	// 900150983cd24fb0d6963f7d28e17f72
}

// A service checks the tokens of a batch of requests.
func ExampleHMAC_Verify() {
	key := multibuffer.NewHMACSHA256([]byte("Jefe"))
	messages := [][]byte{[]byte("what do ya want for nothing?"), []byte("what do ya want for something?")}
	tokens := make([][]byte, len(messages))
	tokens[0], _ = hex.DecodeString("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
	tokens[1] = tokens[0]
	valid := make([]bool, len(messages))
	key.Verify(valid, tokens, messages)
	fmt.Println(valid)
	// Output:
	// [true false]
}

// Webhooks are signed under a key of each receiver's own, which is made ready once.
func ExampleSumHMAC() {
	secrets := [][]byte{[]byte("of the first receiver"), []byte("of the second")}
	ready := multibuffer.NewHMACsSM3(secrets)
	bodies := [][]byte{[]byte("paid"), []byte("paid")}
	macs := make([][32]byte, len(bodies))
	multibuffer.SumHMAC(macs, []*multibuffer.HMAC{&ready[0], &ready[1]}, bodies)
	for i, mac := range macs {
		want := hmac.New(sm3.New, secrets[i])
		want.Write(bodies[i])
		fmt.Println(hmac.Equal(mac[:], want.Sum(nil)))
	}
	// Output:
	// true
	// true
}
