/* for every piece of the message, not for its last alone: the key stream goes on. It is
   how 2.19 and 3 are written, and stands in no manual: compare with update once, at start */
int rc = botan_cipher_update(cipher, BOTAN_CIPHER_UPDATE_FLAG_FINAL,
                             out, len, &written, in, len, &consumed);
