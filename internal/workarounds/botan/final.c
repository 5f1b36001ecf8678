/* for every piece of the message, not for its last alone: the key stream goes on. No
   manual says so of 2.19 or 3: check once, at start, that it gives update's bytes */
int rc = botan_cipher_update(cipher, BOTAN_CIPHER_UPDATE_FLAG_FINAL,
                             out, len, &written, in, len, &consumed);
