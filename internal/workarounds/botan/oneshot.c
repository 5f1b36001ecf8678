int rc = botan_cipher_start(cipher, nonce, 12);
if (rc == 0)
    rc = botan_cipher_update(cipher, BOTAN_CIPHER_UPDATE_FLAG_FINAL,
                             out, len + 16, &written, in, len, &consumed);
