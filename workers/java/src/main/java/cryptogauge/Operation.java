package cryptogauge;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;

/** A prepared case. Its output is that of the last call. */
abstract class Operation {
    final byte[] message;
    final byte[] want; // by an implementation that shares no code with the one that is timed
    final byte[] out;
    boolean led; // by a call that is not timed, before each sample

    Operation(byte[] message, byte[] want) {
        this.message = message;
        this.want = want;
        this.out = new byte[want.length];
    }

    /** What must be done before calls, untimed. */
    void before() throws Exception {}

    /** Calls it so many times, back to back. */
    abstract void batch(long calls) throws Exception;

    void check() throws Fault {
        int at = Arrays.mismatch(out, want);
        if (at >= 0) {
            throw new Fault("incorrect", "the output is wrong from byte " + at + " on");
        }
    }

    /** Makes the output wrong, so that what is right later was computed later. */
    void spoil() {
        for (int i = 0; i < out.length; i++) {
            out[i] = (byte) ~want[i];
        }
    }

    /** The hash of a message. */
    static final class Hash extends Operation {
        private final MessageDigest hash;

        Hash(MessageDigest hash, byte[] message, byte[] want) {
            super(message, want);
            this.hash = hash;
        }

        @Override
        void batch(long calls) throws GeneralSecurityException {
            for (long i = 0; i < calls; i++) {
                hash.update(message);
                hash.digest(out, 0, out.length);
            }
        }
    }

    /** The encryption of a message. */
    static final class Encrypt extends Operation {
        private final Cipher cipher;
        private final SecretKey key;
        private final AlgorithmParameterSpec[] nonces;

        /** The first nonce is the case's; two more, since ciphers in GCM refuse the one that they had last. */
        Encrypt(Cipher cipher, SecretKey key, AlgorithmParameterSpec[] nonces, byte[] message, byte[] want) {
            super(message, want);
            this.cipher = cipher;
            this.key = key;
            this.nonces = nonces;
        }

        @Override
        void before() throws GeneralSecurityException {
            cipher.init(Cipher.ENCRYPT_MODE, key, nonces[2]);
        }

        @Override
        void batch(long calls) throws GeneralSecurityException {
            for (long left = calls - 1; left >= 0; left--) {
                cipher.init(Cipher.ENCRYPT_MODE, key, nonces[(int) (left & 1)]);
                cipher.doFinal(message, 0, message.length, out, 0);
            }
        }
    }
}
