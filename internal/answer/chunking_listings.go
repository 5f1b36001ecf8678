package answer

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/report"
)

// lines are what a caller writes for a workaround, in the place of update.
type lines struct {
	library, around string
	c, golang       string // Go by cgo, its imports and the error's handling left to the reader
}

// callerLines are for Botan, whose interface has the trouble (botan/ffi.h). They stand
// in a function where cipher is keyed and started, and in and out are the len bytes of
// a message.
var callerLines = []lines{
	{"botan", "ctr-bypass", `/* bc: botan_block_cipher_init(&bc, "AES-128") and botan_block_cipher_set_key, the same key;
   hi and lo: the IV, two numbers of 64 bits, big-endian */
uint8_t counters[4096], stream[4096];
for (size_t at = 0; at < len; at += sizeof stream) {
    size_t n = len - at < sizeof stream ? len - at : sizeof stream;
    size_t blocks = (n + 15) / 16;
    for (size_t i = 0; i < blocks; i++) {
        uint64_t counter[2] = {htobe64(hi), htobe64(lo)};
        memcpy(counters + 16 * i, counter, 16);
        if (++lo == 0) hi++;
    }
    int rc = botan_block_cipher_encrypt_blocks(bc, counters, stream, blocks);
    if (rc != 0) return rc;
    for (size_t i = 0; i < n; i++) out[at + i] = in[at + i] ^ stream[i];
}
`, `for len(in) > 0 {
	n := min(len(in), len(stream)) // counters and stream are slices of 4096 bytes
	blocks := (n + 15) / 16
	for i := range blocks {
		binary.BigEndian.PutUint64(counters[16*i:], hi)
		binary.BigEndian.PutUint64(counters[16*i+8:], lo)
		if lo++; lo == 0 {
			hi++
		}
	}
	rc := C.botan_block_cipher_encrypt_blocks(bc,
		(*C.uint8_t)(&counters[0]), (*C.uint8_t)(&stream[0]), C.size_t(blocks))
	if rc != 0 {
		return fmt.Errorf("botan_block_cipher_encrypt_blocks: %d", rc)
	}
	subtle.XORBytes(out, in[:n], stream)
	in, out = in[n:], out[n:]
}
`},
	{"botan", "final", `/* for every piece of the message, not for its last alone: the key stream goes on. It is
   how 2.19 and 3 are written, and stands in no manual: compare with update once, at start */
int rc = botan_cipher_update(cipher, BOTAN_CIPHER_UPDATE_FLAG_FINAL,
                             out, len, &written, in, len, &consumed);
`, `// for every piece of the message, not for its last alone
rc := C.botan_cipher_update(cipher, C.BOTAN_CIPHER_UPDATE_FLAG_FINAL,
	out, C.size_t(len(in)), &written, (*C.uint8_t)(&in[0]), C.size_t(len(in)), &consumed)
`},
	{"botan", "oneshot", `/* all of the message in one call; out has room for the tag */
int rc = botan_cipher_start(cipher, nonce, 12);
if (rc == 0)
    rc = botan_cipher_update(cipher, BOTAN_CIPHER_UPDATE_FLAG_FINAL,
                             out, len + 16, &written, in, len, &consumed);
`, `rc := C.botan_cipher_start(cipher, (*C.uint8_t)(&nonce[0]), 12)
if rc == 0 {
	rc = C.botan_cipher_update(cipher, C.BOTAN_CIPHER_UPDATE_FLAG_FINAL,
		out, C.size_t(len(in)+16), &written, (*C.uint8_t)(&in[0]), C.size_t(len(in)), &consumed)
}
`},
	{"botan", "coalesced", `/* buffer has 4096 bytes, of which used wait; at the end what waits is handed over too */
while (len > 0) {
    size_t n = len < sizeof buffer - used ? len : sizeof buffer - used;
    memcpy(buffer + used, in, n);
    used += n; in += n; len -= n;
    if (used == sizeof buffer) {
        int rc = botan_cipher_update(cipher, BOTAN_CIPHER_UPDATE_FLAG_FINAL,
                                     out, used, &written, buffer, used, &consumed);
        if (rc != 0) return rc;
        out += written; used = 0;
    }
}
`, `w := bufio.NewWriterSize(finals, 4096) // finals.Write is one call with the flag FINAL
for _, piece := range pieces {
	w.Write(piece)
}
err := w.Flush()
`},
}

// listings are the lines for the workarounds that are the best for a sick cipher.
func (c *chunkingView) listings() (ls []report.Listing) {
	var shown []string
	for _, s := range c.sick {
		if s.around == nil {
			continue
		}
		name := insteadName(c.byID[s.around.Other])
		i := slices.IndexFunc(callerLines, func(l lines) bool { return l.library == s.Library && l.around == name })
		if i < 0 || slices.Contains(shown, name) {
			continue
		}
		shown = append(shown, name)
		l := callerLines[i]
		ls = append(ls,
			report.Listing{Title: say("What a caller writes in C: %s (%s)", "调用方的 C 代码：%s（%s）", arounds[name], name), Language: "c", Code: l.c},
			report.Listing{Title: say("What a caller writes in Go, by cgo: %s (%s)", "调用方的 Go 代码（cgo）：%s（%s）", arounds[name], name), Language: "go", Code: l.golang})
	}
	return ls
}
