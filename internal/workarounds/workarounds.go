// Package workarounds holds the lines that a caller writes around a library that is
// slow in an interface: what a report shows, and what a compiler has seen. It is text,
// and calls nothing.
package workarounds

// Lines are a workaround as callers in C and in Go write it.
type Lines struct {
	Library, Implementation string // as subjects are named
	C, Go                   string // Go by cgo, its imports and the error's handling left to the reader
}

// All lists them. Those for Botan stand in the place of botan_cipher_update without
// FINAL (botan/ffi.h), in a function where cipher is keyed and started, and in and out
// are the len bytes of a message.
func All() []Lines {
	return []Lines{
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
}
