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
