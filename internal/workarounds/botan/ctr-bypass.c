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
