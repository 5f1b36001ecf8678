int rc = botan_cipher_update(cipher, BOTAN_CIPHER_UPDATE_FLAG_FINAL,
                             out, len, &written, in, len, &consumed);
